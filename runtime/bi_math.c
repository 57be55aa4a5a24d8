/* Mathematics: functions of numbers that become expressions when a field is among their arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "temperature.h"

/* --- the functions of numbers --- */

typedef struct MathRow {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
  bool keeps_unit;            /* abs, floor: the unit of the argument */
} MathRow;

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double mod(double a, double b) { return a - b * floor(a / b); }

static const MathRow math_rows[] = {
    {"sqrt", sqrt, NULL, false}, {"cbrt", cbrt, NULL, false}, {"exp", exp, NULL, false}, {"log", log, NULL, false}, {"log10", log10, NULL, false},
    {"sin", sin, NULL, false}, {"cos", cos, NULL, false}, {"tan", tan, NULL, false}, {"asin", asin, NULL, false}, {"acos", acos, NULL, false},
    {"atan", atan, NULL, false}, {"sinh", sinh, NULL, false}, {"cosh", cosh, NULL, false}, {"tanh", tanh, NULL, false}, {"erf", erf, NULL, false},
    {"abs", fabs, NULL, true}, {"sign", sign, NULL, false}, {"floor", floor, NULL, true}, {"ceil", ceil, NULL, true},
    {"atan2", NULL, atan2, false}, {"mod", NULL, mod, true}, {"hypot", NULL, hypot, true},
};

static const MathRow *math_row(const char *name) {
  for (size_t i = 0; i < sizeof math_rows / sizeof *math_rows; i++)
    if (!strcmp(math_rows[i].name, name)) return &math_rows[i];
  return NULL;
}

static Value *poisoned(Call *call, Span span, const char *text) {
  diag_report(&call->ev->host->diags, E0509, span, "%s", text);
  return value_poison();
}

static Value *number_function(Call *call, const MathRow *row) {
  Value *a = ARG(0), *b = row->two ? ARG(1) : NULL;
  Unit unit = row->keeps_unit ? a->unit : UNIT_NONE;
  bool root = row->one == sqrt || row->one == cbrt;
  if (root && !unit_pow(a->unit, row->one == sqrt ? 0.5 : 1.0 / 3, &unit)) return poisoned(call, call->span, "this unit has no such root");
  bool plain = unit_is_none(a->unit) || a->unit.any || row->keeps_unit || root || row->one == sign;
  if (b && !unit_fits(a->unit, b->unit)) plain = false;
  if (b) plain |= unit_fits(a->unit, b->unit);
  if (!plain) {
    Buf text = {0};
    unit_print(&text, a->unit);
    diag_report(&call->ev->host->diags, E0302, call->spans[0], "`%s` takes a number without unit; this carries %s", row->name, buf_str(&text));
    buf_free(&text);
    return value_poison();
  }
  if (unit.any) unit = UNIT_NONE;
  if (!a->known || (b && !b->known)) return value_number_unknown(unit);
  double y = b ? row->two(a->number, b->number) : row->one(a->number);
  if (!isfinite(y) && isfinite(a->number)) {
    Buf text = {0};
    buf_printf(&text, "%s(%g) is not a finite number", row->name, a->number);
    Value *v = poisoned(call, call->span, buf_str(&text));
    buf_free(&text);
    return v;
  }
  Value *v = value_number(y, unit);
  v->integer = a->integer && (!b || b->integer) && row->keeps_unit && row->two != hypot;
  if (row->one == floor || row->one == ceil || row->one == sign) v->integer = fabs(y) < 9e15;
  return v;
}

static Value *expression(Call *call, ExprOp op, int n) {
  Deps deps = {0};
  Expr *args[3] = {0};
  for (int i = 0; i < n; i++)
    if (!(args[i] = eval_to_expr(call->ev, ARG(i), call->spans[i], &deps))) {
      deps_free(&deps);
      return value_poison();
    }
  Expr *e = expr_make(call->ev->host->pool, op, args, n);
  Value *v;
  if (e) v = value_field(e, &deps);
  else {
    static const struct { ExprOp op; const char *help; } shapes[] = {
        {EXPR_DIVERGENCE, "of a scalar there are grad(u), lap(u), dx(u)"}, {EXPR_TRACE, "the trace of grad(u) is div(u)"},
        {EXPR_INNER, "both have one shape, as in inner(grad(u), grad(v)); a scalar multiplies by `*`"},
        {EXPR_DOT, "dot takes vectors and tensors; a scalar multiplies by `*`"}, {EXPR_EPS, "the symmetric gradient is of a vector; of a scalar take grad(u)"},
        {EXPR_DET, "it is of a square tensor, as grad(u) of a vector is"}, {EXPR_CURL, "it is of a vector, or of a scalar in the plane"}};
    const char *help = NULL;
    ExprError error = expr_error(call->ev->host->pool);
    Span span = error.argument >= 0 && error.argument < n ? call->spans[error.argument] : call->span;
    bool named = !strncmp(error.text, call->row->name, strlen(call->row->name));
    bool units = error.kind == EXPR_UNIT || error.kind == EXPR_POWER;
    Diag *d = diag_report(&call->ev->host->diags, units ? E0302 : E0301, span, "%s%s%s", named ? "" : call->row->name, named ? "" : ": ", error.text);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      if (shapes[i].op == op && !units) help = shapes[i].help;
    if (units && n == 1) help = "divide by a quantity of the same unit, as in sin(x/L)";
    if (help) diag_suggest(d, "%s", help);
    v = value_poison();
  }
  for (int i = 0; i < n && !is_poison(v); i++)
    if (ARG(i)->kind == VALUE_FIELD && ARG(i)->mesh_hint && !v->mesh_hint) v->mesh_hint = value_retain(ARG(i)->mesh_hint);
  deps_free(&deps);
  return v;
}

