// Taps on the firmware of the ATmega328P, cycle by cycle, in simavr: forces of known form are laid on
// its pin A0, and what comes out of its serial line is decoded here, apart from the program's decoder,
// and held against the forces. scripts/test-ears.sh builds and runs it.
//
// Usage: taps FIRMWARE.elf TAPS SEED [FRAMES]    FRAMES: a file for what came: a line for each frame, the
//        microsecond at which its first byte began and its bytes in hexadecimal, and a line for each tap
// The last line is the result; exit 0: every tap once and in time; 1: not.

#include <math.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MHZ 16
#define REST_MV 98.0         // 20 of 1,023
#define MV_OF(count) ((count) * 5000.0 / 1024)
#define LATEST_US 250.0      // what the issue grants from the crossing to the onset's stamp

// ---- the forces ----

enum { FORMS = 5 };
static const char *const FORM[FORMS] = {"soft", "medium", "hard", "bouncing", "held"};

struct tap {
  int form;
  double begin, rise, stay, fall, peak;  // us, us, us, us, mV above the rest
  double crossing;                       // us
};

static struct tap *taps;
static int count, now_tap;
static uint64_t state;

static double uniform(void) {  // xorshift64*
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return (double)((state * 0x2545F4914F6CDD1DULL) >> 11) / 9007199254740992.0;
}

static double between(double a, double b) { return a + (b - a) * uniform(); }

static double half_cosine(double part) { return 0.5 - 0.5 * cos(M_PI * part); }

// The force of a tap, mV above the rest.
static double force(const struct tap *tap, double us) {
  double t = us - tap->begin;
  if (t < 0) return 0;
  if (t < tap->rise) return tap->peak * half_cosine(t / tap->rise);
  if (t < tap->rise + tap->stay) {
    // A finger that bounces: the force falls to nothing for 3 ms, 6 ms after its peak.
    double since = t - tap->rise - 6000;
    return tap->form == 3 && since > 0 && since < 3000 ? 0 : tap->peak;
  }
  t -= tap->rise + tap->stay;
  return t < tap->fall ? tap->peak * (1 - half_cosine(t / tap->fall)) : 0;
}

static void draw(double on_mv) {
  double us = 400000;
  for (int i = 0; i < count; i++) {
    struct tap *tap = &taps[i];
    tap->form = (int)(uniform() * FORMS);
    double hardest = 5000 - REST_MV;
    double of_level[FORMS][2] = {{1.5, 3}, {3, 8}, {8, hardest / on_mv}, {3, 12}, {3, 12}};
    tap->begin = us;
    tap->rise = between(800, tap->form == 0 ? 8000 : 5000);
    tap->peak = on_mv * between(of_level[tap->form][0], of_level[tap->form][1]);
    tap->stay = tap->form == 4 ? between(60000, 150000) : between(10000, 40000);
    tap->fall = between(2000, 20000);
    double low = tap->begin, high = tap->begin + tap->rise;
    while (high - low > 0.01) {
      double middle = (low + high) / 2;
      if (force(tap, middle) < on_mv) low = middle; else high = middle;
    }
    tap->crossing = high;
    us += tap->rise + tap->stay + tap->fall + between(15000, 60000);
  }
}

// ---- the sensor, whose noise is below one value, but for a spike now and then between taps ----

static avr_t *avr;
enum { KEPT = 4096 };
static int converted[KEPT];  // the last values, by their number
static long spikes, conversions;
static double offset_us;  // simulated time when the device's microseconds are 0

static void convert(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)value, (void)param;
  double us = (double)avr->cycle / MHZ;
  // The first conversion is thrown away; the next has the device's microsecond 125.
  if (conversions++ == 1) offset_us = us - 125;
  while (now_tap + 1 < count && us >= taps[now_tap + 1].begin) now_tap++;
  double mv = REST_MV + force(&taps[now_tap], us) + between(-2.4, 2.4);
  const struct tap *next = now_tap + 1 < count ? &taps[now_tap + 1] : 0;
  static double spiked = 0;
  if (next && next->begin - us < 12000 && next->begin - us > 8000 && us - spiked > 20000) {
    spiked = us, spikes++, mv = 4000;  // one value alone is no tap
  }
  mv = mv < 0 ? 0 : mv > 4999 ? 4999 : mv;
  converted[(conversions - 1) % KEPT] = (int)lround(mv) * 1023 / 5000;
  avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)lround(mv));
}

// ---- the line ----

static FILE *kept;
static uint8_t coded[256];
static int coded_length;
static uint64_t first_byte;
static int greetings, bad, gaps, next_counter = -1, rest, on_level, off_level;
static long forces_heard, wrong_forces;
static int next_number = 1, released;
static int found, missed, doubled, next_tap, unreleased;
static double worst, worst_early, worst_wire, sum, sum_of_squares;
static double worst_of[FORMS], slowest, quickest = 1e9;  // from `sent` to the first byte

static unsigned of16(const uint8_t *at) { return at[0] | at[1] << 8; }
static uint32_t of32(const uint8_t *at) { return of16(at) | (uint32_t)of16(at + 2) << 16; }

static int uncobs(const uint8_t *from, int length, uint8_t *to) {
  int made = 0;
  for (int at = 0; at < length;) {
    int code = from[at++];
    if (code == 0 || at + code - 1 > length) return -1;
    for (int i = 1; i < code; i++) to[made++] = from[at++];
    if (at < length) to[made++] = 0;
  }
  return made;
}

