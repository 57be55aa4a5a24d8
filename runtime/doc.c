#include "lens.h"
#include "doc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "doc_kinds.h"
#include "doc_math.h"
#include "pde_facts.h"
#include "stdlib_data.h"

const char *const doc_keywords[][2] = {
  {"and", "a and b: both conditions hold"},
  {"or", "a or b: one of the conditions holds"},
  {"not", "not a: the condition does not hold"},
  {"in", "x in range, x in list: membership; for x in list { }"},
  {"by", "a..b by h: a range with its step"},
  {"at", "u at t: the state of a transient solution at a time (linear between steps)"},
  {"to", "E to [unit]: shows a quantity in another unit"},
  {"with", "record with (name: value): a copy with other fields"},
  {"where", "where CONDITION: the places at which it holds, for boundaries and regions"},
  {"on", "on BOUNDARY, ..: CONDITION; on a region in fields; on: PLACE in calls"},
  {"if", "if c { } else if d { } else { }; in expressions: if c then a else b"},
  {"then", "if c then a else b"},
  {"else", "the other branch of if; needs CONDITION else \"reason\""},
  {"for", "for i in 1..10 { }, for (a, b) in pairs { }"},
  {"while", "while c { }"},
  {"return", "ends a function with a value"},
  {"break", "leaves the innermost loop"},
  {"continue", "goes on with the next turn of the innermost loop"},
  {"import", "import \"mechanics/elasticity\", import \"x\" as m: definitions of another file"},
  {"as", "import \"x\" as m"},
  {"assert", "assert c, \"message\": stops the script with status 2 where c does not hold"},
  {"needs", "needs CONDITION else \"reason\": a contract is skipped where it does not apply"},
  {"true", "the bool that holds"},
  {"false", "the bool that does not hold"},
  {"print", "print(a, b): shows values on standard output"},
  {NULL, NULL},
};

void doc_fill(Buf *out, const char *text) {
  size_t column = 0;
  for (const char *s = text; *s;) {
    size_t n = strcspn(s, " ");
    if (column && column + 1 + n > 79) {
      buf_putc(out, '\n');
      column = 0;
    }
    if (column) buf_putc(out, ' ');
    buf_add(out, s, n);
    column += n + (column > 0);
    s += n;
    while (*s == ' ') s++;
  }
  buf_putc(out, '\n');
}

/* --- tables --- */

static const char *print_builtin(Buf *out, const BuiltinRow *row) {
  Buf head = {0};
  buf_printf(&head, "%s%s", row->name, row->signature);
  doc_fill(out, buf_str(&head));
  buf_putc(out, '\n');
  doc_fill(out, row->doc);
  buf_free(&head);
  if (row->example) buf_printf(out, "\nExample\n  %s\n", row->example);
  return "function";
}

static const char *print_geometry(Buf *out, const GeomRow *row) {
  buf_printf(out, "%s(", row->name);
  for (int i = 0; i < 8 && row->params[i].name; i++) {
    buf_printf(out, "%s%s", i ? ", " : "", row->params[i].name);
    if (row->params[i].fallback) buf_printf(out, " = %s", row->params[i].fallback);
  }
  buf_printf(out, ")      geometry, %dD\n\n", row->dim);
  doc_fill(out, row->doc);
  buf_putc(out, '\n');
  for (int i = 0; i < 8 && row->params[i].name; i++) buf_printf(out, "  %-10s %s\n", row->params[i].name, row->params[i].doc ? row->params[i].doc : "");
  for (int i = 0; i < 12 && row->sides[i]; i++) buf_printf(out, "%s %s", i ? "" : "\nBoundaries:", row->sides[i]);
  for (int i = 0; i + 1 < 24 && row->aliases[i]; i += 2) buf_printf(out, "%s%s is %s", i ? ", " : "\nAlso: ", row->aliases[i], row->aliases[i + 1]);
  if (row->example) buf_printf(out, "\n\nExample\n  %s", row->example);
  buf_putc(out, '\n');
  return "geometry";
}

static void print_script(Buf *out, const char *title, const char *script) {
  buf_printf(out, "\n%s\n", title);
  for (const char *line = script; *line;) {
    size_t n = strcspn(line, "\n");
    buf_puts(out, "  ");
    buf_add(out, line, n);
    buf_putc(out, '\n');
    line += n + (line[n] == '\n');
  }
}

static const char *print_code(Buf *out, const DiagRow *row) {
  static const char *const severities[] = {"error", "warning", "note"};
  buf_printf(out, "%s %s: %s\n\n", severities[row->severity], row->code, row->title);
  doc_fill(out, row->doc);
  if (row->bad) print_script(out, "Causes it", row->bad);
  if (row->good) print_script(out, "Mends it", row->good);
  if (row->severity == DIAG_ERROR) buf_printf(out, "\nExit status %d.\n", row->status);
  return "diagnostic";
}