static Value *unknown_among(Call *call, int n) {
  for (int i = 0; i < n; i++)
    if (ARG(i)->kind == VALUE_UNKNOWN) return value_unknown();
  return NULL;
}

/* The magnitude of a tuple of numbers of one unit is a number. */
static Value *magnitude(Call *call) {
  const Value *v = ARG(0);
  double sum = 0;
  bool known = true;
  Unit unit = UNIT_ANY;
  for (int i = 0; i < v->n; i++) {
    if (v->items[i]->kind != VALUE_NUMBER || !unit_fits(unit, v->items[i]->unit)) return NULL;
    unit = unit_merge(unit, v->items[i]->unit);
    known &= v->items[i]->known;
    sum += v->items[i]->number * v->items[i]->number;
  }
  if (unit.any) unit = UNIT_NONE;
  return known ? value_number(sqrt(sum), unit) : value_number_unknown(unit);
}

static Value *run_math(Call *call) {
  if (ARG(0)->kind == VALUE_TUPLE && !strcmp(call->row->name, "abs")) {
    Value *v = magnitude(call);
    if (v) return v;
  }
  const MathRow *row = math_row(call->row->name);
  int n = row->two ? 2 : 1;
  Value *unknown = unknown_among(call, n);
  if (unknown) return unknown;
  bool numbers = ARG(0)->kind == VALUE_NUMBER && (n == 1 || ARG(1)->kind == VALUE_NUMBER);
  Value *v = numbers ? number_function(call, row) : expression(call, expr_op_of_function(row->name), n);
  return row->keeps_unit ? temperature_difference_kept(ARG(0), v) : v;
}

/* --- operators on fields --- */

static Value *run_one(Call *call) {
  Value *unknown = unknown_among(call, 1);
  return unknown ? unknown : expression(call, expr_op_of_function(call->row->name), 1);
}

static Value *run_two(Call *call) {
  Value *unknown = unknown_among(call, 2);
  return unknown ? unknown : expression(call, expr_op_of_function(call->row->name), 2);
}

static Value *run_derivative(Call *call) {
  Value *unknown = unknown_among(call, 1);
  if (unknown) return unknown;
  Deps deps = {0};
  Expr *e = eval_to_expr(call->ev, ARG(0), call->spans[0], &deps);
  e = e ? expr_dx(call->ev->host->pool, e, call->row->name[1] - 'x', host_length_unit(call->ev->host)) : NULL;
  Value *v = e ? value_field(e, &deps) : value_poison();
  if (e && ARG(0)->kind == VALUE_FIELD) v->mesh_hint = value_retain(ARG(0)->mesh_hint);
  deps_free(&deps);
  return v;
}

static Value *run_jump(Call *call) { return ARG(1) ? expression(call, EXPR_JUMP, 2) : expression(call, EXPR_JUMP, 1); }

#define MATH(name, doc, example) {name, "(x)", "mathematics", doc, example, run_math}
#define MATH2(name, doc, example) {name, "(a, b)", "mathematics", doc, example, run_math}
#define FIELD1(name, doc, example) {name, "(u)", "fields", doc, example, run_one}
#define FIELD2(name, doc, example) {name, "(a, b)", "fields", doc, example, run_two}

