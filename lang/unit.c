/* Units: the table of spellings, the algebra of dimensions, printing. Values: SI brochure, 9th edition (BIPM 2019), tables 2 to 8. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "intern.h"

enum { M, KG, S, A = 4 };   /* places of UNIT_BASES used by name; K 3, mol 5, cd 6 */

typedef struct UnitRow {
  const char *symbol;
  int8_t e[UNIT_BASES];   /* whole exponents of m kg s K A mol cd */
  double scale, offset;
  bool prefixes;          /* takes k, m, u, ... */
} UnitRow;

/* The first symbol of a dimension is the one that printing uses. */
static const UnitRow UNITS[] = {
  {"m", {1}, 1, 0, true},
  {"g", {0, 1}, 1e-3, 0, true},
  {"s", {0, 0, 1}, 1, 0, true},
  {"K", {0, 0, 0, 1}, 1, 0, true},
  {"A", {0, 0, 0, 0, 1}, 1, 0, true},
  {"mol", {0, 0, 0, 0, 0, 1}, 1, 0, true},
  {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
  {"N", {1, 1, -2}, 1, 0, true},
  {"Pa", {-1, 1, -2}, 1, 0, true},
  {"J", {2, 1, -2}, 1, 0, true},
  {"W", {2, 1, -3}, 1, 0, true},
  {"C", {0, 0, 1, 0, 1}, 1, 0, true},
  {"V", {2, 1, -3, 0, -1}, 1, 0, true},
  {"F", {-2, -1, 4, 0, 2}, 1, 0, true},
  {"ohm", {2, 1, -3, 0, -2}, 1, 0, true},
  {"Ω", {2, 1, -3, 0, -2}, 1, 0, true},
  {"S", {-2, -1, 3, 0, 2}, 1, 0, true},
  {"Wb", {2, 1, -2, 0, -1}, 1, 0, true},
  {"T", {0, 1, -2, 0, -1}, 1, 0, true},
  {"H", {2, 1, -2, 0, -2}, 1, 0, true},
  {"Hz", {0, 0, -1}, 1, 0, true},
  {"L", {3}, 1e-3, 0, true},
  {"l", {3}, 1e-3, 0, true},
  {"bar", {-1, 1, -2}, 1e5, 0, true},
  {"eV", {2, 1, -2}, 1.602176634e-19, 0, true},
  {"t", {0, 1}, 1e3, 0, true},
  {"atm", {-1, 1, -2}, 101325, 0, false},
  {"P", {-1, 1, -1}, 0.1, 0, true},
  {"min", {0, 0, 1}, 60, 0, false},
  {"h", {0, 0, 1}, 3600, 0, false},
  {"d", {0, 0, 1}, 86400, 0, false},
  {"degC", {0, 0, 0, 1}, 1, 273.15, false},
  {"°C", {0, 0, 0, 1}, 1, 273.15, false},
  {"degF", {0, 0, 0, 1}, 5.0 / 9, 459.67 * 5 / 9, false},
  {"rad", {0}, 1, 0, false},
  {"sr", {0}, 1, 0, false},
  {"deg", {0}, 0.017453292519943295, 0, false},
  {"°", {0}, 0.017453292519943295, 0, false},
  {"percent", {0}, 0.01, 0, false},
  {"%", {0}, 0.01, 0, false},
  {"1", {0}, 1, 0, false},
};

static const struct { const char *symbol; double scale; } PREFIXES[] = {
  {"Y", 1e24}, {"Z", 1e21}, {"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"h", 1e2}, {"da", 1e1}, {"d", 1e-1},
  {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"µ", 1e-6}, {"μ", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18},
};

/* Dimensions whose usual name is compound; the text is a unit of the language. */
static const struct { const char *text; int8_t e[UNIT_BASES]; } COMPOUNDS[] = {
  {"N/m", {0, 1, -2}},            {"N*m^2", {3, 1, -2}},            {"Pa*s", {-1, 1, -1}},           {"N/m^3", {-2, 1, -2}},
  {"W/m", {1, 1, -3}},            {"W/m^2", {0, 1, -3}},            {"W/m^3", {-1, 1, -3}},          {"W/K", {2, 1, -3, -1}},
  {"W/(m*K)", {1, 1, -3, -1}},    {"W/(m^2*K)", {0, 1, -3, -1}},    {"W/(m^3*K)", {-1, 1, -3, -1}},  {"J/K", {2, 1, -2, -1}},
  {"J/(kg*K)", {2, 0, -2, -1}},   {"J/(m^3*K)", {-1, 1, -2, -1}},   {"J/mol", {2, 1, -2, 0, 0, -1}}, {"J/(mol*K)", {2, 1, -2, -1, 0, -1}},
  {"Pa/K", {-1, 1, -2, -1}},      {"1/Pa", {1, -1, 2}},             {"V/m", {1, 1, -3, 0, -1}},      {"C/m^2", {-2, 0, 1, 0, 1}},
  {"C/m^3", {-3, 0, 1, 0, 1}},    {"S/m", {-3, -1, 3, 0, 2}},       {"F/m", {-3, -1, 4, 0, 2}},      {"H/m", {1, 1, -2, 0, -2}},
  {"ohm*m", {3, 1, -3, 0, -2}},   {"T*m", {1, 1, -2, 0, -1}},
};

static Unit whole(const int8_t e[UNIT_BASES]) {
  Unit unit = UNIT_NONE;
  for (int i = 0; i < UNIT_BASES; i++) unit.e[i] = (int16_t)(e[i] * UNIT_DENOMINATOR);
  return unit;
}

/* --- algebra --- */

static bool same_exponents(Unit a, Unit b) { return !memcmp(a.e, b.e, sizeof a.e); }

bool unit_equal(Unit a, Unit b) { return a.any == b.any && (a.any || same_exponents(a, b)); }
bool unit_fits(Unit a, Unit b) { return a.any || b.any || same_exponents(a, b); }
bool unit_is_none(Unit a) { return unit_equal(a, UNIT_NONE); }
Unit unit_merge(Unit a, Unit b) { return a.any ? b : a; }

Unit unit_mul(Unit a, Unit b) {
  if (a.any || b.any) return UNIT_ANY;
  for (int i = 0; i < UNIT_BASES; i++) a.e[i] = (int16_t)(a.e[i] + b.e[i]);
  return a;
}

Unit unit_div(Unit a, Unit b) {
  if (a.any || b.any) return UNIT_ANY;
  for (int i = 0; i < UNIT_BASES; i++) a.e[i] = (int16_t)(a.e[i] - b.e[i]);
  return a;
}

bool unit_pow(Unit a, double power, Unit *out) {
  *out = a;
  if (a.any) return true;
  for (int i = 0; i < UNIT_BASES; i++) {
    double exact = a.e[i] * power, near = round(exact);
    if (fabs(exact - near) > 1e-9 * UNIT_DENOMINATOR || fabs(near) > INT16_MAX) return false;
    out->e[i] = (int16_t)near;
  }
  return true;
}

/* --- spellings --- */

static const UnitRow *find(const char *symbol) {
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) if (!strcmp(UNITS[i].symbol, symbol)) return &UNITS[i];
  return NULL;
}

bool unit_symbol(const char *symbol, UnitScale *out) {
  double prefix = 1;
  const UnitRow *row = find(symbol);   /* whole spellings first: min, Pa, cd, h are no prefixed units */
  for (size_t i = 0; !row && i < sizeof PREFIXES / sizeof *PREFIXES; i++) {
    size_t len = strlen(PREFIXES[i].symbol);
    if (strncmp(symbol, PREFIXES[i].symbol, len)) continue;
    row = find(symbol + len);
    if (row && !row->prefixes) row = NULL;
    prefix = PREFIXES[i].scale;
  }
  if (!row) return false;
  *out = (UnitScale){.unit = whole(row->e), .scale = row->scale * prefix, .offset = row->offset};
  return true;
}

static const char *const HABITS[][2] = {
  {"celsius", "degC"}, {"Celsius", "degC"}, {"fahrenheit", "degF"}, {"kelvin", "K"}, {"Kelvin", "K"}, {"meter", "m"}, {"metre", "m"},
  {"second", "s"}, {"sec", "s"}, {"hour", "h"}, {"hr", "h"}, {"minute", "min"}, {"day", "d"}, {"Newton", "N"}, {"newton", "N"},
  {"pascal", "Pa"}, {"Pascal", "Pa"}, {"watt", "W"}, {"joule", "J"}, {"volt", "V"}, {"ampere", "A"}, {"amp", "A"}, {"kilogram", "kg"},
  {"gram", "g"}, {"Kg", "kg"}, {"KG", "kg"}, {"degree", "deg"}, {"degrees", "deg"}, {"radian", "rad"}, {"mole", "mol"}, {"Ohm", "ohm"},
  {"micron", "um"}, {"liter", "L"}, {"litre", "L"}, {"hertz", "Hz"}, {"tesla", "T"},
};

const char *unit_nearest(const char *symbol) {
  static const char *const common[] = {"mm", "cm", "km", "um", "nm", "kg", "mg", "ms", "us", "kN", "MN", "kPa", "MPa", "GPa", "hPa", "kW", "MW",
                                       "mW", "kJ", "MJ", "mV", "kV", "mA", "kHz", "MHz", "GHz", "mK", "mbar", "mol", "mmol", "kmol", "mL"};
  for (size_t i = 0; i < sizeof HABITS / sizeof *HABITS; i++) if (!strcmp(HABITS[i][0], symbol)) return HABITS[i][1];
  const char *candidates[sizeof UNITS / sizeof *UNITS + sizeof common / sizeof *common];
  int n = 0;
  for (size_t i = 0; i < sizeof common / sizeof *common; i++) candidates[n++] = common[i];
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) candidates[n++] = UNITS[i].symbol;
  for (int i = 0; i < n; i++) {   /* a wrong case alone: KPA, hz */
    const char *a = candidates[i], *b = symbol;
    while (*a && *b && (*a | 32) == (*b | 32)) a++, b++;
    if (!*a && !*b) return candidates[i];
  }
  return nearest_name(symbol, candidates, n);
}