static const char *print_named(Buf *out, const NamedRow *rows, int n, const char *name, const char *kind) {
  for (int i = 0; i < n; i++)
    if (!strcmp(rows[i].name, name)) {
      buf_printf(out, "%s      %s: %s\n\n", rows[i].name, kind, rows[i].title);
      doc_fill(out, rows[i].doc);
      return kind;
    }
  return NULL;
}

static const char *print_table_row(Host *host, Buf *out, const char *name) {
  const GeomRow *geometry = geom_row(name);
  if (geometry) return print_geometry(out, geometry);
  const BuiltinRow *builtin = builtin_find(host, name);
  if (builtin) return print_builtin(out, builtin);
  const DiagRow *code = diag_row_of(name);
  for (int i = 0; !code && i < DIAG_CODES; i++)
    if (!strcmp(diag_rows[i].name, name)) code = &diag_rows[i];
  if (code) return print_code(out, code);
  const Element *element = element_find(name);
  if (element) {
    buf_printf(out, "%s      element of degree %d\n\n%s\n", element->name, element->degree, element->doc);
    return "element";
  }
  int n;
  const NamedRow *rows = scheme_docs(&n);
  const char *kind = print_named(out, rows, n, name, "time scheme");
  if (kind) return kind;
  rows = solver_docs(&n);
  kind = print_named(out, rows, n, name, "solver");
  if (kind) return kind;
  for (const DeclRow *d = decl_rows; d->word; d++)
    if (!strcmp(d->word, name)) {
      buf_printf(out, "%s      declaration: %s%s\n", d->word, d->doc, d->run ? "" : " (read and resolved; not run by this build)");
      doc_kind(out, d->word);
      return "declaration";
    }
  for (int i = 0; doc_keywords[i][0]; i++)
    if (!strcmp(doc_keywords[i][0], name)) {
      buf_printf(out, "%s      %s\n", name, doc_keywords[i][1]);
      return "keyword";
    }
  return NULL;
}

/* --- files --- */

const char *doc_declared_name(const Ast *node) {
  const Ast *target = node->kind == AST_ASSIGN ? node->kid[0] : node->kind == AST_DECL && node->kid[0] && node->kid[0]->n ? node->kid[0]->kid[0] : NULL;
  if (target && target->kind == AST_CALL) target = target->kid[0];
  return target && target->kind == AST_NAME ? target->name : NULL;
}

void doc_declaration(Buf *out, const Source *source, const Ast *decl) {
  const char *text = source->text + (decl->span.start - source->base);
  size_t n = decl->span.end - decl->span.start, head = 0;
  while (head < n && text[head] != '{' && text[head] != '\n') head++;     /* a block is left out, a value is not */
  while (head && text[head - 1] == ' ') head--;
  buf_add(out, text, head);
  buf_putc(out, '\n');
  for (const char *line = decl->doc; line && *line;) {
    size_t k = strcspn(line, "\n");
    buf_puts(out, *line == ' ' ? "   " : "    ");
    buf_add(out, line, k);
    buf_putc(out, '\n');
    line += k + (line[k] == '\n');
  }
}

/* Is `item` one of the rows of the catalogue that the documentation of a contract begins with, as in [BND-RNG, RD-INV]? */
static bool has_tag(const char *doc, const char *item) {
  const char *end = doc && *doc == '[' ? strchr(doc, ']') : NULL;
  for (const char *s = doc; end && s < end;) {
    s += 1 + (s[1] == ' ');
    size_t n = strcspn(s, ",]");
    if (n == strlen(item) && !strncmp(s, item, n)) return true;
    s += n;
  }
  return false;
}

/* item NULL: everything that is not private. Contracts with their formulas. Returns how many were printed. */
static int print_program(Buf *out, const Program *program, const char *item, ExprStyle style) {
  int found = 0;
  for (int i = 0; program->root && i < program->root->n; i++) {
    const Ast *node = program->root->kid[i];
    const char *name = node ? doc_declared_name(node) : NULL;
    if (!name || name[0] == '_' || (item ? strcmp(name, item) && !has_tag(node->doc, item) : node->kind == AST_ASSIGN && !node->doc)) continue;
    if (node->kind == AST_DECL && (!strcmp(node->name, "check") || !strcmp(node->name, "test"))) continue;
    if (found++) buf_putc(out, '\n');
    doc_declaration(out, program->source, node);
    if (node->kind == AST_DECL && !strcmp(node->name, "contract")) doc_contract(out, node, style);
  }
  return found;
}

