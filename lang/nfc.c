#include "nfc.h"

#include <stdint.h>

static const struct { uint16_t base, mark, composed; } table[] = {
#define COMPOSED(base, mark, composed) {base, mark, composed},
#include "nfc.def"
#undef COMPOSED
};

static uint32_t compose(uint32_t base, uint32_t mark) {
  uint32_t key = base << 16 | mark;
  size_t lo = 0, hi = sizeof table / sizeof *table;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    uint32_t at = (uint32_t)table[mid].base << 16 | table[mid].mark;
    if (at == key) return table[mid].composed;
    if (at < key) lo = mid + 1;
    else hi = mid;
  }
  return 0;
}

/* Letters with a canonical single: micro, ohm, kelvin, angstrom signs. */
static uint32_t single(uint32_t c) {
  return c == 0xB5 ? 0x3BC : c == 0x2126 ? 0x3A9 : c == 0x212A ? 'K' : c == 0x212B ? 0xC5 : c;
}

static size_t decode(const char *text, size_t len, uint32_t *out) {
  const unsigned char *s = (const unsigned char *)text;
  size_t n = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
  if (n > len) n = len;
  uint32_t c = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
  for (size_t i = 1; i < n; i++) c = c << 6 | (s[i] & 0x3F);
  *out = c;
  return n;
}

static size_t encode(char *text, uint32_t c) {
  if (c < 0x80) return text[0] = (char)c, 1;
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n; i-- > 1; c >>= 6) text[i] = (char)(0x80 | (c & 0x3F));
  text[0] = (char)((0xF00u >> n & 0xF0) | c);
  return n;
}

size_t nfc_compose(char *text, size_t len) {
  size_t in = 0, out = 0, starter = 0;
  uint32_t base = 0;
  while (in < len) {
    uint32_t c, whole;
    in += decode(text + in, len - in, &c);
    c = single(c);
    if (c < 0x10000 && base && base < 0x10000 && (whole = compose(base, c))) {
      base = whole;
      out = starter + encode(text + starter, whole);
      continue;
    }
    starter = out;
    base = c;
    out += encode(text + out, c);
  }
  return out;
}