/* --- printing --- */

static const char *const BASES[UNIT_BASES] = {"m", "kg", "s", "K", "A", "mol", "cd"};

static void print_power(Buf *out, int base, int twelfths) {
  buf_puts(out, BASES[base]);
  if (twelfths == UNIT_DENOMINATOR) return;
  if (twelfths % UNIT_DENOMINATOR == 0) {
    buf_printf(out, "^%d", twelfths / UNIT_DENOMINATOR);
    return;
  }
  int below = UNIT_DENOMINATOR;
  for (int p = 2; p <= 3; p++) while (twelfths % p == 0 && below % p == 0) twelfths /= p, below /= p;
  buf_printf(out, "^(%d/%d)", twelfths, below);
}

static void print_bases(Buf *out, Unit unit) {
  static const int order[UNIT_BASES] = {KG, M, S, 3, A, 5, 6};   /* kg/(m*s^2) */
  int above = 0, below = 0;
  for (int i = 0; i < UNIT_BASES; i++) above += unit.e[i] > 0, below += unit.e[i] < 0;
  if (!above) buf_putc(out, '1');
  for (int i = 0, k = 0; i < UNIT_BASES; i++)
    if (unit.e[order[i]] > 0) {
      if (k++) buf_putc(out, '*');
      print_power(out, order[i], unit.e[order[i]]);
    }
  if (!below) return;
  buf_puts(out, below > 1 ? "/(" : "/");
  for (int i = 0, k = 0; i < UNIT_BASES; i++)
    if (unit.e[order[i]] < 0) {
      if (k++) buf_putc(out, '*');
      print_power(out, order[i], -unit.e[order[i]]);
    }
  if (below > 1) buf_putc(out, ')');
}

