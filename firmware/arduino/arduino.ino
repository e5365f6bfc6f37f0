// Chronotap's sensor of force for an Arduino with an ATmega328P at 16 MHz (Uno, Nano, Pro Mini 5 V).
// docs/force-sensor.md has the wiring and what the bytes mean. Flash it as it is; `chronotap` reads
// it by `sensor:/dev/ttyACM0` (or ttyUSB0).
//
// One interrupt does what must be on time: every 125 us it takes the value of the last conversion and
// begins the next. Everything else, the bytes as well, is done in between, by `loop`.

#include <Arduino.h>
#include <avr/sleep.h>

const uint8_t BOARD = 1;
const uint16_t FULL_SCALE = 1023;
const uint32_t BUILD_US = 130;  // from asking for the time to the first byte, at least (scripts/test-ears.sh)
uint32_t microseconds();

// ---- what is felt, and what is told of it: the same in arduino.ino and teensy.ino ----

// Reads the sensor 8,000 times a second; `heard` is called with each value and its microseconds.
const uint8_t VERSION = 1;
const uint16_t TICK_US = 125;
const uint16_t RATE_HZ = 8000;
const uint16_t REST_VALUES = 2048;     // the rest is their mean: a quarter of a second
const uint16_t ON_ABOVE_REST = FULL_SCALE / 25;   // a tap begins here: 4 % of full scale
const uint16_t OFF_ABOVE_REST = FULL_SCALE / 50;  // and ends here: 2 %
const uint8_t RELEASED_VALUES = 64;    // below for 8 ms: what bounces is one tap
const uint8_t SUMMED = 8;              // values in a value of force: 1,000 of these a second
const uint8_t FORCES = 7;              // values of force in a frame

struct Happened {
  uint8_t kind;
  uint32_t at;      // microseconds
  uint16_t number;  // of the tap
  uint16_t force;   // at its onset; the greatest at its release
};

volatile Happened happened[8];
volatile uint8_t happened_in = 0, happened_out = 0;
volatile uint16_t forces[32];
volatile uint32_t forces_at = 0;       // of the first value that waits
volatile uint8_t forces_in = 0, forces_out = 0;
volatile uint16_t left_out = 0;        // frames that found no room
volatile uint16_t rest = 0, on_level = 0, off_level = 0;
volatile bool rested = false;

void tell(uint8_t kind, uint32_t at, uint16_t number, uint16_t force) {
  uint8_t next = (happened_in + 1) & 7;
  if (next == happened_out) {
    left_out++;
    return;
  }
  volatile Happened &one = happened[happened_in];
  one.kind = kind;
  one.at = at;
  one.number = number;
  one.force = force;
  happened_in = next;
}

// True while the rest is still being measured.
bool resting(uint16_t value) {
  static uint32_t sum = 0;
  static uint16_t counted = 0;
  if (rested) return false;
  sum += value;
  if (++counted == REST_VALUES) {
    rest = sum / REST_VALUES;
    on_level = rest + ON_ABOVE_REST;
    off_level = rest + OFF_ABOVE_REST;
    rested = true;
  }
  return true;
}

// A tap begins with two values at the level, so that a single one is no tap; its onset is the first.
void look_for_tap(uint16_t value, uint32_t at) {
  static bool pressed = false;
  static uint8_t above = 0, below = 0;
  static uint16_t number = 0, peak = 0;
  static uint32_t first = 0, left = 0;
  if (!pressed) {
    if (value < on_level) {
      above = 0;
      return;
    }
    if (above++ == 0) {
      first = at;
      peak = value;
      return;
    }
    pressed = true;
    above = below = 0;
    if (value > peak) peak = value;
    tell('O', first, ++number, value);
    return;
  }
  if (value > peak) peak = value;
  if (value >= off_level) {
    below = 0;
    return;
  }
  if (below == 0) left = at;
  if (++below == RELEASED_VALUES) {
    pressed = false;
    tell('R', left, number, peak);
  }
}

void sum_force(uint16_t value, uint32_t at) {
  static uint16_t sum = 0;
  static uint8_t summed = 0;
  static uint32_t first = 0;
  if (summed == 0) first = at;
  sum += value;
  if (++summed < SUMMED) return;
  uint8_t next = (forces_in + 1) & 31;
  if (next != forces_out) {
    if (forces_in == forces_out) forces_at = first;
    forces[forces_in] = sum;
    forces_in = next;
  }
  sum = summed = 0;
}

void heard(uint16_t value, uint32_t at) {
  if (resting(value)) return;
  look_for_tap(value, at);
  sum_force(value, at);
}

// A frame: kind, counter, microseconds when it was sent, what its kind has, and a checksum, all
// little-endian; then encoded by COBS and ended by a zero.
uint8_t plain[40], line[44];
uint8_t plain_length = 0, line_length = 0;
uint16_t frames = 0;

void put8(uint8_t value) { plain[plain_length++] = value; }
void put16(uint16_t value) { put8(value & 0xff); put8(value >> 8); }
void put32(uint32_t value) { put16(value & 0xffff); put16(value >> 16); }

void begin_frame(uint8_t kind) {
  plain_length = 0;
  put8(kind);
  put16(frames++);
  put32(microseconds() + BUILD_US);
}