const BuiltinRow builtin_math[] = {
    MATH("sqrt", "Square root; halves the exponents of a unit. A negative number is an error.", "print(sqrt(2)) -> 1.414213562"),
    MATH("cbrt", "Cube root.", "print(cbrt(27)) -> 3"),
    MATH("exp", "Exponential of a number or field without unit.", "print(exp(0)) -> 1"),
    MATH("log", "Natural logarithm.", "print(log(exp(2))) -> 2"),
    MATH("log10", "Logarithm to base 10.", "print(log10(1000)) -> 3"),
    MATH("sin", "Sine of an angle in radians.", "print(sin(0)) -> 0"),
    MATH("cos", "Cosine of an angle in radians.", "print(cos(0)) -> 1"),
    MATH("tan", "Tangent of an angle in radians.", "print(tan(0)) -> 0"),
    MATH("asin", "Inverse sine, in radians.", "print(asin(0)) -> 0"),
    MATH("acos", "Inverse cosine, in radians.", "print(acos(1)) -> 0"),
    MATH("atan", "Inverse tangent, in radians.", "print(atan(0)) -> 0"),
    MATH("sinh", "Hyperbolic sine.", "print(sinh(0)) -> 0"),
    MATH("cosh", "Hyperbolic cosine.", "print(cosh(0)) -> 1"),
    MATH("tanh", "Hyperbolic tangent.", "print(tanh(0)) -> 0"),
    MATH("erf", "Error function.", "print(erf(0)) -> 0"),
    MATH("abs", "Absolute value; of a vector or tensor its (Frobenius) magnitude, pointwise. Keeps the unit.", "print(abs(-3)) -> 3"),
    MATH("sign", "-1, 0 or 1.", "print(sign(-2)) -> -1"),
    MATH("floor", "Largest integer not above.", "print(floor(2.7)) -> 2"),
    MATH("ceil", "Smallest integer not below.", "print(ceil(2.1)) -> 3"),
    MATH2("atan2", "Angle of the point (b, a), in radians; a and b of one unit.", "print(atan2(0, 1)) -> 0"),
    MATH2("mod", "a - b*floor(a/b): the remainder with the sign of b.", "print(mod(7, 3)) -> 1"),
    MATH2("hypot", "sqrt(a^2 + b^2) without overflow.", "print(hypot(3, 4)) -> 5"),
    {"certified_range", "(what, evaluations: int = 400000, ...) -> tuple", "mathematics",
     "(lo, hi) that no value passes: of a function, with a range for each argument (E: 5..20), or of a field, with ranges for coordinates, t and params (params "
     "without one have their value). By interval arithmetic with outward rounding, mean-value forms and bisection, so nothing between two samples is missed; hi - lo is "
     "larger than the true width by a thousandth or so where the function is smooth and has few arguments, and more where the evaluations (of single operations) end before. An error "
     "where there may be no finite value. (Moore, Kearfott and Cloud, Introduction to Interval Analysis, SIAM 2009.)",
     "fn g(a) = a*(1 - a); print(certified_range(g, a: 0..1)) -> (0, 0.25)", run_certified_range},
    FIELD1("grad", "Gradient: of a scalar a vector, of a vector the tensor [i, j] = du_i/dx_j.", "field g = grad(x*y)"),
    FIELD1("div", "Divergence: of a vector a scalar; of a tensor the vector that contracts the last index.", "field d = div((x, y))"),
    FIELD1("curl", "Curl: in 3D a vector; in 2D a scalar of a vector, a vector of a scalar.", "field c = curl((-y, x))"),
    FIELD1("lap", "Laplacian, div(grad(u)), component by component.", "field l = lap(x^2)"),
    FIELD1("eps", "Symmetric gradient (strain) of a vector: (grad(u) + transpose(grad(u)))/2.", "field e = eps((x, y))"),
    FIELD1("dt", "Time derivative.", "field v = dt(sin(t))"),
    FIELD1("dtt", "Second time derivative.", "field a = dtt(t^2)"),
    {"dx", "(u)", "fields", "Derivative along x.", "field d = dx(x^2)", run_derivative},
    {"dy", "(u)", "fields", "Derivative along y.", "field d = dy(y^2)", run_derivative},
    {"dz", "(u)", "fields", "Derivative along z.", "field d = dz(z^2)", run_derivative},
    FIELD1("tr", "Trace of a tensor.", "field s = tr([[x, 0], [0, y]])"),
    FIELD1("det", "Determinant of a tensor, up to 3x3.", "field s = det([[x, 0], [0, y]])"),
    FIELD1("inv", "Inverse of a tensor, up to 3x3.", "field s = inv([[2, 0], [0, 4]])"),
    FIELD1("transpose", "Transpose of a tensor.", "field s = transpose([[x, 1], [0, y]])"),
    FIELD1("dev", "Deviator: A - tr(A)/d*I.", "field s = dev([[x, 0], [0, y]])"),
    FIELD1("sym", "Symmetric part of a tensor.", "field s = sym([[x, 1], [0, y]])"),
    FIELD1("avg", "On interior facets: the mean of both sides.", NULL),
    FIELD2("dot", "Contracts the last index of a with the first of b; dot(v, grad(w)) of vectors is the derivative of w along v.", "field s = dot((x, y), (1, 2))"),
    FIELD2("inner", "Contracts all indices of two fields of one shape.", "field s = inner([[x, 0], [0, y]], [[1, 0], [0, 1]])"),
    FIELD2("outer", "Outer product of two vectors.", "field s = outer((x, y), (1, 2))"),
    FIELD2("cross", "Cross product: in 3D a vector, in 2D a scalar.", "field s = cross((x, y), (1, 2))"),
    {"jump", "(u, n = none)", "fields", "On interior facets: u1 - u2; with the normal u1*n1 + u2*n2.", NULL, run_jump},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