/* The comment at the head of a file says what it is; one directly above a declaration is that one's. */
static void print_header(Buf *out, const Program *program) {
  const char *start = program->source->text, *s = start;
  while (*s == '#') s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n');
  if (s == start || (*s != '\n' && *s)) return;
  for (const char *line = start; line < s;) {
    size_t n = strcspn(line, "\n"), marks = strspn(line, "#!");
    if (line[marks] == ' ') marks++;
    buf_add(out, line + marks, n - marks);
    buf_putc(out, '\n');
    line += n + (line[n] == '\n');
  }
  buf_putc(out, '\n');
}

static Program *parse_quietly(Host *host, const char *path, const char *text, size_t len) {
  Diags scratch = {.sources = host->sources};
  const Source *source = source_add(host->sources, path, text, len);
  Program *program = source ? parse_program(source, host->names, &scratch, NULL) : NULL;
  diags_free(&scratch);
  return program;
}

static const char *print_file(Host *host, Buf *out, const char *name, ExprStyle style) {
  size_t n = strlen(name);
  const char *why;
  const Source *source = n > 4 && !strcmp(name + n - 4, ".pde") && access(name, R_OK) == 0 ? source_read(host->sources, name, &why) : NULL;
  Program *program = NULL;
  for (int i = 0; !source && !program && i < stdlib_count; i++)
    if (!strcmp(stdlib_files[i].path, name)) program = parse_quietly(host, name, stdlib_files[i].text, stdlib_files[i].len);
  if (source) program = parse_quietly(host, name, source->text, source->len);
  if (!program) return NULL;
  print_header(out, program);
  if (!print_program(out, program, NULL, style)) buf_puts(out, "(nothing is documented here: ## lines above a declaration are its documentation)\n");
  program_release(program);
  return "file";
}

static const char *print_item(Host *host, Buf *out, const char *name, ExprStyle style) {
  const char *kind = NULL;
  for (int i = 0; i < stdlib_count; i++) {
    if (!strstr(stdlib_files[i].text, name)) continue;
    Program *program = parse_quietly(host, stdlib_files[i].path, stdlib_files[i].text, stdlib_files[i].len);
    Buf item = {0};
    if (program && print_program(&item, program, name, style)) {
      buf_printf(out, "%simport \"%s\"\n\n%s", kind ? "\n" : "", stdlib_files[i].path, buf_str(&item));
      kind = "library item";
    }
    buf_free(&item);
    program_release(program);
  }
  return kind;
}

/* --- lists --- */

static const char *summary(const char *doc, Buf *line) {     /* the first sentence */
  buf_clear(line);
  for (const char *s = doc; s && *s && !(*s == '.' && (s[1] == ' ' || !s[1])); s++) buf_putc(line, *s == '\n' ? ' ' : *s);
  return buf_str(line);
}

static void list_builtins(Host *host, Buf *out, Buf *line) {
  (void)host;
  const char *group = "";
  for (int i = 0; i < builtin_count(); i++) {
    const BuiltinRow *row = builtin_at(i);
    if (strcmp(group, row->group)) buf_printf(out, "%s%s\n", i ? "\n" : "", group = row->group);
    buf_printf(out, "  %-16s %s\n", row->name, summary(row->doc, line));
  }
}

static void list_geometries(Host *host, Buf *out, Buf *line) {
  (void)host;
  for (int i = 0; i < geom_row_count; i++) buf_printf(out, "  %-12s %dD  %s\n", geom_rows[i].name, geom_rows[i].dim, summary(geom_rows[i].doc, line));
}

static void list_elements(Host *host, Buf *out, Buf *line) {
  (void)host;
  for (int i = 0; i < element_count; i++) buf_printf(out, "  %-8s %s\n", elements[i].name, summary(elements[i].doc, line));
}

static void list_kinds(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  for (const DeclRow *d = decl_rows; d->word; d++) buf_printf(out, "  %-12s %s%s\n", d->word, d->doc, d->run ? "" : " (not run by this build)");
}

static void list_codes(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  for (int i = 0; i < DIAG_CODES; i++) buf_printf(out, "  %s  %s\n", diag_rows[i].code, diag_rows[i].title);
}

static void list_rows(Buf *out, const NamedRow *rows, int n) {
  for (int i = 0; i < n; i++) buf_printf(out, "  %-16s %s\n", rows[i].name, rows[i].title);
}

static void list_solvers(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  int n;
  const NamedRow *rows = solver_docs(&n);
  list_rows(out, rows, n);
}

static void list_schemes(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  int n;
  const NamedRow *rows = scheme_docs(&n);
  list_rows(out, rows, n);
}

