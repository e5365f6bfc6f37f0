/* What a wine before 9 lacks and Rust's library asks for: random bytes, by the older call that it has.
 * Only for scripts/test-wine.sh; every Windows since 10 has this library of its own. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); /* RtlGenRandom, in advapi32 */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return SystemFunction036(data, (ULONG)length);
}

BOOL WINAPI DllMainCRTStartup(HINSTANCE library, DWORD reason, LPVOID reserved)
{
    (void)library, (void)reason, (void)reserved;
    return TRUE;
}
