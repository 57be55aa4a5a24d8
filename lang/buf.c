#define _GNU_SOURCE    /* strtod_l */
#include "buf.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

static void reserve(Buf *buf, size_t more) {
  if (buf->len + more + 1 <= buf->cap) return;
  size_t cap = buf->cap ? buf->cap * 2 : 64;
  while (cap < buf->len + more + 1) cap *= 2;
  char *text = realloc(buf->text, cap);
  if (!text) memory_out();
  buf->text = text;
  buf->cap = cap;
}

void buf_add(Buf *buf, const char *text, size_t len) {
  reserve(buf, len);
  if (len) memcpy(buf->text + buf->len, text, len);
  buf->len += len;
  buf->text[buf->len] = 0;
}

void buf_puts(Buf *buf, const char *text) { buf_add(buf, text, strlen(text)); }
void buf_putc(Buf *buf, char c) { buf_add(buf, &c, 1); }

void buf_printf(Buf *buf, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  if (len > 0) {
    reserve(buf, (size_t)len);
    vsnprintf(buf->text + buf->len, (size_t)len + 1, format, again);
    buf->len += (size_t)len;
  }
  va_end(again);
  va_end(args);
}

/* The C locale object is static in the C library: nothing is allocated. */
double text_number(const char *text, char **end) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  double value = strtod_l(text, end, c_locale);
  freelocale(c_locale);
  return value;
}

void buf_number(Buf *buf, double value) {
  if (isnan(value)) { buf_puts(buf, "nan"); return; }
  if (isinf(value)) { buf_puts(buf, value < 0 ? "-inf" : "inf"); return; }
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {     /* %g drops trailing zeros: what 15 digits give is the shortest */
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  /* a host may have set a locale with a decimal comma */
  const char *point = localeconv()->decimal_point;
  size_t n = strlen(point);
  char *at = strcmp(point, ".") ? strstr(text, point) : NULL;
  if (at) {
    *at = '.';
    memmove(at + 1, at + n, strlen(at + n) + 1);
  }
  buf_puts(buf, text);
}

const char *buf_str(const Buf *buf) { return buf->text ? buf->text : ""; }

void buf_clear(Buf *buf) {
  buf->len = 0;
  if (buf->text) buf->text[0] = 0;
}

void buf_free(Buf *buf) {
  free(buf->text);
  *buf = (Buf){0};
}
