/* Structures as text, and additions from their rows. */
#include "structure.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool structure_equal(const Structure *a, const Structure *b) {
  if (a->n != b->n) return false;
  for (int k = 0; k < a->n; k++)
    if (a->group[k].domain != b->group[k].domain || a->group[k].n != b->group[k].n ||
        memcmp(a->group[k].term, b->group[k].term, sizeof(StructureTerm) * a->group[k].n)) return false;
  return true;
}

int structure_fields(const Structure *law) {
  int n = 0;
  for (int k = 0; k < law->n; k++) n += !(law->group[k].domain & STRUCTURE_KNOWN);
  return n;
}

int structure_terms(const Structure *law) {
  int n = 0;
  for (int k = 0; k < law->n; k++) n += law->group[k].n;
  return n;
}

/* Derivatives that reach u when the outer ones are taken inside. */
static int term_order(const StructureTerm *term) {
  int inner = term->g.nd ? term->g.d[0][0] + term->g.d[0][1] : 0;
  return term->outer[0] + term->outer[1] + inner;
}

bool structure_within(const Structure *law, const StructureLanguage *language) {
  if (structure_fields(law) > language->fields) return false;
  for (int k = 0; k < law->n; k++)
    for (int i = 0; i < law->group[k].n; i++) {
      const StructureTerm *term = &law->group[k].term[i];
      if (term_order(term) > language->order || term->outer[0] > STRUCTURE_OUTER || term->outer[1] > STRUCTURE_OUTER) return false;
    }
  return true;
}

/* ---- text -------------------------------------------------------------------------------------------------------------------------------------------------------- */

void structure_field(int group, const StructureLanguage *language, char name[16]) {
  snprintf(name, 16, "%c%d", language->state[0] == 'C' ? 'K' : 'C', group + 1);
}

static void text_derivative(const char *of, const unsigned char d[2], Buf *out) {
  for (int axis = 0; axis < 2; axis++)
    for (int k = 0; k < d[axis]; k++) buf_puts(out, axis ? "dy(" : "dx(");
  buf_puts(out, of);
  for (int k = 0; k < d[0] + d[1]; k++) buf_putc(out, ')');
}

static bool monomial_is_one(const Monomial *g) { return !g->power && !g->function && !g->nd; }

static void text_monomial(const Monomial *g, const StructureLanguage *language, Buf *out) {
  const char *star = "";
  if (g->power) buf_puts(out, language->state), star = "*";
  if (g->power > 1) buf_printf(out, "^%d", g->power);
  if (g->function) buf_printf(out, "%s%s(%s)", star, language->function[g->function - 1], language->state), star = "*";
  for (int k = 0; k < g->nd; k++) {
    if (k && !memcmp(g->d[k], g->d[k - 1], 2)) { buf_puts(out, "^2"); continue; }
    buf_puts(out, star);
    text_derivative(language->state, g->d[k], out), star = "*";
  }
  if (!*star) buf_puts(out, "1");
}

/* `c` or `c*g` for one, under its outer derivatives. */
static void text_term(const StructureTerm *term, const char *field, const StructureLanguage *language, Buf *out) {
  Buf inner = {0};
  buf_puts(&inner, field);
  if (!*field || !monomial_is_one(&term->g)) {
    if (*field) buf_putc(&inner, '*');
    text_monomial(&term->g, language, &inner);
  }
  text_derivative(buf_str(&inner), term->outer, out);
  buf_free(&inner);
}

static bool plain(const StructureTerm *term) { return !term->outer[0] && !term->outer[1]; }

/* The two terms of a Laplacian: the same but for two derivatives in x here and in y there, on u or outside of the field. */
static bool is_laplacian(const StructureTerm *a, const StructureTerm *b) {
  if (a->factor != 1 || b->factor != 1 || a->g.power != b->g.power || a->g.function || b->g.function || a->g.nd != b->g.nd) return false;
  if (!a->g.nd) return a->outer[0] == 2 && !a->outer[1] && !b->outer[0] && b->outer[1] == 2 && a->g.power == 1;
  return plain(a) && plain(b) && a->g.nd == 1 && a->g.d[0][0] == 2 && !a->g.d[0][1] && !b->g.d[0][0] && b->g.d[0][1] == 2;
}

static void text_laplacian(const StructureTerm *term, const char *field, const StructureLanguage *language, Buf *out) {
  if (!term->g.nd) { buf_printf(out, "lap(%s%s%s)", field, *field ? "*" : "", language->state); return; }
  buf_printf(out, "%s%s", field, *field ? "*" : "");
  if (term->g.power) buf_puts(out, language->state), term->g.power > 1 ? buf_printf(out, "^%d*", term->g.power) : buf_putc(out, '*');
  buf_printf(out, "lap(%s)", language->state);
}

