/* Units of the fields of a law: what they have to carry so that each term has the unit of u_t. */
#include "fit.h"

static Unit jet_unit(const LawAtom *atom, Unit state, Unit space) {
  Unit length;
  unit_pow(space, atom->dx + atom->dy, &length);
  return unit_div(state, length);
}

/* Of a product of powers; functions have no unit, and take none. */
static bool monomial_unit(LawMonomial of, Unit state, Unit space, Unit *out) {
  *out = UNIT_NONE;
  for (int p = 0; p < of.n; p++) {
    const LawAtom *atom = of.power[p].atom;
    Unit power = UNIT_NONE, inner;
    if (atom->op == EXPR_TERM) unit_pow(jet_unit(atom, state, space), of.power[p].exponent, &power);
    else
      for (int k = 0; k < atom->argument.n; k++)
        if (!monomial_unit(atom->argument.term[k].of, state, space, &inner) || !unit_is_none(inner)) return false;
    *out = unit_mul(*out, power);
  }
  return true;
}

/* Of every term of a sum; false: they differ. */
static bool sum_unit(LawSum sum, Unit state, Unit space, Unit *out) {
  bool same = true;
  for (int k = 0; k < sum.n; k++) {
    Unit unit;
    same = monomial_unit(sum.term[k].of, state, space, &unit) && same;
    if (!k) *out = unit;
    else same = same && unit_equal(*out, unit);
  }
  return same;
}

Unit fit_field_unit(const LawField *field, Unit state, Unit space, Unit time, bool *homogeneous) {
  Unit first = UNIT_NONE;
  for (int p = 0; p < field->nparts; p++) {
    Unit g = UNIT_NONE, length;
    if (!sum_unit(field->part[p].g, state, space, &g)) *homogeneous = false;
    unit_pow(space, field->part[p].dx + field->part[p].dy, &length);
    Unit unit = unit_mul(unit_div(unit_div(state, time), g), length);
    if (!p) first = unit;
    else if (!unit_equal(first, unit)) *homogeneous = false;
  }
  return first;
}

bool fit_known_fits(LawSum known, Unit state, Unit space, Unit time) {
  Unit unit = UNIT_NONE;
  return !known.n || (sum_unit(known, state, space, &unit) && unit_equal(unit, unit_div(state, time)));
}

static bool has_source(LawSum sum) {
  for (int k = 0; k < sum.n; k++) {
    bool derivative = false;
    for (int p = 0; p < sum.term[k].of.n; p++) {
      const LawAtom *atom = sum.term[k].of.power[p].atom;
      derivative |= atom->op == EXPR_TERM && atom->dx + atom->dy > 0;
    }
    if (!derivative) return true;
  }
  return false;
}

bool fit_has_sources(const Law *law) {
  if (has_source(law->known)) return true;
  for (int k = 0; k < law->nfields; k++)
    for (int p = 0; p < law->field[k].nparts; p++)
      if (!law->field[k].part[p].dx && !law->field[k].part[p].dy && has_source(law->field[k].part[p].g)) return true;
  return false;
}