/* What --record keeps: tables of record.def with their columns. */
static void list_records(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  for (int t = 0; t < RECORD_TABLES; t++) {
    buf_printf(out, "%s%s\n", t ? "\n" : "", store_tables[t].name);
    for (int c = 0; c < store_tables[t].n; c++) buf_printf(out, "  %-12s %s\n", store_tables[t].columns[c].name, store_tables[t].columns[c].doc);
    for (int d = 0; d < derived_column_count && t == RECORD_candidates; d++) buf_printf(out, "  %-12s %s\n", derived_columns[d].name, derived_columns[d].doc);
  }
}

static void list_keywords(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  for (int i = 0; doc_keywords[i][0]; i++) buf_printf(out, "  %-10s %s\n", doc_keywords[i][0], doc_keywords[i][1]);
}

static void list_units(Host *host, Buf *out, Buf *line) {
  (void)host;
  (void)line;
  buf_puts(out, "  symbol   value in SI base units       dimension\n");
  unit_print_table(out);
}

static void list_stdlib(Host *host, Buf *out, Buf *line) {
  (void)line;
  for (int i = 0; i < stdlib_count; i++) {
    buf_printf(out, "%s\n", stdlib_files[i].path);
    Program *program = parse_quietly(host, stdlib_files[i].path, stdlib_files[i].text, stdlib_files[i].len);
    for (int k = 0; program && program->root && k < program->root->n; k++) {
      const Ast *node = program->root->kid[k];
      const char *name = node && node->doc ? doc_declared_name(node) : NULL;
      if (name && name[0] != '_') buf_printf(out, "  %-20s %.*s\n", name, (int)strcspn(node->doc, "\n"), node->doc);
    }
    program_release(program);
  }
}

static const struct { const char *name; void (*print)(Host *host, Buf *out, Buf *line); } lists[] = {
  {"builtins", list_builtins}, {"geometries", list_geometries}, {"elements", list_elements}, {"kinds", list_kinds}, {"codes", list_codes},
  {"solvers", list_solvers}, {"schemes", list_schemes}, {"units", list_units}, {"keywords", list_keywords}, {"stdlib", list_stdlib},
  {"records", list_records},
};
enum { LISTS = sizeof lists / sizeof *lists };

/* --- by name --- */

const char *doc_print(Host *host, Buf *out, const char *name, ExprStyle style) {
  for (int i = 0; i < LISTS; i++)
    if (!strcmp(lists[i].name, name)) {
      Buf line = {0};
      lists[i].print(host, out, &line);
      buf_free(&line);
      return "list";
    }
  const char *kind = print_table_row(host, out, name);
  if (!kind) kind = print_file(host, out, name, style);
  Buf items = {0};          /* a contract may share its name with a measure */
  const char *item = !kind || !strcmp(kind, "function") ? print_item(host, &items, name, style) : NULL;
  if (item) buf_printf(out, "%s%s", kind ? "\n" : "", buf_str(&items));
  buf_free(&items);
  return kind ? kind : item;
}

int doc_names(Host *host, Name **out) {
  (void)host;
  int schemes_n, solvers_n, n = 0;
  const NamedRow *schemes = scheme_docs(&schemes_n), *solvers = solver_docs(&solvers_n);
  int max = builtin_count() + geom_row_count + element_count + DIAG_CODES + schemes_n + solvers_n + 64 + stdlib_count + LISTS;
  Name *names = malloc((size_t)max * sizeof *names);
  for (int i = 0; i < builtin_count(); i++) names[n++] = builtin_at(i)->name;
  for (int i = 0; i < geom_row_count; i++) names[n++] = geom_rows[i].name;
  for (int i = 0; i < element_count; i++) names[n++] = elements[i].name;
  for (int i = 0; i < schemes_n; i++) names[n++] = schemes[i].name;
  for (int i = 0; i < solvers_n; i++) names[n++] = solvers[i].name;
  for (const DeclRow *d = decl_rows; d->word; d++) names[n++] = d->word;
  for (int i = 0; doc_keywords[i][0]; i++) names[n++] = doc_keywords[i][0];
  for (int i = 0; i < stdlib_count; i++) names[n++] = stdlib_files[i].path;
  for (int i = 0; i < LISTS; i++) names[n++] = lists[i].name;
  for (int i = 0; i < DIAG_CODES; i++) names[n++] = diag_rows[i].code;
  *out = names;
  return n;
}

void doc_report_unknown(Host *host, const char *name) {
  Name *names;
  int n = doc_names(host, &names);
  Diag *d = diag_report(&host->diags, E0960, (Span){0, 0}, "there is no documentation of `%s`", name);
  Name near = nearest_name(name, names, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, "lists: builtins, geometries, elements, kinds, codes, solvers, schemes, units, keywords, stdlib, records");
  free(names);
}
