/* Hypotheses from text: read in the scope of the workspace's own declaration, which the record keeps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"
#include "discover_internal.h"
#include "hypothesis.h"

enum { LONGEST = 65536 };            /* bytes of a hypothesis */

static const Span nowhere;

typedef struct Kept { LawFault fault; char *text; } Kept;     /* of a candidate that was handed out */

/* The declaration, checked once; what was read since. */
typedef struct DiscoverReader {
  Module *module;
  Kept **kept; int n;
} DiscoverReader;

void discover_reader_free(DiscoverReader *r) {
  if (!r) return;
  for (int i = 0; i < r->n; i++) {
    free(r->kept[i]->text);
    free(r->kept[i]);
  }
  free(r->kept);
  free(r);
}

static Kept *keep(DiscoverReader *r, char *text) {
  r->kept = realloc(r->kept, (size_t)(r->n + 1) * sizeof *r->kept);
  Kept *kept = r->kept[r->n++] = calloc(1, sizeof *kept);
  kept->text = text;
  return kept;
}

static DiscoverReader *reader(Discover *d) {
  if (d->reader) return d->reader;
  Host *host = d->host;
  d->reader = calloc(1, sizeof *d->reader);
  const Source *source = source_add(host->sources, "<workspace>", d->work->declaration, strlen(d->work->declaration));
  Program *program = source ? parse_program(source, host->names, &host->diags, NULL) : NULL;
  if (!program) return d->reader;
  d->reader->module = module_add(host, intern_text(host->names, "<workspace>"), program);
  module_run(host, d->reader->module, true);
  return d->reader;
}

/* ---- the text ---- */

static bool is_hypothesis(const Ast *node) { return node && node->kind == AST_DECL && !strcmp(node->name, "hypothesis"); }

static Ast *new_node(Arena *arena, AstKind kind, Span span, Name name, Ast **kid, int n) {
  Ast *node = ARENA_NEW(arena, Ast);
  *node = (Ast){.kind = (uint8_t)kind, .span = span, .name = name, .n = n, .kid = kid, .height = 1};
  for (int i = 0; i < n; i++)
    if (kid[i] && kid[i]->height >= node->height) node->height = kid[i]->height + 1;
  return node;
}

/* hypothesis candidate for DISCOVERY { the statements of the file } */
static const Ast *wrap(Discover *d, const Program *program) {
  Interner *names = d->host->names;
  Span span = program->root->span;
  Ast **items = ARENA_ARRAY(program->arena, Ast *, 2), **kids = ARENA_ARRAY(program->arena, Ast *, 3);
  items[0] = new_node(program->arena, AST_NAME, span, intern_text(names, "candidate"), NULL, 0);
  items[1] = new_node(program->arena, AST_NAME, span, intern_text(names, d->work->discovery), NULL, 0);
  items[1]->flags = AST_WITH_FOR;
  kids[0] = new_node(program->arena, AST_PHRASE, span, NULL, items, 2);
  kids[2] = program->root;
  return new_node(program->arena, AST_DECL, span, intern_text(names, "hypothesis"), kids, 3);
}

static const Ast *declaration(Discover *d, const Program *program) {
  const Ast *root = program->root, *found = NULL;
  int hypotheses = 0, others = 0;
  for (int i = 0; i < root->n; i++)
    if (is_hypothesis(root->kid[i])) found = root->kid[i], hypotheses++;
    else if (root->kid[i]) others++;
  if (hypotheses == 1 && !others) return found;
  if (!hypotheses) return wrap(d, program);
  diag_suggest(diag_report(&d->host->diags, E4052, root->span, "`%s` holds %s", program->source->path, hypotheses > 1 ? "several hypotheses" : "more than one hypothesis"),
               "a file holds one hypothesis, or the lines between its braces");
  return NULL;
}

/* As the archive keeps it: a declaration that can be read again. */
static char *declaration_text(Discover *d, const Source *source, const Ast *decl) {
  Buf text = {0};
  size_t at = decl->span.start - source->base, n = decl->span.end - decl->span.start;
  bool whole = !strncmp(source->text + at, "hypothesis", 10);
  if (!whole) buf_printf(&text, "hypothesis candidate for %s {\n", d->work->discovery);
  buf_add(&text, source->text + (whole ? at : 0), whole ? n : source->len);
  if (!whole) buf_puts(&text, text.len && text.text[text.len - 1] == '\n' ? "}" : "\n}");
  char *copy = strdup(buf_str(&text));
  buf_free(&text);
  return copy;
}

