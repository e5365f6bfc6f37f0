/* The least a program can do: wait for a tap on a MIDI byte stream, read it,
 * write it back as its feedback. The yardstick for `chronotap run --in raw:PATH`,
 * which does the same with an engine, a recorder and a clock in between.
 *
 * pty_loop PATH      echoes what PATH sends, until it is interrupted. */
#include "realtime.h"
#include <fcntl.h>
#include <poll.h>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int port = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (port < 0) return 2;
    ask_for_realtime();
    struct pollfd input = {.fd = port, .events = POLLIN};
    for (;;) {
        unsigned char bytes[64];
        if (poll(&input, 1, -1) < 0) return 0;
        ssize_t n = read(port, bytes, sizeof bytes);
        if (n > 0 && write(port, bytes, (size_t)n) != n) return 1;
        if (n == 0) return 0;
    }
}