static unsigned crc(const uint8_t *bytes, int length) {
  unsigned crc = 0xffff;
  for (int i = 0; i < length; i++) {
    crc ^= (unsigned)bytes[i] << 8;
    for (int bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

static void onset(const uint8_t *body, double began_us) {
  double at = of32(body) + offset_us;
  if ((int)of16(body + 4) != next_number++) gaps++;
  while (next_tap < count && at > taps[next_tap].crossing + 50000) missed++, next_tap++;
  if (next_tap >= count || at < taps[next_tap].begin - 1000) { doubled++; return; }
  const struct tap *tap = &taps[next_tap++];
  double late = at - tap->crossing;
  found++, sum += late, sum_of_squares += late * late;
  if (late > worst) worst = late;
  if (late < worst_early) worst_early = late;
  if (late > worst_of[tap->form]) worst_of[tap->form] = late;
  if (began_us - tap->crossing > worst_wire) worst_wire = began_us - tap->crossing;
}

static void frame(uint64_t began) {
  uint8_t plain[256];
  int length = uncobs(coded, coded_length, plain);
  if (length < 9 || crc(plain, length - 2) != of16(plain + length - 2)) { bad++; return; }
  int counter = of16(plain + 1);
  if (next_counter >= 0 && counter != next_counter) gaps++;
  next_counter = (counter + 1) & 0xffff;
  const uint8_t *body = plain + 7;
  double made = (double)began / MHZ - offset_us - of32(plain + 3);
  if (made > slowest) slowest = made;
  if (made < quickest) quickest = made;
  if (plain[0] == 'H') {
    greetings++;
    rest = of16(body + 8), on_level = of16(body + 10), off_level = of16(body + 12);
  } else if (plain[0] == 'O') {
    onset(body, (double)began / MHZ);
  } else if (plain[0] == 'R') {
    released++;
  } else if (plain[0] == 'F') {
    // Each value is the sum of eight, whose microseconds say which; simavr rounds by at most one.
    long first = (long)(of32(body) / 125);
    for (int i = 0; 2 * i < length - 9 - 4; i++, forces_heard++) {
      int value = (int)of16(body + 4 + 2 * i);
      for (int one = 0; one < 8; one++) value -= converted[(first + 8 * i + one) % KEPT];
      if (abs(value) > 8) wrong_forces++;
    }
  }
}

static void heard(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  if (coded_length == 0) first_byte = avr->cycle;
  if (kept && coded_length == 0) fprintf(kept, "frame %.1f ", (double)first_byte / MHZ);
  if (kept) fprintf(kept, value ? "%02x" : "%02x\n", (unsigned)value);
  if (value == 0) {
    frame(first_byte);
    coded_length = 0;
  } else if (coded_length < (int)sizeof coded) {
    coded[coded_length++] = (uint8_t)value;
  }
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles) { (void)a, (void)cycles; }

static int calibrated(void) {  // runs until the greeting says where the levels are
  while (!greetings) {
    int how = avr_run(avr);
    if (how == cpu_Done || how == cpu_Crashed) return 0;
    if (avr->cycle > 2000000ULL * MHZ) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 4) { fprintf(stderr, "taps FIRMWARE.elf TAPS SEED [BYTES]\n"); return 2; }
  count = atoi(argv[2]);
  state = strtoull(argv[3], 0, 10) * 0x9E3779B97F4A7C15ULL + 1;
  taps = calloc((size_t)count + 1, sizeof *taps);
  for (int i = 0; i <= count; i++) taps[i].begin = 1e18;
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  if (elf_read_firmware(argv[1], &firmware)) return 2;
  strcpy(firmware.mmcu, "atmega328p");
  firmware.frequency = MHZ * 1000000;
  avr = avr_make_mcu_by_name("atmega328p");
  if (!avr) return 2;
  avr_init(avr);
  avr_load_firmware(avr, &firmware);
  avr->vcc = avr->avcc = avr->aref = 5000;
  avr->sleep = no_sleep;
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), convert, 0);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), heard, 0);
  if (argc > 4 && !(kept = fopen(argv[4], "wb"))) return 2;
  if (!calibrated()) { printf("the firmware did not greet\n"); return 1; }
  draw(MV_OF(on_level) - REST_MV);
  double end = taps[count - 1].begin + 400000;
  while ((double)avr->cycle / MHZ < end) {
    int how = avr_run(avr);
    if (how == cpu_Done || how == cpu_Crashed) { printf("the firmware crashed\n"); return 1; }
  }
  missed += count - next_tap;
  unreleased = found - released;
  double mean = found ? sum / found : 0;
  double deviation = found ? sqrt(fmax(0, sum_of_squares / found - mean * mean)) : 0;
  printf("levels: rest %d, on %d, off %d of 1023; %d greetings; %ld values of force; %ld spikes\n",
         rest, on_level, off_level, greetings, forces_heard, spikes);
  for (int form = 0; form < FORMS; form++) printf("  %-9s latest onset %.0f us\n", FORM[form], worst_of[form]);
  printf("frames begin %.0f to %.0f us after the time that they tell\n", quickest, slowest);
  printf("onset on the line at most %.0f us after the crossing (begin of its first byte)\n", worst_wire);
  printf("%d taps: %d missed, %d doubled, %d without release, %d bad frames, %d gaps, %ld wrong forces; onset %+.0f to %+.0f us "
         "from the crossing (mean %+.1f, SD %.1f)\n",
         count, missed, doubled, unreleased, bad, gaps, wrong_forces, worst_early, worst, mean, deviation);
  for (int i = 0; kept && i < count; i++) fprintf(kept, "tap %.1f %s\n", taps[i].crossing, FORM[taps[i].form]);
  if (kept) fclose(kept);
  int good = !missed && !doubled && !unreleased && !bad && !gaps && !wrong_forces && worst <= LATEST_US &&
             worst_early >= -LATEST_US && quickest >= 0 && quickest < 20;
  return good ? 0 : 1;
}