// CRC-16/IBM-3740: polynomial 0x1021, from 0xffff, a byte at once.
uint16_t checksum() {
  uint16_t crc = 0xffff;
  for (uint8_t i = 0; i < plain_length; i++) {
    crc = (uint16_t)(crc << 8 | crc >> 8) ^ plain[i];
    crc ^= (crc & 0xff) >> 4;
    crc ^= crc << 12;
    crc ^= (crc & 0xff) << 5;
  }
  return crc;
}

// Consistent Overhead Byte Stuffing: no zero but at the end (Cheshire & Baker 1999).
void end_frame() {
  put16(checksum());
  uint8_t code_at = 0, code = 1;
  line_length = 1;
  for (uint8_t i = 0; i < plain_length; i++) {
    if (plain[i] != 0) {
      line[line_length++] = plain[i];
      code++;
      continue;
    }
    line[code_at] = code;
    code_at = line_length++;
    code = 1;
  }
  line[code_at] = code;
  line[line_length++] = 0;
}

void greet() {
  begin_frame('H');
  put8(VERSION);
  put8(BOARD);
  put16(RATE_HZ);
  put16(RATE_HZ / SUMMED);
  put16(FULL_SCALE);
  put16(rest);
  put16(on_level);
  put16(off_level);
  end_frame();
}

void send_happened() {
  volatile Happened &one = happened[happened_out];
  begin_frame(one.kind);
  put32(one.at);
  put16(one.number);
  put16(one.force);
  happened_out = (happened_out + 1) & 7;
  end_frame();
}

void send_forces() {
  begin_frame('F');
  noInterrupts();
  put32(forces_at);
  for (uint8_t i = 0; i < FORCES; i++) {
    put16(forces[forces_out]);
    forces_out = (forces_out + 1) & 31;
  }
  forces_at += (uint32_t)FORCES * SUMMED * TICK_US;
  interrupts();
  end_frame();
}

// Frames of force wait for up to 1.9 ms, each another time, so that they never keep step with a
// driver that hands over every 16 ms: else the least delay would never be seen.
bool forces_due(uint32_t now) {
  static uint16_t noise = 0xace1;
  static uint32_t due = 0;
  static bool waits = false;
  if (((forces_in - forces_out) & 31) < FORCES) return false;
  if (!waits) {
    noise = (noise >> 1) ^ (-(noise & 1) & 0xb400);
    due = now + (uint32_t)(noise & 15) * TICK_US;
    waits = true;
  }
  if ((int32_t)(now - due) < 0) return false;
  waits = false;
  return true;
}

// Makes the frame that is due next, taps first. False where none is.
bool next_frame() {
  static uint32_t greeted = 0;
  static bool ever = false;
  if (!rested) return false;
  uint32_t now = microseconds();
  noInterrupts();
  frames += left_out;  // what found no room is missed by its number
  left_out = 0;
  interrupts();
  if (happened_in != happened_out) {
    send_happened();
  } else if (!ever || now - greeted >= 1000000) {
    ever = true;
    greeted = now;
    greet();
  } else if (forces_due(now)) {
    send_forces();
  } else {
    return false;
  }
  return true;
}

// ---- the ATmega328P ----

volatile uint32_t tick_at = 0;  // when the conversion that goes on was begun

ISR(TIMER1_COMPA_vect) {
  uint16_t value = ADC;
  uint32_t at = tick_at;
  ADCSRA |= _BV(ADSC);
  tick_at = at + TICK_US;
  heard(value, at);
}

volatile uint8_t line_sent = 0;

ISR(USART_UDRE_vect) {
  UDR0 = line[line_sent];
  if (++line_sent == line_length) UCSR0B &= ~_BV(UDRIE0);
}

uint32_t microseconds() {
  noInterrupts();
  uint32_t at = tick_at;
  uint16_t since = TCNT1 / 2;
  if (TIFR1 & _BV(OCF1A)) {  // the tick has come and waits
    at += TICK_US;
    since = TCNT1 / 2;
  }
  interrupts();
  return at + since;
}

void setup() {
  TIMSK0 = 0;  // no interrupt but ours
  ADMUX = _BV(REFS0);  // A0, against the 5 V that feed the sensor
  DIDR0 = _BV(ADC0D);
  // 250 kHz: 56 us for one, so that one is ready also where its tick came late. The data sheet promises
  // ten bits up to 200 kHz; at half of this rate 14 of 950,000 forces had a reading of before in them.
  ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1);
  ADCSRA |= _BV(ADSC);
  while (ADCSRA & _BV(ADSC)) {}  // the first takes longer
  UBRR0 = 1;  // 500,000 bits a second, exactly
  UCSR0A = 0;  // a boot loader may leave double speed behind
  UCSR0B = _BV(TXEN0);
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  TCCR1A = 0;
  TCCR1B = _BV(WGM12) | _BV(CS11);  // 0.5 us a count
  TCNT1 = 0;
  OCR1A = 2 * TICK_US - 1;
  TIMSK1 = _BV(OCIE1A);
  set_sleep_mode(SLEEP_MODE_IDLE);
}

void loop() {
  if (line_sent == line_length && next_frame()) {
    line_sent = 0;
    UCSR0B |= _BV(UDRIE0);
  }
  sleep_mode();  // until the next value or byte
}
