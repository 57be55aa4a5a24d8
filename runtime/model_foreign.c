#include "model_foreign.h"

#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "foreign.h"

static const char *const kinds[] = {"process", "library", "file"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static Name option_of(const Ast *s) { return s && s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME ? s->kid[0]->name : NULL; }

const char *model_foreign_kind(const Ast *block) {
  for (int i = 0; i < block->n; i++)
    for (int k = 0; k < KINDS; k++) {
      Name word = option_of(block->kid[i]);
      if (word && !strcmp(word, kinds[k])) return kinds[k];
    }
  return NULL;
}

static Value *only_value(Eval *ev, const Ast *clause) { return clause->kid[1]->n == 1 ? eval_expr(ev, clause->kid[1]->kid[0]) : value_none(); }

static bool read_text(Eval *ev, const Ast *clause, ModelForeign *f) {
  Value *v = only_value(ev, clause);
  bool fine = v->kind == VALUE_STRING || v->kind == VALUE_UNKNOWN;
  if (!fine && !is_poison(v)) diag_suggest(diag_report(&ev->host->diags, E0209, clause->span, "`%s:` is a text", f->kind), !strcmp(f->kind, "process") ? "as in process: \"python3 predict.py\"" : !strcmp(f->kind, "library") ? "as in library: \"./p.so\"" : "as in file: \"cases.h5\"");
  if (v->kind == VALUE_STRING && v->known) f->text = strdup(v->text);
  f->span = clause->span;
  value_release(v);
  return fine;
}

/* timeout: 30 [s] (or wall:), memory: 2e9 (bytes) */
static bool read_limit(Eval *ev, const Ast *clause, Unit unit, const char *what, double *out) {
  Value *v = only_value(ev, clause);
  Unit plain = v->kind == VALUE_NUMBER && unit_is_none(v->unit) ? UNIT_NONE : unit;      /* a program without units gives seconds as they are */
  bool fine = is_poison(v) ? false : v->kind == VALUE_UNKNOWN || eval_to_number(ev, v, clause->span, what, plain, out);
  if (fine && v->kind == VALUE_NUMBER && v->known && !(*out > 0)) {
    diag_report(&ev->host->diags, E0506, clause->span, "%s is a positive number", what);
    fine = false;
  }
  value_release(v);
  return fine;
}

/* precision: single or double: what the model computes in, whatever it sends */
static bool read_precision(Eval *ev, const Ast *clause, ModelValue *m) {
  const Ast *word = clause->kid[1]->n == 1 ? clause->kid[1]->kid[0] : NULL;
  bool single = word && word->kind == AST_NAME && !strcmp(word->name, "single"), fine = single || (word && word->kind == AST_NAME && !strcmp(word->name, "double"));
  if (!fine) diag_suggest(diag_report(&ev->host->diags, E0209, clause->span, "a precision is single or double"), "write `precision: single`");
  m->single = single;
  return fine;
}

static bool is_precision(const Ast *s) { return option_of(s) && !strcmp(option_of(s), "precision"); }

static bool read_clause(Eval *ev, ModelForeign *f, const Ast *s) {
  Name word = option_of(s);
  UnitScale second;
  unit_symbol("s", &second);
  bool process = !strcmp(f->kind, "process");
  if (word && !strcmp(word, f->kind) && !f->span.end) return read_text(ev, s, f);
  if (word && process && (!strcmp(word, "timeout") || !strcmp(word, "wall"))) return read_limit(ev, s, second.unit, "the time for a batch", &f->timeout);
  if (word && process && !strcmp(word, "memory")) return read_limit(ev, s, UNIT_NONE, "the memory, in bytes,", &f->memory);
  diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "a model given by `%s:` has nothing else of this kind", f->kind), process ? "it has process:, timeout:, memory: and precision:" : "a program has timeout: and memory: beside process:");
  return false;
}

bool model_foreign_read(Eval *ev, ModelValue *m, const Ast *block) {
  ModelForeign *f = m->foreign = calloc(1, sizeof *f);
  const char *path = ev->module->program ? ev->module->program->source->path : "", *slash = strrchr(path, '/');
  f->kind = model_foreign_kind(block);
  f->directory = slash ? strndup(path, (size_t)(slash - path + (slash == path))) : NULL;
  m->kind = strcmp(f->kind, "file") ? f->kind : "record";
  for (int i = 0; i < block->n; i++)
    if (block->kid[i] && !(is_precision(block->kid[i]) ? read_precision(ev, block->kid[i], m) : read_clause(ev, f, block->kid[i]))) return false;
  return true;
}

/* What a program does is not bounded by anything here: a host that bounds scripts starts none for them. */
static bool may_run(Host *host, const ModelForeign *f) {
  const Limits *limits = &host->limits;
  if (!limits->files && !limits->offline && !(limits->seconds > 0) && !limits->memory) return true;
  diag_report(&host->diags, E0567, f->span, "this host keeps scripts within limits, so they neither start programs nor load libraries");
  return false;
}

Predictor *model_foreign_open(Eval *ev, ModelValue *m, const MapSpec *spec) {
  const ModelForeign *f = m->foreign;
  ForeignOptions options = {.timeout = f->timeout, .memory = f->memory, .directory = f->directory, .interrupt = &ev->host->interrupt, .diags = &ev->host->diags, .span = f->span};
  Predictor *p = NULL;
  if (strcmp(f->kind, "file") && !may_run(ev->host, f)) return NULL;
  if (!strcmp(f->kind, "process")) return foreign_process(spec, f->text, &options, &p) ? NULL : p;
  if (!strcmp(f->kind, "library")) return foreign_library(spec, f->text, &options, &p) ? NULL : p;
  char *path = host_input_path(ev, f->text, f->span);
  Cases *cases = path ? dataset_read(ev, path, NULL, 0, NULL, 0, f->span) : NULL;
  if (cases && foreign_record(spec, cases, path, &options, &p)) p = NULL;
  free(path);
  return p;
}

void model_foreign_free(ModelForeign *f) {
  if (!f) return;
  free(f->text);
  free(f->directory);
  free(f);
}
