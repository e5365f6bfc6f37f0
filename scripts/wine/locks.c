/* locks FILE: whether another program holds the byte by which it locks a file, and whether it leaves the rest to everybody.
 * Only for scripts/test-wine.sh. The byte is that of crates/core/src/files/lock.rs. */
#include <stdio.h>
#include <windows.h>

static int is_free(HANDLE file, DWORD high, DWORD length)
{
    OVERLAPPED place = {0};
    place.OffsetHigh = high;
    return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, length, 0, &place) &&
           UnlockFileEx(file, 0, length, 0, &place);
}

int main(int argc, char **argv)
{
    HANDLE file;
    if (argc != 2)
        return 2;
    file = CreateFileA(argv[1], GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
    printf("its byte is %s, its content is %s\n", is_free(file, 1u << 30, 1) ? "free" : "held",
           is_free(file, 0, 0x7fffffff) ? "free" : "held");
    return file == INVALID_HANDLE_VALUE;
}
