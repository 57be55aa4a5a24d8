/* Canonical formatting of a parsed program; comments are kept. Idempotent; parse(fmt(x)) equals parse(x). The text of a
 * program with syntax errors is left as it is. */
#ifndef FMT_H
#define FMT_H
#include "ast.h"

void fmt_program(Buf *out, const Program *program);

#endif
