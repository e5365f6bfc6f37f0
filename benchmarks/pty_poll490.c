/* The same echo, by a program that looks at its input every 0.49 ms and sleeps
 * in between, which is how FTAP's loop worked (mean time between its services:
 * 0.49 ms; Finney 2001). A tap waits half of that on average, whatever the machine.
 *
 * pty_poll490 PATH   echoes what PATH sends, until it is interrupted. */
#include "realtime.h"
#include <fcntl.h>

#define SERVICE_INTERVAL_NS 490000

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int port = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (port < 0) return 2;
    ask_for_realtime();
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) {
        unsigned char bytes[64];
        ssize_t n = read(port, bytes, sizeof bytes);
        if (n > 0 && write(port, bytes, (size_t)n) != n) return 1;
        if (n == 0) return 0;
        next.tv_nsec += SERVICE_INTERVAL_NS;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
}
