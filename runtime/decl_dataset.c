/* dataset d { file: "cases.h5"; inputs: fx, fy; outputs: u } */
#include <stdlib.h>
#include <string.h>

#include "dataset.h"

static bool read_names(Eval *ev, const Ast *clause, Name **out, int *n) {
  const Ast *phrase = clause->kid[1];
  *out = calloc((size_t)phrase->n + 1, sizeof **out);
  for (int i = 0; i < phrase->n; i++) {
    if (phrase->kid[i]->kind != AST_NAME) {
      diag_suggest(diag_report(&ev->host->diags, E0209, phrase->kid[i]->span, "names of arrays stand here"), "as in `inputs: fx, fy`");
      return false;
    }
    (*out)[(*n)++] = phrase->kid[i]->name;
  }
  return true;
}

static bool read_file_name(Eval *ev, const Ast *clause, char **out, Span *span) {
  Value *v = clause->kid[1]->n == 1 ? eval_expr(ev, clause->kid[1]->kid[0]) : value_none();
  bool fine = v->kind == VALUE_STRING || v->kind == VALUE_UNKNOWN;
  if (!fine && !is_poison(v)) diag_suggest(diag_report(&ev->host->diags, E0209, clause->span, "`file:` is the name of one file"), "as in `file: \"cases.h5\"`");
  if (v->kind == VALUE_STRING && v->known) fine = (*out = host_input_path(ev, v->text, clause->span)) != NULL;
  *span = clause->span;
  value_release(v);
  return fine;
}

static bool read_clause(Eval *ev, DatasetValue *data, const Ast *s, char **path, bool *has_file, Span *span) {
  Name word = s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME ? s->kid[0]->name : "";
  if (!strcmp(word, "file")) return *has_file = true, read_file_name(ev, s, path, span);
  if (!strcmp(word, "inputs") && !data->inputs) return read_names(ev, s, &data->inputs, &data->ninputs);
  if (!strcmp(word, "outputs") && !data->outputs) return read_names(ev, s, &data->outputs, &data->noutputs);
  diag_suggest(diag_report(&ev->host->diags, E0202, s->span, *word ? "a dataset has no option `%s`, or not twice" : "this is no clause of a dataset%s", word), "it has file:, inputs: and outputs:");
  return false;
}

Flow decl_dataset(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  const Ast *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!item || item->kind != AST_NAME || !block) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`dataset` is written otherwise"), "as in `dataset d { file: \"cases.h5\"; inputs: fx, fy; outputs: u }`");
    return FLOW_STOP;
  }
  Value *v = dataset_value(NULL);
  DatasetValue *data = v->dataset;
  data->name = item->name;
  char *path = NULL;
  bool fine = true, has_file = false;
  Span span = decl->span;
  for (int i = 0; i < block->n && fine; i++)
    if (block->kid[i]) fine = read_clause(ev, data, block->kid[i], &path, &has_file, &span);
  if (fine && !has_file) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "the dataset `%s` has no file", item->name), "as in `file: \"cases.h5\"`");
    fine = false;
  }
  if (fine && !ev->dry) {
    data->cases = path ? dataset_read(ev, path, data->inputs, data->ninputs, data->outputs, data->noutputs, span) : NULL;
    v->known = fine = data->cases != NULL;
  }
  free(path);
  if (!fine) {
    value_release(v);
    v = value_poison();
  }
  scope_set(ev->scope, item->name, v, item->span)->decl = decl;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}
