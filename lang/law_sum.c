/* Polynomials in jets, functions of polynomials and fields. Every operation is exact; bounds are checked as it goes, and one flag says that one was passed. */
#include "law_sum.h"

#include <stdlib.h>
#include <string.h>

const struct LawFunction law_functions[LAW_FUNCTIONS] = {
    {EXPR_TANH, "tanh", true, false}, {EXPR_SIN, "sin", true, false}, {EXPR_COS, "cos", false, true}, {EXPR_EXP, "exp", false, false}};

/* ---- numbers ----------------------------------------------------------------------------------------------------------------------------------------------------- */

static const int64_t largest = INT64_C(1) << 62;

static int64_t gcd(int64_t a, int64_t b) {
  a = llabs(a), b = llabs(b);
  while (b) {
    int64_t r = a % b;
    a = b, b = r;
  }
  return a;
}

static int64_t times(LawAlgebra *s, int64_t a, int64_t b) {
  int64_t c;
  if (!__builtin_mul_overflow(a, b, &c) && c < largest && c > -largest) return c;
  s->exhausted = true;
  return 1;
}

LawNumber law_ratio(LawAlgebra *s, int64_t num, int64_t den) {
  if (num >= largest || num <= -largest) s->exhausted = true, num = 1;
  int64_t g = gcd(num, den);
  if (den < 0) g = -g;
  return g ? (LawNumber){num / g, den / g} : (LawNumber){0, 1};
}

LawNumber law_times(LawAlgebra *s, LawNumber a, LawNumber b) {
  int64_t g = gcd(a.num, b.den), h = gcd(b.num, a.den);
  if (!a.num || !b.num) return (LawNumber){0, 1};
  return (LawNumber){times(s, a.num / g, b.num / h), times(s, a.den / h, b.den / g)};
}

LawNumber law_over(LawAlgebra *s, LawNumber a, LawNumber b) {
  return law_times(s, a, b.num < 0 ? (LawNumber){-b.den, -b.num} : (LawNumber){b.den, b.num});
}

LawNumber law_plus(LawAlgebra *s, LawNumber a, LawNumber b) {
  int64_t g = gcd(a.den, b.den);
  return law_ratio(s, times(s, a.num, b.den / g) + times(s, b.num, a.den / g), times(s, a.den, b.den / g));
}

int law_number_order(LawNumber a, LawNumber b) {
  long double x = (long double)a.num * b.den, y = (long double)b.num * a.den;
  if (x != y) return x < y ? -1 : 1;
  return (a.num > b.num) - (a.num < b.num);
}

bool law_quotient(LawNumber a, LawNumber b, LawNumber *out) {
  LawAlgebra s = {.exhausted = false};
  *out = law_over(&s, a, b);
  return !s.exhausted;
}

/* ---- orders -------------------------------------------------------------------------------------------------------------------------------------------------------- */

static int compare(int a, int b) { return (a > b) - (a < b); }

static int atom_kind(const LawAtom *a) { return a->field ? 0 : a->op != EXPR_TERM ? 1 : 2; }

static int sum_order(LawSum a, LawSum b) {
  for (int i = 0; i < a.n && i < b.n; i++) {
    int c = law_monomial_order(a.term[i].of, b.term[i].of);
    if (!c) c = law_number_order(a.term[i].factor, b.term[i].factor);
    if (c) return c;
  }
  return compare(b.n, a.n);
}

static int atom_order(const LawAtom *a, const LawAtom *b) {
  if (a == b) return 0;
  int c = compare(atom_kind(a), atom_kind(b));
  if (!c && a->op != b->op) c = strcmp(expr_op_text(a->op), expr_op_text(b->op));
  if (!c) c = compare(a->field, b->field);
  if (!c) c = compare(a->dx, b->dx);
  if (!c) c = compare(a->dy, b->dy);
  return c ? c : sum_order(a->argument, b->argument);
}

int law_monomial_order(LawMonomial a, LawMonomial b) {
  for (int i = 0; i < a.n && i < b.n; i++) {
    int c = atom_order(a.power[i].atom, b.power[i].atom);
    if (!c) c = compare(a.power[i].exponent, b.power[i].exponent);
    if (c) return c;
  }
  return compare(b.n, a.n);
}

bool law_monomial_same(LawMonomial a, LawMonomial b) {
  if (a.n != b.n) return false;
  for (int i = 0; i < a.n; i++)
    if (a.power[i].atom != b.power[i].atom || a.power[i].exponent != b.power[i].exponent) return false;
  return true;
}

static int derivatives(LawMonomial a) {
  int n = 0;
  for (int i = 0; i < a.n; i++) n += a.power[i].atom->dx + a.power[i].atom->dy;
  return n;
}

