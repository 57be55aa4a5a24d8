/* Growable string. Always NUL-terminated once something was added; owns its memory. */
#ifndef BUF_H
#define BUF_H
#include <stddef.h>

typedef struct Buf {
  char *text;   /* NULL while empty */
  size_t len, cap;
} Buf;

void buf_add(Buf *buf, const char *text, size_t len);
void buf_puts(Buf *buf, const char *text);
void buf_putc(Buf *buf, char c);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
double text_number(const char *text, char **end);   /* strtod with a decimal point, whatever the host's locale says */
void buf_number(Buf *buf, double value);      /* shortest form that reads back as the same number */
const char *buf_str(const Buf *buf);          /* never NULL; borrowed */
void buf_clear(Buf *buf);
void buf_free(Buf *buf);

#endif
