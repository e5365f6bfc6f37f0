/* Plays taps into a program through a pseudo-terminal and measures the time from
 * the last byte of a tap to the first byte of its feedback. It runs the program
 * itself, with {} in its arguments replaced by the path of the terminal:
 *
 *   pty_drive TAPS SEED ./pty_loop {}           one time per line, in nanoseconds
 *   pty_drive 0 0 chronotap run … raw:{}        time from fork to the first byte sent
 *
 * A tap is a note-on written in one call; the clock is read just before the call
 * and just after the read that brought the first byte of the answer. Taps come at
 * drawn intervals of 5 to 25 ms, so that they keep step with nobody's loop; the
 * first 50 are not counted. The measuring program's own wake-up is in every
 * figure, the same for all that are compared. */
#include "realtime.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>

#define WARM_UP_TAPS 50
#define PATIENCE_MS 1000 /* an answer later than this is lost */

static uint64_t state;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(2);
}

/* xorshift64: the same taps for every program. */
static uint64_t draw(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static int open_terminal(char *path, size_t size) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) fail("posix_openpt");
    if (ptsname_r(master, path, size)) fail("ptsname");
    /* Kept open, so that the terminal stays raw and never hangs up. */
    int slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw)) fail(path);
    cfmakeraw(&raw);
    if (tcsetattr(slave, TCSANOW, &raw)) fail(path);
    fcntl(master, F_SETFD, FD_CLOEXEC);
    return master;
}

static pid_t run(char **command, const char *path) {
    for (char **word = command; *word; word++) {
        char *hole = strstr(*word, "{}");
        if (!hole) continue;
        char *filled = malloc(strlen(*word) + strlen(path) + 1);
        sprintf(filled, "%.*s%s%s", (int)(hole - *word), *word, path, hole + 2);
        *word = filled;
    }
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    return child;
}

/* Waits for bytes; returns when the first came, or 0 after `patience_ms`. */
static int64_t first_byte(int master, int patience_ms) {
    struct pollfd p = {.fd = master, .events = POLLIN};
    unsigned char bytes[256];
    if (poll(&p, 1, patience_ms) <= 0) return 0;
    if (read(master, bytes, sizeof bytes) <= 0) return 0;
    return now();
}

static int64_t tap(int master) {
    static const unsigned char on[3] = {0x90, 60, 64}, off[3] = {0x80, 60, 0};
    int64_t sent = now();
    if (write(master, on, sizeof on) != sizeof on) fail("write");
    int64_t answered = first_byte(master, PATIENCE_MS);
    usleep((useconds_t)(2000 + draw(3000)));
    if (write(master, off, sizeof off) != sizeof off) fail("write");
    while (first_byte(master, 2)) continue;
    usleep((useconds_t)(1000 + draw(18000)));
    return answered ? answered - sent : -1;
}

static void play(int master, int taps) {
    int tries = 0, lost = 0;
    while (tap(master) < 0) /* until the program is up and answers */
        if (++tries == 10) { fprintf(stderr, "pty_drive: no answer to any tap\n"); exit(2); }
    for (int i = -WARM_UP_TAPS; i < taps; i++) {
        int64_t took = tap(master);
        if (i < 0) continue;
        if (took < 0) lost++;
        else printf("%lld\n", (long long)took);
    }
    if (lost) fprintf(stderr, "pty_drive: %d of %d taps had no answer\n", lost, taps);
}

static void end(pid_t child) {
    kill(child, SIGINT);
    for (int i = 0; i < 500; i++) { /* five seconds to end cleanly */
        if (waitpid(child, NULL, WNOHANG) == child) return;
        usleep(10000);
    }
    fprintf(stderr, "pty_drive: the program did not end when interrupted\n");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Keeps processors out of idle states from which they wake up slowly, until the
 * end of this process. Python and the C loops would not ask for it. */
static void hold_wakeups(void) {
    int32_t microseconds = 0;
    int file = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, &microseconds, sizeof microseconds) < 0)
        perror("/dev/cpu_dma_latency");
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: pty_drive TAPS SEED PROGRAM [ARGUMENT|{}]...\n");
        return 2;
    }
    char path[128];
    int taps = atoi(argv[1]);
    state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
    int master = open_terminal(path, sizeof path);
    int64_t begun = now();
    pid_t child = run(argv + 3, path);
    ask_for_realtime(); /* after the fork: the program asks for itself */
    hold_wakeups();     /* for all programs alike, whether they ask or not */
    if (taps > 0) {
        play(master, taps);
    } else {
        int64_t came = first_byte(master, 10 * PATIENCE_MS);
        if (!came) fprintf(stderr, "pty_drive: nothing was sent\n");
        else printf("%lld\n", (long long)(came - begun));
    }
    end(child);
    return 0;
}