int law_pivot_order(LawMonomial a, LawMonomial b) {
  int c = compare(derivatives(b), derivatives(a));
  return c ? c : law_monomial_order(a, b);
}

/* ---- atoms --------------------------------------------------------------------------------------------------------------------------------------------------------- */

static bool sum_same(LawSum a, LawSum b) {
  if (a.n != b.n) return false;
  for (int i = 0; i < a.n; i++)
    if (a.term[i].factor.num != b.term[i].factor.num || a.term[i].factor.den != b.term[i].factor.den || !law_monomial_same(a.term[i].of, b.term[i].of)) return false;
  return true;
}

static const LawAtom *intern_atom(LawAlgebra *s, LawAtom draft) {
  for (int i = 0; i < s->natoms; i++) {
    const LawAtom *a = s->atom[i];
    if (a->op == draft.op && a->dx == draft.dx && a->dy == draft.dy && a->field == draft.field && sum_same(a->argument, draft.argument)) return a;
  }
  if (s->natoms == LAW_ATOMS) {
    s->exhausted = true;
    return s->atom[0];
  }
  LawAtom *atom = ARENA_NEW(s->arena, LawAtom);
  *atom = draft;
  return s->atom[s->natoms++] = atom;
}

static LawSum one_term(LawAlgebra *s, LawNumber factor, LawMonomial of) {
  LawTerm *term = ARENA_NEW(s->arena, LawTerm);
  *term = (LawTerm){factor, of};
  return (LawSum){1, term};
}

static LawMonomial one_power(LawAlgebra *s, const LawAtom *atom, int exponent) {
  LawPower *power = ARENA_NEW(s->arena, LawPower);
  *power = (LawPower){atom, exponent};
  return (LawMonomial){1, power};
}

LawSum law_constant(LawAlgebra *s, LawNumber value) { return value.num ? one_term(s, value, (LawMonomial){0}) : (LawSum){0}; }

LawSum law_jet_sum(LawAlgebra *s, int field, int dx, int dy) {
  return one_term(s, (LawNumber){1, 1}, one_power(s, intern_atom(s, (LawAtom){.op = EXPR_TERM, .dx = dx, .dy = dy, .field = field}), 1));
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------------------------------------------------------------ */

static int by_monomial(const void *a, const void *b) { return law_monomial_order(((const LawTerm *)a)->of, ((const LawTerm *)b)->of); }

LawSum law_sorted(LawAlgebra *s, LawTerm *term, int n) {
  qsort(term, (size_t)n, sizeof *term, by_monomial);
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (m && law_monomial_same(term[m - 1].of, term[i].of)) term[m - 1].factor = law_plus(s, term[m - 1].factor, term[i].factor);
    else term[m++] = term[i];
    if (!term[m - 1].factor.num) m--;
  }
  if (m > LAW_TERMS) s->exhausted = true, m = 0;
  return (LawSum){m, term};
}

static bool spend(LawAlgebra *s, long work) {
  s->work -= work;
  if (s->work < 0) s->exhausted = true;
  return !s->exhausted;
}

LawSum law_sum(LawAlgebra *s, LawSum a, LawSum b) {
  if (!a.n || !b.n) return a.n ? a : b;
  if (!spend(s, a.n + b.n)) return (LawSum){0};
  LawTerm *term = ARENA_ARRAY(s->arena, LawTerm, a.n + b.n);
  memcpy(term, a.term, sizeof *term * (size_t)a.n);
  memcpy(term + a.n, b.term, sizeof *term * (size_t)b.n);
  return law_sorted(s, term, a.n + b.n);
}

LawSum law_scaled(LawAlgebra *s, LawSum a, LawNumber factor) {
  if (!factor.num || !spend(s, a.n)) return (LawSum){0};
  if (law_is_one(factor)) return a;
  LawTerm *term = ARENA_ARRAY(s->arena, LawTerm, a.n);
  for (int i = 0; i < a.n; i++) term[i] = (LawTerm){law_times(s, a.term[i].factor, factor), a.term[i].of};
  return (LawSum){a.n, term};
}

/* Exponents add; those of exp may be negative and cancel. */
static LawMonomial monomial_product(LawAlgebra *s, LawMonomial a, LawMonomial b) {
  if (!a.n || !b.n) return a.n ? a : b;
  LawPower *power = ARENA_ARRAY(s->arena, LawPower, a.n + b.n);
  int n = 0;
  for (int i = 0, j = 0; i < a.n || j < b.n;) {
    int c = i == a.n ? 1 : j == b.n ? -1 : atom_order(a.power[i].atom, b.power[j].atom);
    power[n] = c <= 0 ? a.power[i++] : b.power[j++];
    if (!c) power[n].exponent += b.power[j++].exponent;
    if (abs(power[n].exponent) > LAW_EXPONENT) s->exhausted = true;
    if (power[n].exponent) n++;
  }
  return (LawMonomial){n, power};
}

