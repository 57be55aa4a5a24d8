/* Declarations of views: clauses into a View. */
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "lens.h"
#include "record.h"

const BuiltinView builtin_views[] = {
#define VIEW(name, table, title, text) {#name, table, title, text},
#include "view.def"
#undef VIEW
};
const int builtin_view_count = sizeof builtin_views / sizeof *builtin_views;

static bool refuse(Eval *ev, Span span, const char *found, const char *example) {
  diag_suggest(diag_report(&ev->host->diags, E3210, span, "%s", found), "as in `%s`", example);
  return false;
}

/* --- names --- */

static bool read_name(const Ast *node, ViewName *out) {
  if (node->kind == AST_NAME) *out = (ViewName){NULL, node->name, node->span};
  else if (node->kind == AST_MEMBER && node->kid[0]->kind == AST_NAME) *out = (ViewName){node->kid[0]->name, node->name, node->span};
  else return false;
  return true;
}

static bool is_word(const Ast *node, const char *word) { return node->kind == AST_NAME && !(node->flags & AST_AFTER_COMMA) && !strcmp(node->name, word); }

static bool read_names(Eval *ev, const Ast *decl, ViewName **names, int *n) {
  const Ast *phrase = decl->kid[0];
  for (int i = 0; i < phrase->n; i++) {
    *names = realloc(*names, (size_t)(*n + 1) * sizeof **names);
    if (!read_name(phrase->kid[i], &(*names)[*n]) || (i && !(phrase->kid[i]->flags & AST_AFTER_COMMA)))
      return refuse(ev, phrase->kid[i]->span, "names of columns and tables stand here, with commas between them", "hide sealed, truth");
    (*n)++;
  }
  return true;
}

/* --- columns: NAME, NAME "format", NAME to [unit] --- */

static Name source_text(Eval *ev, Span span) {
  const Source *source = source_of(ev->host->sources, span);
  return source ? intern(ev->host->names, source->text + (span.start - source->base), span.end - span.start) : NULL;
}

static bool read_column(Eval *ev, const Ast *node, ViewColumn *out) {
  *out = (ViewColumn){0};
  if (node->kind == AST_BINARY && node->op == OP_TO) {
    if (!read_name(node->kid[0], &out->of) || node->kid[1]->kind != AST_LIST || node->kid[1]->n != 1)
      return refuse(ev, node->span, "a column is converted by the name of a unit", "table printed: name, value to [mm]");
    out->unit_text = source_text(ev, node->kid[1]->kid[0]->span);
    return eval_unit(ev, node->kid[1]->kid[0], &out->unit);
  }
  if (read_name(node, &out->of)) return true;
  return refuse(ev, node->span, "a column is named here", "table verdicts: contract, ratio \".3g\"");
}

static bool add_column(Eval *ev, ViewBlock *b, const Ast *node) {
  b->columns = realloc(b->columns, (size_t)(b->ncolumns + 1) * sizeof *b->columns);
  if (!read_column(ev, node, &b->columns[b->ncolumns])) return false;
  b->ncolumns++;
  return true;
}

static bool set_format(Eval *ev, ViewBlock *b, const Ast *node) {
  char format[24];
  if (!b->ncolumns || !number_format(node->text, format, sizeof format))
    return refuse(ev, node->span, b->ncolumns ? "this is no format of a number" : "a format follows its column", "ratio \".3g\"");
  b->columns[b->ncolumns - 1].format = intern_text(ev->host->names, node->text);
  return true;
}

/* --- where --- */

static bool add_filter(Eval *ev, ViewBlock *b, const Ast *left, AstOp op, const Ast *right, Span span) {
  ViewFilter f = {.op = op};
  bool negative = right->kind == AST_UNARY && right->op == OP_NEG;
  const Ast *number = negative ? right->kid[0] : right;
  bool fine = read_name(left, &f.of);
  if (right->kind == AST_STRING) f.text = intern_text(ev->host->names, right->text);
  else if (number->kind == AST_BOOL) f.number = number->number;
  else if (number->kind == AST_NUMBER) {
    UnitScale unit = {.scale = 1};
    if (number->n && number->kid[0] && !eval_unit(ev, number->kid[0], &unit)) return false;
    f.number = (negative ? -1 : 1) * number->number * unit.scale + unit.offset;
  } else fine = false;
  if (!fine) return refuse(ev, span, "a column is compared with a number or text here", "where status == \"fail\" and ratio > 1");
  b->where = realloc(b->where, (size_t)(b->nwhere + 1) * sizeof *b->where);
  b->where[b->nwhere++] = f;
  return true;
}

