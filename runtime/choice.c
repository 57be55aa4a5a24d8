#include "choice.h"

#include <ctype.h>
#include <string.h>

#include "pde_facts.h"

enum { ROWS_MAX = 48 };

static int scheme_words(Name *out) {
  int n;
  const NamedRow *rows = scheme_docs(&n);
  for (int i = 0; i < n; i++) out[i] = rows[i].name;
  return n;
}

static int solver_words(Name *out) {
  int n;
  const NamedRow *rows = solver_docs(&n);
  for (int i = 0; i < n; i++) out[i] = rows[i].name;
  return n;
}

static int norm_words(Name *out) {
  static const char *const norms[] = {"L2", "H1", "H1semi", "Linf"};
  for (int i = 0; i < 4; i++) out[i] = norms[i];
  return 4;
}

static int cell_words(Name *out) {
  static const char *const kinds[] = {"tri", "tet", "quad", "hex"};
  for (int i = 0; i < 4; i++) out[i] = kinds[i];
  return 4;
}

static const struct Choice {
  const char *param, *fallback;     /* its name, and its default where others have that name too */
  int (*words)(Name *out);
  DiagCode code;
  const char *what, *many;
} choices[] = {
  {"scheme", NULL, scheme_words, E2009, "time scheme", "schemes are"},
  {"solver", NULL, solver_words, E2004, "solver", "solvers are"},
  {"kind", "L2", norm_words, E0505, "norm", "norms are"},
  {"norm", NULL, norm_words, E0505, "norm", "norms are"},
  {"kind", "none", cell_words, E1060, "kind of cells", "kinds are"},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static const struct Choice *choice_of(const BuiltinParam *param) {
  for (int i = 0; i < CHOICES && !strcmp(param->type, "word"); i++)
    if (!strcmp(choices[i].param, param->name) && (!choices[i].fallback || !param->fallback || !strcmp(param->fallback, choices[i].fallback))) return &choices[i];
  return NULL;
}

bool choice_exists(const BuiltinParam *param) { return choice_of(param) != NULL; }

static bool among(const Name *names, int n, const char *word) {
  for (int i = 0; i < n; i++)
    if (!strcmp(names[i], word)) return true;
  return false;
}

bool choice_has(const char *word) {
  Name names[ROWS_MAX];
  for (int i = 0; i < CHOICES; i++)
    if (among(names, choices[i].words(names), word)) return true;
  return false;
}

bool choice_likely(const BuiltinParam *param, const char *word) {
  const struct Choice *choice = choice_of(param);
  Name names[ROWS_MAX];
  if (!choice) return false;
  int n = choice->words(names);
  return isupper((unsigned char)*word) || nearest_name(word, names, n);
}

bool choice_check(Eval *ev, const BuiltinParam *param, const Value *v, Span span) {
  const struct Choice *choice = choice_of(param);
  const char *word = v->kind == VALUE_WORD ? v->word : v->kind == VALUE_STRING ? v->text : NULL;
  Name names[ROWS_MAX];
  int n = choice && word ? choice->words(names) : 0;
  if (!n || among(names, n, word)) return true;
  Diag *d = diag_report(&ev->host->diags, choice->code, span, "there is no %s `%s`", choice->what, word);
  Buf list = {0};
  for (int i = 0; i < n; i++) buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
  Name near = nearest_name(word, names, n);
  diag_note(d, (Span){0, 0}, "%s %s", choice->many, buf_str(&list));
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else if (choice->words == solver_words) diag_suggest(d, "leave `solver:` out: one is chosen by the class and size of the problem");
  else if (choice->words == cell_words) diag_suggest(d, "leave `kind:` out for triangles and tetrahedra");
  else if (choice->words == scheme_words) diag_suggest(d, "`pde doc schemes` says what each does");
  buf_free(&list);
  return false;
}