/* cos(a)^2 = 1 - sin(a)^2 wherever it stands, so that what differs by it is one. */
static LawSum without_cosines(LawAlgebra *s, LawSum a) {
  for (int i = 0; i < a.n && !s->exhausted; i++)
    for (int k = 0; k < a.term[i].of.n; k++) {
      LawPower p = a.term[i].of.power[k];
      if (p.atom->op != EXPR_COS || p.exponent < 2) continue;
      LawSum term = one_term(s, a.term[i].factor, a.term[i].of), sine = one_term(s, (LawNumber){1, 1}, one_power(s, intern_atom(s, (LawAtom){.op = EXPR_SIN, .argument = p.atom->argument}), 2));
      LawPower *power = ARENA_ARRAY(s->arena, LawPower, term.term[0].of.n);
      memcpy(power, a.term[i].of.power, sizeof *power * (size_t)a.term[i].of.n);
      power[k].exponent -= 2;
      int n = a.term[i].of.n;
      if (!power[k].exponent) memmove(power + k, power + k + 1, sizeof *power * (size_t)(--n - k));
      LawSum less = one_term(s, a.term[i].factor, (LawMonomial){n, power});
      LawSum changed = law_sum(s, less, law_scaled(s, law_product(s, less, sine), (LawNumber){-1, 1}));
      return without_cosines(s, law_sum(s, law_sum(s, a, law_scaled(s, term, (LawNumber){-1, 1})), changed));
    }
  return a;
}

LawSum law_product(LawAlgebra *s, LawSum a, LawSum b) {
  if (!a.n || !b.n || !spend(s, (long)a.n * b.n)) return (LawSum){0};
  LawTerm *term = ARENA_ARRAY(s->arena, LawTerm, a.n * b.n);
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < b.n; j++)
      term[i * b.n + j] = (LawTerm){law_times(s, a.term[i].factor, b.term[j].factor), monomial_product(s, a.term[i].of, b.term[j].of)};
  return without_cosines(s, law_sorted(s, term, a.n * b.n));
}

LawSum law_power(LawAlgebra *s, LawSum a, int exponent) {
  LawSum result = law_constant(s, (LawNumber){1, 1});
  if (exponent > LAW_EXPONENT) s->exhausted = true;
  for (int k = 0; k < exponent && !s->exhausted; k++) result = law_product(s, result, a);
  return result;
}

/* exp(a + 2 b) = exp(a) exp(b)^2: one atom for each monomial of the argument. */
static LawSum exponential(LawAlgebra *s, LawSum argument) {
  LawSum product = law_constant(s, (LawNumber){1, 1});
  for (int i = 0; i < argument.n; i++) {
    LawTerm t = argument.term[i];
    LawNumber base = {1, t.factor.den};
    if (llabs(t.factor.num) > LAW_EXPONENT) s->exhausted = true;
    if (s->exhausted) return product;
    const LawAtom *atom = intern_atom(s, (LawAtom){.op = EXPR_EXP, .argument = one_term(s, base, t.of)});
    product = law_product(s, product, one_term(s, (LawNumber){1, 1}, one_power(s, atom, (int)t.factor.num)));
  }
  return product;
}

LawSum law_function(LawAlgebra *s, ExprOp op, LawSum argument) {
  const struct LawFunction *row = law_functions;
  while (row->op != op) row++;
  if (op == EXPR_EXP) return exponential(s, argument);
  if (!argument.n) return row->odd ? (LawSum){0} : law_constant(s, (LawNumber){1, 1});
  bool negative = argument.term[0].factor.num < 0 && (row->odd || row->even);
  if (negative) argument = law_scaled(s, argument, (LawNumber){-1, 1});
  LawSum value = one_term(s, (LawNumber){negative && row->odd ? -1 : 1, 1}, one_power(s, intern_atom(s, (LawAtom){.op = op, .argument = argument}), 1));
  return value;
}