static bool read_condition(Eval *ev, ViewBlock *b, const Ast *c) {
  if (c->kind == AST_PAREN) return read_condition(ev, b, c->kid[0]);
  if (c->kind == AST_BINARY && c->op == OP_AND) return read_condition(ev, b, c->kid[0]) && read_condition(ev, b, c->kid[1]);
  if (c->kind == AST_EQUATION) return add_filter(ev, b, c->kid[0], OP_NONE, c->kid[1], c->span);
  bool comparison = c->kind == AST_BINARY && (c->op == OP_LT || c->op == OP_GT || c->op == OP_LE || c->op == OP_GE || c->op == OP_NE);
  if (comparison) return add_filter(ev, b, c->kid[0], c->op, c->kid[1], c->span);
  return refuse(ev, c->span, "a condition of a view compares columns with numbers or text", "where status == \"fail\" and ratio > 1");
}

/* --- sort, limit --- */

static bool read_sort(Eval *ev, ViewBlock *b, const Ast *phrase, int *i) {
  for (bool first = true; *i < phrase->n && (first || (phrase->kid[*i]->flags & AST_AFTER_COMMA)); first = false) {
    b->sort = realloc(b->sort, (size_t)(b->nsort + 1) * sizeof *b->sort);
    ViewSort *s = &b->sort[b->nsort];
    *s = (ViewSort){0};
    if (phrase->kid[*i]->kind == AST_WHERE) break;
    if (!read_name(phrase->kid[*i], &s->of)) return refuse(ev, phrase->kid[*i]->span, "the rows are sorted by a column", "sort ratio descending");
    b->nsort++;
    (*i)++;
    if (*i < phrase->n && is_word(phrase->kid[*i], "descending")) s->descending = true, (*i)++;
    else if (*i < phrase->n && is_word(phrase->kid[*i], "ascending")) (*i)++;
  }
  return b->nsort > 0 || refuse(ev, phrase->span, "`sort` names a column", "sort ratio descending");
}

static bool read_limit(Eval *ev, ViewBlock *b, const Ast *phrase, int *i) {
  const Ast *node = *i < phrase->n ? phrase->kid[*i] : NULL;
  double n = node && node->kind == AST_NUMBER && !(node->n && node->kid[0]) ? node->number : 0;
  if (!(n >= 1 && n <= 1e7 && n == floor(n))) return refuse(ev, node ? node->span : phrase->span, "`limit` is a number of rows from 1 to 10,000,000", "limit 10");
  b->limit = (long)n;
  (*i)++;
  return true;
}

/* Items of a phrase from `i` on: columns, then `sort`, `limit`, `where`, and the words of a plot. */
static bool read_items(Eval *ev, ViewBlock *b, const Ast *phrase, int i, bool columns) {
  while (i < phrase->n) {
    const Ast *item = phrase->kid[i];
    if (item->kind == AST_WHERE) {
      if (!read_condition(ev, b, item->kid[0])) return false;
      i++;
    } else if (is_word(item, "sort") || is_word(item, "limit")) {
      i++;
      columns = false;
      if (!(is_word(item, "sort") ? read_sort : read_limit)(ev, b, phrase, &i)) return false;
    } else if (b->kind == VIEW_PLOT && (is_word(item, "logx") || is_word(item, "logy") || is_word(item, "front"))) {
      *(is_word(item, "logx") ? &b->logx : is_word(item, "logy") ? &b->logy : &b->front) = true;
      i++;
    } else if (b->kind == VIEW_PLOT && is_word(item, "against") && i + 1 < phrase->n && !b->x.name) {
      if (!read_name(phrase->kid[i + 1], &b->x)) return refuse(ev, phrase->kid[i + 1]->span, "a column is named here", "plot score against viol_max");
      i += 2;
    } else if (b->kind == VIEW_MAP && is_word(item, "of") && i + 1 < phrase->n && phrase->kid[i + 1]->kind == AST_NAME) {
      b->of = phrase->kid[i + 1]->name;
      i += 2;
    } else if (item->kind == AST_STRING && !(item->flags & AST_AFTER_COMMA)) {
      if (!set_format(ev, b, item)) return false;
      i++;
    } else if (columns && (!b->ncolumns || (item->flags & AST_AFTER_COMMA))) {
      if (!add_column(ev, b, item)) return false;
      i++;
    } else {
      return refuse(ev, item->span, columns ? "a comma stands between columns; the words after them are `sort`, `limit` and `where`" : "this stands behind the columns, where nothing like it is read",
                    "table verdicts: contract, ratio sort ratio descending limit 10");
    }
  }
  return true;
}

static bool read_table(Eval *ev, ViewBlock *b, const Ast *s) {
  const Ast *phrase = s->kid[0], *columns = s->n > 1 ? s->kid[1] : NULL;
  if (!read_name(phrase->kid[0], &b->table) || (columns && (phrase->n > 1 || columns->kind != AST_PHRASE)))
    return refuse(ev, s->span, "`table` names a table and its columns", "table verdicts: contract, status, ratio");
  return columns ? read_items(ev, b, columns, 0, true) : read_items(ev, b, phrase, 1, false);
}