static const char *named(Unit unit) {
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
    if (UNITS[i].scale == 1 && UNITS[i].offset == 0 && strcmp(UNITS[i].symbol, "Hz") && same_exponents(whole(UNITS[i].e), unit)) return UNITS[i].symbol;
  for (size_t i = 0; i < sizeof COMPOUNDS / sizeof *COMPOUNDS; i++)
    if (same_exponents(whole(COMPOUNDS[i].e), unit)) return COMPOUNDS[i].text;
  return NULL;
}

void unit_print(Buf *out, Unit unit) {
  if (unit.any) {
    buf_puts(out, "any");
    return;
  }
  Buf bases = {0};
  print_bases(&bases, unit);
  buf_puts(out, buf_str(&bases));
  const char *name = unit_is_none(unit) ? NULL : named(unit);
  if (name && strcmp(name, buf_str(&bases))) buf_printf(out, " (%s)", name);
  buf_free(&bases);
}

void unit_print_short(Buf *out, Unit unit) {
  if (unit_is_none(unit)) return;
  const char *name = unit.any ? "any" : named(unit);
  if (name) buf_puts(out, name);
  else print_bases(out, unit);
}

void unit_print_table(Buf *out) {
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
    if (!strcmp(UNITS[i].symbol, "1")) continue;
    char scale[64];
    snprintf(scale, sizeof scale, UNITS[i].offset ? "%.10g, zero at %.10g" : "%.10g", UNITS[i].scale, UNITS[i].offset);
    Buf base = {0};
    for (int k = 0, first = 1; k < UNIT_BASES; k++) {
      if (!UNITS[i].e[k]) continue;
      buf_printf(&base, UNITS[i].e[k] == 1 ? "%s%s" : "%s%s^%d", first ? "" : " ", BASES[k], UNITS[i].e[k]);
      first = 0;
    }
    buf_printf(out, UNITS[i].prefixes ? "  %-8s %-28s %-20s takes prefixes\n" : "  %-8s %-28s %s\n", UNITS[i].symbol, scale, base.len ? buf_str(&base) : "1");
    buf_free(&base);
  }
  buf_puts(out, "\nprefixes\n ");
  for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++) buf_printf(out, " %s %g%s", PREFIXES[i].symbol, PREFIXES[i].scale, i + 1 < sizeof PREFIXES / sizeof *PREFIXES ? "," : "\n");
}