bool law_has_field(LawSum a) {
  for (int i = 0; i < a.n; i++)
    for (int k = 0; k < a.term[i].of.n; k++)
      if (a.term[i].of.power[k].atom->field) return true;
  return false;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------------------------------------------------------------ */

static LawSum atom_derivative(LawAlgebra *s, const LawAtom *atom, int axis) {
  if (atom->op == EXPR_TERM) return law_jet_sum(s, atom->field, atom->dx + !axis, atom->dy + axis);
  LawSum itself = one_term(s, (LawNumber){1, 1}, one_power(s, atom, 1)), slope;
  if (atom->op == EXPR_TANH) slope = law_sum(s, law_constant(s, (LawNumber){1, 1}), law_scaled(s, law_product(s, itself, itself), (LawNumber){-1, 1}));
  else if (atom->op == EXPR_SIN) slope = law_function(s, EXPR_COS, atom->argument);
  else if (atom->op == EXPR_COS) slope = law_scaled(s, law_function(s, EXPR_SIN, atom->argument), (LawNumber){-1, 1});
  else slope = itself;
  return law_product(s, slope, law_derivative(s, atom->argument, axis));
}

LawSum law_derivative(LawAlgebra *s, LawSum a, int axis) {
  LawSum sum = {0};
  for (int i = 0; i < a.n && !s->exhausted; i++)
    for (int k = 0; k < a.term[i].of.n; k++) {
      LawMonomial of = a.term[i].of;
      LawPower *power = ARENA_ARRAY(s->arena, LawPower, of.n);
      memcpy(power, of.power, sizeof *power * (size_t)of.n);
      int n = of.n, exponent = power[k].exponent--;
      if (!power[k].exponent) memmove(power + k, power + k + 1, sizeof *power * (size_t)(--n - k));
      LawSum rest = one_term(s, law_times(s, a.term[i].factor, (LawNumber){exponent, 1}), (LawMonomial){n, power});
      sum = law_sum(s, sum, law_product(s, rest, atom_derivative(s, of.power[k].atom, axis)));
    }
  return sum;
}

static void know_sum(LawAlgebra *s, LawSum sum) {
  for (int i = 0; i < sum.n; i++)
    for (int k = 0; k < sum.term[i].of.n; k++) {
      const LawAtom *atom = sum.term[i].of.power[k].atom;
      int m = 0;
      while (m < s->natoms && s->atom[m] != atom) m++;
      if (m < s->natoms) continue;
      if (atom->op != EXPR_TERM) know_sum(s, atom->argument);
      if (s->natoms < LAW_ATOMS) s->atom[s->natoms++] = atom;
    }
}

void law_algebra_know(LawAlgebra *s, const Law *law) {
  know_sum(s, law->known);
  for (int i = 0; i < law->nfields; i++)
    for (int k = 0; k < law->field[i].nparts; k++) know_sum(s, law->field[i].part[k].g);
}

/* ---- for those who read laws ------------------------------------------------------------------------------------------------------------------------------------------- */

bool law_linear(LawSum sum, double out[LAW_JETS]) {
  memset(out, 0, sizeof(double) * LAW_JETS);
  for (int i = 0; i < sum.n; i++) {
    LawMonomial of = sum.term[i].of;
    if (of.n != 1 || of.power[0].exponent != 1 || of.power[0].atom->op != EXPR_TERM) return false;
    out[law_jet(of.power[0].atom->dx, of.power[0].atom->dy)] = law_number(sum.term[i].factor);
  }
  return sum.n > 0;
}

unsigned law_jets(LawSum sum) {
  unsigned jets = 0;
  for (int i = 0; i < sum.n; i++)
    for (int k = 0; k < sum.term[i].of.n; k++) {
      const LawAtom *atom = sum.term[i].of.power[k].atom;
      jets |= atom->op == EXPR_TERM ? 1u << law_jet(atom->dx, atom->dy) : law_jets(atom->argument);
    }
  return jets;
}

static void print_power(Buf *out, LawPower p) {
  if (p.atom->op == EXPR_TERM) {
    if (p.atom->field) buf_printf(out, "%.*s%.*sC%d", 2 * p.atom->dx, "dxdxdxdx", 2 * p.atom->dy, "dydydydy", p.atom->field);
    else buf_printf(out, "u%.*s%.*s", p.atom->dx, "xxxxxxxx", p.atom->dy, "yyyyyyyy");
  } else {
    buf_printf(out, "%s(", expr_op_text(p.atom->op));
    law_print_sum(out, p.atom->argument);
    buf_putc(out, ')');
  }
  if (p.exponent != 1) buf_printf(out, "^%d", p.exponent);
}

void law_print_sum(Buf *out, LawSum sum) {
  if (!sum.n) buf_puts(out, "0");
  for (int i = 0; i < sum.n; i++) {
    LawNumber f = sum.term[i].factor;
    bool negative = f.num < 0;
    buf_puts(out, negative ? (i ? " - " : "-") : i ? " + " : "");
    if (negative) f.num = -f.num;
    bool shown = !law_is_one(f) || !sum.term[i].of.n;
    if (shown) buf_printf(out, "%lld", (long long)f.num);
    if (shown && f.den != 1) buf_printf(out, "/%lld", (long long)f.den);
    for (int k = 0; k < sum.term[i].of.n; k++) {
      if (k || shown) buf_putc(out, '*');
      print_power(out, sum.term[i].of.power[k]);
    }
  }
}
