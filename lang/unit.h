/* Physical dimensions and unit spellings. Values are kept in SI base units; a Unit is the dimension alone. */
#ifndef UNIT_H
#define UNIT_H
#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

enum { UNIT_BASES = 7, UNIT_DENOMINATOR = 12 };   /* exponents are kept in twelfths: halves, thirds, quarters are exact */

typedef struct Unit {
  int16_t e[UNIT_BASES];  /* m kg s K A mol cd, exponent*12 */
  bool any;               /* fits every unit: the literal 0, arguments of functions checked without a call */
} Unit;

#define UNIT_NONE ((Unit){{0}, false})
#define UNIT_ANY ((Unit){{0}, true})

/* A unit as written: value_SI = value*scale + offset (offset only for degC and degF). */
typedef struct UnitScale {
  Unit unit;
  double scale, offset;
} UnitScale;

bool unit_equal(Unit a, Unit b);      /* exact; any equals only any */
bool unit_fits(Unit a, Unit b);       /* equal, or one is any */
bool unit_is_none(Unit a);
Unit unit_mul(Unit a, Unit b);        /* any if one is any */
Unit unit_div(Unit a, Unit b);
Unit unit_merge(Unit a, Unit b);      /* of two that fit: the one that is not any */
bool unit_pow(Unit a, double power, Unit *out);   /* false: the exponent is no multiple of 1/12 */

/* A symbol with an optional SI prefix: "mm", "GPa", "K", "degC", "min". false: unknown. */
bool unit_symbol(const char *symbol, UnitScale *out);
bool unit_parse(const char *text, UnitScale *out);   /* "kg/(m*s^2)", "degC"; "" and "1": none. false: not understood */
const char *unit_nearest(const char *symbol);     /* a known spelling near a wrong one, or NULL */

/* "kg/(m*s^2)"; compound dimensions that have a name print it in parentheses after ("kg/(m*s^2) (Pa)"); "1" for none. */
void unit_print(Buf *out, Unit unit);
void unit_print_short(Buf *out, Unit unit);       /* the named unit alone where there is one: "Pa", "W/m" ; "" for none */
void unit_print_table(Buf *out);                  /* every symbol: its value in SI base units, its dimension, prefixes */

#endif