/* --- blocks --- */

static const struct { const char *word; ViewKind kind; } block_words[] = {{"table", VIEW_TABLE}, {"plot", VIEW_PLOT}, {"map", VIEW_MAP}, {"value", VIEW_VALUE}};

static bool read_block(Eval *ev, View *view, const Ast *s, ViewKind kind) {
  view->blocks = realloc(view->blocks, (size_t)(view->nblocks + 1) * sizeof *view->blocks);
  ViewBlock *b = &view->blocks[view->nblocks++];
  *b = (ViewBlock){.kind = kind, .span = s->span};
  if (kind == VIEW_TABLE) return read_table(ev, b, s);
  if (s->n > 1 && s->kid[1]) return refuse(ev, s->span, "there is no colon in this clause", "plot score against viol_max");
  return read_items(ev, b, s->kid[0], 0, true);
}

static bool read_clause(Eval *ev, View *view, const Ast *s) {
  bool decl = s->kind == AST_DECL && s->kid[0] && s->kid[0]->n && !(s->n > 2 && s->kid[2]);
  if (decl && !strcmp(s->name, "show")) return read_names(ev, s, &view->show, &view->nshow);
  if (decl && !strcmp(s->name, "hide")) return read_names(ev, s, &view->hide, &view->nhide);
  if (decl && !strcmp(s->name, "title") && s->kid[0]->n == 1 && s->kid[0]->kid[0]->kind == AST_STRING) {
    view->title = intern_text(ev->host->names, s->kid[0]->kid[0]->text);
    return true;
  }
  for (size_t k = 0; decl && k < sizeof block_words / sizeof *block_words; k++)
    if (!strcmp(s->name, block_words[k].word)) return read_block(ev, view, s, block_words[k].kind);
  return refuse(ev, s->span, "a view has the clauses show, hide, title, table, plot, map and value", "table verdicts: contract, status sort ratio limit 10");
}

View *view_read(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  bool head = phrase && phrase->n == 3 && phrase->kid[0]->kind == AST_NAME && is_word(phrase->kid[1], "of") && phrase->kid[2]->kind == AST_NAME && block;
  if (!head) {
    refuse(ev, decl->span, "a view has a name, a subject and a block", "view report of run { table verdicts: contract, status }");
    return NULL;
  }
  View *view = calloc(1, sizeof *view);
  view->name = phrase->kid[0]->name;
  view->subject = phrase->kid[2]->name;
  bool fine = true;
  for (int i = 0; i < block->n; i++)
    if (block->kid[i]) fine &= read_clause(ev, view, block->kid[i]);
  if (fine) return view;
  view_free(view);
  return NULL;
}

void view_free(View *view) {
  if (!view) return;
  for (int i = 0; i < view->nblocks; i++) {
    free(view->blocks[i].columns);
    free(view->blocks[i].sort);
    free(view->blocks[i].where);
  }
  free(view->blocks);
  free(view->show);
  free(view->hide);
  free(view);
}

bool view_shows_all(const View *view) { return !view->nshow && !view->nhide; }

/* --- the declaration --- */

static bool subject_known(Eval *ev, const View *view, Span span) {
  Slot *slot = scope_lookup(ev, view->subject);
  if (slot) slot->used = true;
  bool imported = ev->module != ev->host->modules[0];      /* of an imported file only definitions run */
  if (slot || imported || !strcmp(view->subject, "run")) return true;
  Diag *d = diag_report(&ev->host->diags, E0101, span, "there is no `%s` to make a view of", view->subject);
  diag_suggest(d, "name a solution, study or search of the script, or `run` for everything");
  return false;
}

Flow decl_view(Eval *ev, const Ast *decl) {
  View *view = view_read(ev, decl);
  bool fine = view && subject_known(ev, view, decl->kid[0]->kid[2]->span);
  if (fine && ev->dry) fine = lens_check(ev, view);
  Value *v = value_new(fine ? VALUE_VIEW : VALUE_POISON);
  if (fine) {
    v->view = view;
    ev->host->has_views = true;
    if (!ev->dry && ev->host->interactive && !ev->host->record) record_start(ev->host, NULL, "session", NULL);
    Slot *slot = scope_set(ev->scope, view->name, v, decl->kid[0]->kid[0]->span);
    slot->decl = decl;
    slot->used = true;       /* for who looks at the record */
  } else {
    const Ast *name = decl->kid[0] && decl->kid[0]->n ? decl->kid[0]->kid[0] : NULL;
    if (name && name->kind == AST_NAME) scope_set(ev->scope, name->name, v, name->span)->decl = decl;
    view_free(view);
  }
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}
