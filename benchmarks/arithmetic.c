/* A load: arithmetic for ever, as the load of Finney's tests. arithmetic N runs N
 * of it as ordinary processes, until it is interrupted or its parent ends. */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 1; i--)
        if (fork() == 0) break;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    volatile double x = 1.0;
    for (;;) x = x * 1.0000001 + 1e-9;
}
