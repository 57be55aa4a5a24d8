#include "law_hei.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)LAW_X == (int)HEI_X && (int)LAW_Y == (int)HEI_Y && (int)LAW_JETS == (int)HEI_JETS && (int)LAW_FIELDS <= (int)HEI_MAX_FIELDS, "laws and their evaluator count alike");

struct LawFeatures {
  Hei *hei;
  int (*feature)(Hei *hei, const HeiFeature *feature);
  Arena *arena;
};

LawFeatures *law_features_new(Hei *hei, int (*feature)(Hei *hei, const HeiFeature *feature)) {
  LawFeatures *f = calloc(1, sizeof *f);
  *f = (LawFeatures){hei, feature, arena_new()};
  return f;
}

void law_features_free(LawFeatures *features) {
  if (features) arena_free(features->arena);
  free(features);
}

/* ---- values -------------------------------------------------------------------------------------------------------------------------------------------------------- */

enum { CHUNK = 256 };

static void sum_values(LawSum sum, const double *const *jet, long at, int n, double *out);

/* out *= atom^exponent */
static void multiply(LawPower p, const double *const *jet, long at, int n, double *out) {
  double value[CHUNK];
  const LawAtom *atom = p.atom;
  int exponent = p.exponent;
  if (atom->op == EXPR_TERM) memcpy(value, jet[law_jet(atom->dx, atom->dy)] + at, sizeof *value * (size_t)n);
  else sum_values(atom->argument, jet, at, n, value);
  for (int i = 0; i < n; i++) switch (atom->op) {
      case EXPR_TANH: value[i] = tanh(value[i]); break;
      case EXPR_SIN: value[i] = sin(value[i]); break;
      case EXPR_COS: value[i] = cos(value[i]); break;
      case EXPR_EXP: value[i] = exp(exponent * value[i]); break;
      default: break;
    }
  for (int k = atom->op == EXPR_EXP ? 1 : exponent; k; k--)
    for (int i = 0; i < n; i++) out[i] *= value[i];
}

static void sum_values(LawSum sum, const double *const *jet, long at, int n, double *out) {
  double term[CHUNK];
  for (int i = 0; i < n; i++) out[i] = 0;
  for (int k = 0; k < sum.n; k++) {
    for (int i = 0; i < n; i++) term[i] = law_number(sum.term[k].factor);
    for (int m = 0; m < sum.term[k].of.n; m++) multiply(sum.term[k].of.power[m], jet, at, n, term);
    for (int i = 0; i < n; i++) out[i] += term[i];
  }
}

void law_values(LawSum sum, const double *const *jet, long n, double *out) {
  for (long at = 0; at < n; at += CHUNK) sum_values(sum, jet, at, (int)(n - at < CHUNK ? n - at : CHUNK), out + at);
}

static void feature_values(void *user, const double *const *jet, long n, double *out) { law_values(*(const LawSum *)user, jet, n, out); }

/* ---- candidates ------------------------------------------------------------------------------------------------------------------------------------------------------ */

static LawSum copy_sum(Arena *arena, LawSum sum);

static const LawAtom *copy_atom(Arena *arena, const LawAtom *atom) {
  LawAtom *copy = ARENA_NEW(arena, LawAtom);
  *copy = *atom;
  copy->argument = copy_sum(arena, atom->argument);
  return copy;
}

static LawSum copy_sum(Arena *arena, LawSum sum) {
  LawTerm *term = ARENA_ARRAY(arena, LawTerm, sum.n);
  for (int i = 0; i < sum.n; i++) {
    LawMonomial of = sum.term[i].of;
    LawPower *power = ARENA_ARRAY(arena, LawPower, of.n);
    for (int k = 0; k < of.n; k++) power[k] = (LawPower){copy_atom(arena, of.power[k].atom), of.power[k].exponent};
    term[i] = (LawTerm){sum.term[i].factor, {of.n, power}};
  }
  return (LawSum){sum.n, term};
}

/* The sum over its first factor is the feature, so that multiples share it; where that takes more digits than a number has, the sum itself. */
static LawNumber divide(LawSum *sum) {
  LawNumber first = sum->term[0].factor, quotient;
  LawTerm *term = (LawTerm *)sum->term;
  for (int i = 0; i < sum->n; i++)
    if (!law_quotient(term[i].factor, first, &quotient)) return (LawNumber){1, 1};
  for (int i = 0; i < sum->n; i++) law_quotient(term[i].factor, first, &term[i].factor);
  return first;
}

static HeiPart part_of(LawFeatures *f, int dx, int dy, LawSum sum) {
  LawSum *copy = ARENA_NEW(f->arena, LawSum);
  *copy = copy_sum(f->arena, sum);
  LawNumber first = divide(copy);
  double linear[LAW_JETS];
  Buf key = {0};
  law_print_sum(&key, *copy);
  HeiFeature feature = {.key = buf_str(&key)};
  if (law_linear(*copy, linear)) feature.linear = linear;
  else feature.jets = law_jets(*copy), feature.values = feature_values, feature.user = copy;
  HeiPart part = {dx, dy, law_number(first), f->feature(f->hei, &feature)};
  buf_free(&key);
  return part;
}

const HeiCandidate *law_candidate(LawFeatures *f, const Law *law) {
  HeiCandidate *out = ARENA_NEW(f->arena, HeiCandidate);
  HeiField *field = ARENA_ARRAY(f->arena, HeiField, law->nfields);
  for (int k = 0; k < law->nfields; k++) {
    const LawField *from = &law->field[k];
    HeiPart *part = ARENA_ARRAY(f->arena, HeiPart, from->nparts);
    for (int i = 0; i < from->nparts; i++) part[i] = part_of(f, from->part[i].dx, from->part[i].dy, from->part[i].g);
    field[k] = (HeiField){from->domain, part, from->nparts};
  }
  *out = (HeiCandidate){.field = field, .nfields = law->nfields};
  if (!law->known.n) return out;
  HeiPart *known = ARENA_NEW(f->arena, HeiPart);
  *known = part_of(f, 0, 0, law->known);
  out->known = known, out->nknown = 1;
  return out;
}
