/* What every program of a comparison asks for, so that none has the better seat:
 * locked memory, no timer slack, and SCHED_FIFO at the priority in the environment
 * variable PRIORITY (0 or unset: an ordinary program). A refusal is said. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static inline void ask_for_realtime(void) {
    const char *asked = getenv("PRIORITY");
    struct sched_param param = {.sched_priority = asked ? atoi(asked) : 0};
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* nanoseconds */
    if (param.sched_priority == 0) return;
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) perror("mlockall");
    if (sched_setscheduler(0, SCHED_FIFO, &param) != 0) perror("sched_setscheduler");
}