void structure_text(const Structure *law, const StructureLanguage *language, Buf *out) {
  if (!law->n) { buf_puts(out, "0"); return; }
  for (int k = 0, first = 1; k < law->n; k++) {
    const StructureGroup *group = &law->group[k];
    char field[16] = "";
    if (!(group->domain & STRUCTURE_KNOWN)) structure_field(k, language, field);
    for (int i = 0; i < group->n; i++, first = 0) {
      const StructureTerm *term = &group->term[i];
      int factor = term->factor;
      buf_puts(out, first ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ");
      if (abs(factor) != 1) buf_printf(out, "%d*", abs(factor));
      if (language->dims == 2 && i + 1 < group->n && is_laplacian(term, term + 1)) text_laplacian(term, field, language, out), i++;
      else text_term(term, field, language, out);
    }
  }
}

void structure_hypothesis(const Structure *law, const StructureLanguage *language, Buf *out) {
  static const char *const depends[] = {"", "(x)", "(y)", "(x, y)"};
  for (int k = 0; k < law->n; k++) {
    if (law->group[k].domain & STRUCTURE_KNOWN) continue;
    char field[16];
    structure_field(k, language, field);
    buf_printf(out, "unknown field %s%s\n", field, depends[law->group[k].domain & 3]);
  }
  buf_printf(out, "dt(%s) == ", language->state);
  structure_text(law, language, out);
  buf_putc(out, '\n');
}

/* ---- rows -------------------------------------------------------------------------------------------------------------------------------------------------------- */

/* A derivative goes before those that are not higher. */
static void monomial_derivative(Monomial *g, const unsigned char d[2]) {
  int at = g->nd++;
  for (; at && g->d[at - 1][0] + g->d[at - 1][1] < d[0] + d[1]; at--) memcpy(g->d[at], g->d[at - 1], 2);
  memcpy(g->d[at], d, 2);
}

/* Reads one term; *kept: it is in the language. Where it has F, `function` is put. */
static const char *read_term(const char *s, const StructureLanguage *language, int function, StructureTerm *term, bool *kept) {
  *term = (StructureTerm){.factor = 1}, *kept = true;
  if (isdigit((unsigned char)s[0]) && s[1] == '*') term->factor = (signed char)(s[0] - '0'), s += 2;
  for (; *s != '.'; s++) term->outer[*s == 'y']++;
  do {
    unsigned char d[2] = {0, 0};
    for (s++; *s && *s != '*' && *s != ' ' && *s != '|'; s++)
      if (*s == 'x' || *s == 'y') d[*s == 'y']++;
      else if (*s == 'F') term->g.function = (unsigned char)function;
      else if (*s != '1') term->g.power += *s == 'U' ? 2 : 1;
    if (d[0] + d[1]) monomial_derivative(&term->g, d);
    if (language->dims == 1 && d[1]) *kept = false;
  } while (*s == '*');
  if (language->dims == 1 && term->outer[1]) *kept = false;
  return s;
}

static void read_row(const char *s, const StructureLanguage *language, int function, Structure *law) {
  unsigned whole = language->dims == 1 ? STRUCTURE_X : STRUCTURE_X | STRUCTURE_Y;
  *law = (Structure){0};
  for (StructureGroup group = {.domain = whole}; ; group.n = 0) {
    for (bool kept; *s && *s != '|'; s += *s == ' ') {
      s = read_term(s, language, function, &group.term[group.n], &kept);
      group.n += kept;
    }
    if (group.n) law->group[law->n++] = group;
    if (!*s++) return;
  }
}

Structure structure_read(const char *row, const StructureLanguage *language) {
  Structure law;
  read_row(row, language, 1, &law);
  return law;
}

Addition *structure_additions(const StructureLanguage *language, int *n) {
  static const struct { StructureFamily family; const char *text; } row[] = {
#define ADDITION(family, text) {FAMILY_##family, text},
#include "structure.def"
  };
  int rows = sizeof row / sizeof *row;
  Addition *out = calloc((size_t)(rows + language->nfunctions), sizeof *out);
  *n = 0;
  for (int k = 0; k < rows; k++) {
    bool each = strchr(row[k].text, 'F') != NULL;
    for (int f = 1; f <= (each ? language->nfunctions : 1); f++) {
      Addition *next = &out[*n];
      next->family = row[k].family;
      read_row(row[k].text, language, f, &next->law);
      bool is_new = next->law.n && structure_within(&next->law, language);
      for (int i = 0; i < *n && is_new; i++) is_new = !structure_equal(&out[i].law, &next->law);
      *n += is_new;
    }
  }
  return out;
}

int structure_library(const StructureLanguage *language, Structure *out, int room) {
  int nadditions, n = 0;
  Addition *addition = structure_additions(language, &nadditions);
  for (int k = 0; k < nadditions; k++)
    for (int g = 0; g < addition[k].law.n; g++) {
      const StructureGroup *group = &addition[k].law.group[g];
      for (int i = 0; i < group->n && n < room; i++) {
        Structure one = {.n = 1, .group = {{.domain = group->domain, .n = 1, .term = {{.factor = 1, .g = group->term[i].g}}}}};
        bool is_new = !group->term[i].outer[0] && !group->term[i].outer[1];
        for (int p = 0; p < n && is_new; p++) is_new = !structure_equal(&out[p], &one);
        if (is_new) out[n++] = one;
      }
    }
  free(addition);
  return n;
}

static bool has_group(const Structure *law, const StructureGroup *group) {
  for (int k = 0; k < law->n; k++)
    if (law->group[k].domain == group->domain && law->group[k].n == group->n && !memcmp(law->group[k].term, group->term, sizeof(StructureTerm) * group->n)) return true;
  return false;
}

bool structure_join(Structure *law, const Structure *more) {
  bool joined = false;
  for (int k = 0; k < more->n; k++) {
    if (has_group(law, &more->group[k])) continue;
    if (law->n == STRUCTURE_GROUPS) return false;
    law->group[law->n++] = more->group[k], joined = true;
  }
  return joined;
}

void structure_envelope(const StructureLanguage *language, Structure *out) {
  static const char *const linear[] = {".xx", ".yy", ".x", ".y", ".u", ".1"};
  *out = (Structure){0};
  for (int k = 0; k < 6; k++) {
    Structure term;
    read_row(linear[k], language, 0, &term);
    if (structure_fields(out) < language->fields && structure_within(&term, language)) structure_join(out, &term);
  }
}
