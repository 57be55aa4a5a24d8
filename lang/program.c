/* Parsing of a whole source: owns the escape from memory failures, attaches doc lines, hands out the program. */
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "scan.h"

/* The comment that ends last at or before a position. */
static int comment_before(const Program *program, uint32_t offset) {
  int lo = 0, hi = program->ncomments;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (program->comments[mid].span.end <= offset) lo = mid + 1;
    else hi = mid;
  }
  return lo - 1;
}

/* Whether only blanks and one line end lie between two positions. */
static bool next_line(const Source *s, uint32_t from, uint32_t to) {
  int lines = 0;
  for (uint32_t i = from - s->base; i < to - s->base; i++) {
    if (s->text[i] == '\n') lines++;
    else if (s->text[i] != ' ' && s->text[i] != '\t' && s->text[i] != '\r') return false;
  }
  return lines == 1;
}

/* The ## lines directly above a statement. */
static const char *doc_above(const Program *program, const Ast *statement) {
  const Source *s = program->source;
  int last = comment_before(program, statement->span.start), first = last + 1;
  uint32_t below = statement->span.start;
  while (first > 0) {
    const Comment *c = &program->comments[first - 1];
    if (!c->own_line || strncmp(s->text + (c->span.start - s->base), "##", 2) || !next_line(s, c->span.end, below)) break;
    below = c->span.start;
    first--;
  }
  if (first > last) return NULL;
  size_t room = 0;
  for (int i = first; i <= last; i++) room += program->comments[i].span.end - program->comments[i].span.start + 1;
  char *doc = arena_alloc(program->arena, room), *out = doc;
  for (int i = first; i <= last; i++) {
    const char *text = s->text + (program->comments[i].span.start - s->base) + 2;
    uint32_t len = program->comments[i].span.end - program->comments[i].span.start - 2;
    if (len && *text == ' ') text++, len--;
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t')) len--;
    memcpy(out, text, len);
    out += len;
    if (i < last) *out++ = '\n';
  }
  return doc;
}

static void attach_docs(Program *program, Ast *a) {
  if (!a || a->kind < AST_BLOCK) return;
  if (a->kind == AST_DECL || a->kind == AST_ASSIGN) a->doc = doc_above(program, a);
  for (int i = 0; i < a->n; i++) attach_docs(program, a->kid[i]);
}

static Ast *nothing(Scan *scan) {
  const Source *s = scan->source;
  return build(scan, AST_BLOCK, (Span){s->base, s->base + s->len}, 0);
}

static void parse_into(Scan *scan, Program *program) {
  const Source *s = scan->source;
  Span where;
  const char *foreign = syntax_foreign(s, &where);
  if (foreign) {
    diag_suggest(scan_report(scan, E0020, where, "this is %s, not a .pde file", foreign),
                 "`pde doc language` shows how the same is written here");
  } else if (s->len > INT32_MAX - 16) {
    scan_report(scan, E0021, (Span){s->base, s->base}, "the file is larger than 2 GB");
  } else {
    scan_open(scan);
    parse_parse(scan);
  }
  program->root = scan->root ? scan->root : nothing(scan);
  program->root->span = (Span){s->base, s->base + s->len};
  program->comments = scan->comments;
  program->ncomments = scan->ncomments;
  program->uses_units = scan->uses_units;
  program->nerrors = scan->errors;
  attach_docs(program, program->root);
}

Program *parse_program(const Source *source, Interner *names, Diags *diags, bool *incomplete) {
  if (incomplete) *incomplete = false;
  Arena *arena = arena_new();
  jmp_buf escape;
  if (!arena || setjmp(escape)) {
    interner_escape(names, NULL);
    arena_free(arena);
    diag_report(diags, E0001, (Span){source->base, source->base}, "memory is out");
    return NULL;
  }
  arena_escape(arena, &escape);
  interner_escape(names, &escape);
  Program *program = ARENA_NEW(arena, Program);
  *program = (Program){.arena = arena, .source = source, .refs = 1};
  Scan *scan = ARENA_NEW(arena, Scan);
  *scan = (Scan){.arena = arena, .names = names, .diags = diags, .source = source};
  parse_into(scan, program);
  if (incomplete) *incomplete = scan->incomplete;
  arena_escape(arena, NULL);
  interner_escape(names, NULL);
  return program;
}

Program *program_retain(Program *program) {
  program->refs++;
  return program;
}

void program_release(Program *program) {
  if (program && --program->refs == 0) arena_free(program->arena);
}
