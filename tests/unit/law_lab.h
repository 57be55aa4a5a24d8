/* Laws from short texts, for tests: u ux uy uxx uyy uxy, fields C0.. of (x, y), X0.. of x, Y0.. of y, whole numbers, + - * **, dx dy lap tanh sin cos exp. */
#ifndef LAW_LAB_H
#define LAW_LAB_H
#include <ctype.h>

#include "../../lang/law.h"
#include "expr_lab.h"

typedef struct LawLab { LawSpace space; LawUnknown unknown[LAW_FIELDS + 8]; int n; const char *at; } LawLab;

static inline LawLab law_lab(int dim) {
  return (LawLab){.space = {.pool = lab, .dim = dim, .state = nm("u"), .order = LAW_ORDER, .functions = 15, .fields = LAW_FIELDS, .nodes = LAW_NODES}};
}

static Expr *lab_sum(LawLab *l);

static inline Expr *lab_dx(Expr *e, int axis) { return expr_dx(lab, e, axis, UNIT_NONE); }

static inline Expr *lab_name(LawLab *l, const char *word) {
  if (word[0] == 'u') {
    Expr *e = law_state(&l->space);
    for (const char *c = word + 1; *c; c++) e = lab_dx(e, *c == 'y');
    return e;
  }
  Name name = nm(word);
  unsigned domain = l->space.dim == 1 ? LAW_X : word[0] == 'X' ? LAW_X : word[0] == 'Y' ? LAW_Y : word[0] == 'K' ? 0 : LAW_X | LAW_Y;
  int k = 0;
  while (k < l->n && l->unknown[k].name != name) k++;
  if (k == l->n) l->unknown[l->n++] = (LawUnknown){name, domain};
  return law_field(&l->space, k, name);
}

static inline Expr *lab_atom(LawLab *l) {
  char word[16];
  int n = 0;
  if (*l->at == '(') {
    l->at++;
    Expr *e = lab_sum(l);
    l->at++;
    return e;
  }
  if (isdigit((unsigned char)*l->at)) {
    char *end;
    double value = strtod(l->at, &end);
    l->at = end;
    return C(value);
  }
  while (isalnum((unsigned char)*l->at)) word[n++] = *l->at++;
  word[n] = 0;
  if (*l->at != '(') return lab_name(l, word);
  l->at++;
  Expr *a = lab_sum(l);
  l->at++;
  if (!strcmp(word, "dx")) return lab_dx(a, 0);
  if (!strcmp(word, "dy")) return lab_dx(a, 1);
  return un(expr_op_of_function(word), a);
}

static inline Expr *lab_power(LawLab *l) {
  Expr *e = lab_atom(l);
  while (l->at[0] == '*' && l->at[1] == '*') {
    l->at += 2;
    e = bi(EXPR_POW, e, lab_atom(l));
  }
  return e;
}

static inline Expr *lab_product(LawLab *l) {
  if (*l->at == '-') {
    l->at++;
    return neg(lab_product(l));
  }
  Expr *e = lab_power(l);
  while (*l->at == '*' || *l->at == '/') {
    bool by = *l->at++ == '*';
    Expr *b = *l->at == '-' ? lab_product(l) : lab_power(l);
    e = by ? mul(e, b) : quo(e, b);
  }
  return e;
}

static Expr *lab_sum(LawLab *l) {
  Expr *e = lab_product(l);
  while (*l->at == '+' || *l->at == '-') {
    bool plus = *l->at++ == '+';
    Expr *b = lab_product(l);
    e = plus ? add(e, b) : sub(e, b);
  }
  return e;
}

static inline Law *lab_law_or(LawLab *l, const char *text, LawFault *fault) {
  l->n = 0, l->at = text;
  Expr *right = lab_sum(l);
  if (*l->at) fail_msg("%s: not read from %s on", text, l->at);
  return law_new(&l->space, l->unknown, l->n, NULL, right, fault);
}

static inline Law *lab_law(LawLab *l, const char *text) {
  LawFault fault;
  Law *law = lab_law_or(l, text, &fault);
  if (!law) fail_msg("%s: %s", text, fault.found);
  return law;
}

#endif
