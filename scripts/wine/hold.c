/* hold FILE SECONDS: reads a file as a program of Windows does that lets nobody else have it meanwhile.
 * Only for scripts/test-wine.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

int main(int argc, char **argv)
{
    HANDLE file;
    if (argc != 3)
        return 2;
    file = CreateFileA(argv[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    puts(file == INVALID_HANDLE_VALUE ? "refused" : "held");
    fflush(stdout);
    Sleep(1000 * (DWORD)atoi(argv[2]));
    return file == INVALID_HANDLE_VALUE;
}