/* ---- reading ---- */

static const Value *read(Discover *d, const Program *program, const Ast *decl, Scope *base) {
  Host *host = d->host;
  Module *module = module_add(host, intern_text(host->names, program->source->path), (Program *)program);
  module->dry_scope = scope_new(SCOPE_FILE, NULL);
  Slot *known = scope_find_own(base, intern_text(host->names, d->work->discovery));
  if (known) scope_set(module->dry_scope, known->name, known->value, known->span);
  Eval ev = {.host = host, .module = module, .scope = module->dry_scope, .dry = true, .at_time = NAN};
  eval_statement(&ev, decl, NULL);
  value_release(ev.returned);
  for (int i = 0; i < module->dry_scope->n; i++)
    if (module->dry_scope->slots[i].value->kind == VALUE_HYPOTHESIS) return module->dry_scope->slots[i].value;
  return NULL;
}

/* What was reported is the fault of a candidate. */
static DiscoverCandidate refused(Discover *d, char *text, const Diag *why) {
  Kept *kept = keep(d->reader, text);
  kept->fault.code = why ? why->code : E4001;
  if (why) snprintf(kept->fault.found, sizeof kept->fault.found, "%s", why->message);
  return (DiscoverCandidate){.fault = &kept->fault, .reported = true, .text = text};
}

/* The first error since there were `before` reports. */
static const Diag *first_error(const Diags *diags, int before) {
  for (int i = before; i < diags->n; i++)
    if (diags->items[i]->severity == DIAG_ERROR) return diags->items[i];
  return diags_last_error(diags);
}

void discover_read(Discover *d, const char *text, size_t len, const char *path, DiscoverCandidate *out) {
  Host *host = d->host;
  DiscoverReader *r = reader(d);
  int errors = host->diags.nerrors, before = host->diags.n;
  if (len > LONGEST) {     /* neither what it holds nor how long it is: it may be anything */
    diag_report(&host->diags, E4052, nowhere, "`%s` is longer than %d kB, so it is no hypothesis", path, LONGEST >> 10);
    *out = refused(d, strdup(""), diags_last_error(&host->diags));
    return;
  }
  const Source *source = source_add(host->sources, intern_text(host->names, path), text, len);
  Program *program = source ? parse_program(source, host->names, &host->diags, NULL) : NULL;
  const Ast *decl = program && host->diags.nerrors == errors ? declaration(d, program) : NULL;
  const Value *hypothesis = decl && r->module ? read(d, program, decl, r->module->dry_scope) : NULL;
  if (!decl || !r->module) program_release(program);      /* else a module has it */
  if (!hypothesis || host->diags.nerrors > errors) {
    *out = refused(d, strndup(text, len), first_error(&host->diags, before));
    return;
  }
  *out = declared_candidate(hypothesis);
  out->text = keep(r, declaration_text(d, source, decl))->text;
}

/* ---- out of the archive ---- */

static Status unknown(Discover *d, const char *id, const char *why) {
  diag_suggest(diag_report(&d->host->diags, E4049, nowhere, "`%s` %s", id, why), "`pde history` lists the candidates with their ids");
  return 1;
}

Status discover_of_id(Discover *d, const char *id, DiscoverCandidate *out) {
  enum { SHORTEST = 4 };
  Cell bind = cell_text(id);
  StoreRows rows = {0};
  if (strlen(id) < SHORTEST) return unknown(d, id, "is no id of a candidate");
  TRY(store_select(d->work->store, "SELECT id, MAX(text) FROM candidates WHERE substr(id, 1, length(?1)) = ?1 GROUP BY id", &bind, 1, &rows));
  Status status = rows.nrows == 1 ? 0 : unknown(d, id, rows.nrows ? "begins the ids of several candidates" : "is no candidate of the archive");
  const Cell *text = rows.nrows == 1 ? store_cell(&rows, 0, 1) : NULL;
  if (!status && text->kind != CELL_TEXT) status = unknown(d, id, "has no text in the archive");
  if (!status) discover_read(d, text->text, strlen(text->text), "<archive>", out);
  if (!status && !out->law) status = out->reported ? 1 : unknown(d, id, "is no hypothesis of the language");
  store_rows_free(&rows);
  return status;
}
