/* Reads samples of 8 bits from standard input and writes what libltc hears: a line for each frame of time code
 * with the label, and the sample where it begins. Compiled by ltc.rs beside it; linked nowhere else. */
#include <ltc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static ltcsnd_sample_t samples[4096];
    LTCDecoder *decoder = ltc_decoder_create(argc > 1 ? atoi(argv[1]) : 1920, 64);
    LTCFrameExt frame;
    ltc_off_t position = 0;
    size_t count;

    while ((count = fread(samples, 1, sizeof samples, stdin)) > 0) {
        ltc_decoder_write(decoder, samples, count, position);
        position += (ltc_off_t)count;
        while (ltc_decoder_read(decoder, &frame)) {
            SMPTETimecode time;
            ltc_frame_to_time(&time, &frame.ltc, 0);
            printf("%02d:%02d:%02d:%02d %lld %d\n", time.hours, time.mins, time.secs, time.frame,
                   (long long)frame.off_start, frame.reverse);
        }
    }
    return ltc_decoder_free(decoder);
}
