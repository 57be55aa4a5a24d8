/* Works on tokens, not on the tree: the text between two tokens is all that changes, so comments stay where they are, every
 * spelling stays the author's, and the tree cannot change as long as the ends of statements do not. */
#include "fmt.h"

#include <string.h>

#include "parse.h"
#include "scan.h"

enum { WIDTH = 100, STEP = 2, CONTINUATION = 4 };

typedef struct Lexeme {
  int kind;
  uint32_t start, end;      /* in the text */
  int match;                /* of a {: its } */
  bool one_line;            /* of a {: the author wrote the block on one line */
} Lexeme;

typedef struct Fmt {
  Buf *out;
  const char *text;
  const Lexeme *item;
  int n;
  const Comment *comments;
  int ncomments, next;      /* the first comment not printed yet */
  uint32_t base, end;       /* offset of the text in its map; where in it the last thing printed ends */
  int depth;
  bool dry;                 /* only measuring: comments and the insides of long blocks are left out */
} Fmt;

/* --- tokens --- */

static Lexeme *read_tokens(Scan *scan, int *count) {
  int n = 0, cap = 256, open[SCAN_NESTING], nopen = 0;
  Lexeme *item = ARENA_ARRAY(scan->arena, Lexeme, cap);
  const char *text = scan->source->text;
  for (const Token *t; (t = scan_next(scan))->kind;) {
    if (n == cap) {
      Lexeme *more = ARENA_ARRAY(scan->arena, Lexeme, cap * 2);
      memcpy(more, item, (size_t)n * sizeof *item);
      item = more;
      cap *= 2;
    }
    item[n] = (Lexeme){.kind = t->kind, .start = t->span.start - scan->source->base, .end = t->span.end - scan->source->base};
    if (t->kind == '{') open[nopen++] = n;
    if (t->kind == '}' && nopen) {
      Lexeme *from = &item[open[--nopen]];
      from->match = n;
      from->one_line = !memchr(text + from->start, '\n', item[n].start - from->start);
    }
    n++;
  }
  *count = n;
  return item;
}

static bool separator(int kind) { return kind == NL || kind == ';'; }

/* The token after the statement that begins at i: its separator, the } of its block, or the end. */
static int statement_end(const Fmt *f, int i) {
  while (i < f->n && !separator(f->item[i].kind) && f->item[i].kind != '}') i = f->item[i].kind == '{' ? f->item[i].match + 1 : i + 1;
  return i;
}

/* --- spaces --- */

static bool ends_operand(int kind) {
  switch (kind) {
    case NAME: case NUMBER: case STRING: case FEND: case TRUE: case FALSE: case ')': case ']': case '}': case SQUARED: return true;
    default: return false;
  }
}

static bool tight(int kind) {
  switch (kind) {
    case '*': case '/': case '^': case '.': case DOTDOT: case TIMES: case FBEGIN: case FTEXT: case FOPEN: case FFORMAT: case '(': case '[':
      return true;
    default: return false;
  }
}

static bool begins_tight(int kind) {
  switch (kind) {
    case '*': case '/': case '^': case '.': case DOTDOT: case TIMES: case FTEXT: case FOPEN: case FFORMAT: case FCLOSE: case FEND:
    case ')': case ']': case ',': case ';': case ':': case SQUARED: return true;
    default: return false;
  }
}

/* Whether a blank stands between the tokens k-1 and k of the statement that begins at first. */
static bool spaced(const Fmt *f, int first, int k) {
  const Lexeme *a = &f->item[k - 1], *b = &f->item[k];
  if (a->kind == NUMBER && (b->kind == '.' || b->kind == '(' || b->kind == '[')) return true;   /* 2.x and 5%(x) would not read back */
  if (b->kind == ':' && a->kind != NL) {
    const Lexeme *word = &f->item[first];
    return word->end - word->start == 7 && !memcmp(f->text + word->start, "unknown", 7) && k > first + 1;
  }
  if (begins_tight(b->kind) || (tight(a->kind) && a->kind != FEND)) return false;
  if (a->kind == '-' && (k - 1 == first || !ends_operand(f->item[k - 2].kind))) return false;
  if (a->kind == PREFIX)    /* ∂t u, but ∇u and ∂t(u) */
    return !memcmp(f->text + a->start, "∂", 3) && b->kind != '(' && b->kind != PREFIX;
  if (b->kind == '(') return !ends_operand(a->kind) || a->kind == '}';
  if (b->kind == '[') return !ends_operand(a->kind) || b->start > a->end;   /* P2 [K], v[0]: the author's choice */
  return true;
}

/* --- output --- */

static void newline(Fmt *f, int indent) {
  buf_putc(f->out, '\n');
  for (int i = 0; i < indent; i++) buf_putc(f->out, ' ');
}

static int width_of(const char *text, size_t len) {
  int width = 0;
  for (size_t i = 0; i < len; i++) width += ((unsigned char)text[i] & 0xC0) != 0x80;
  return width;
}

static int column(const Fmt *f) {
  size_t at = f->out->len;
  while (at > 0 && f->out->text[at - 1] != '\n') at--;
  return width_of(buf_str(f->out) + at, f->out->len - at);
}

static int column_in_source(const Fmt *f, uint32_t at) {
  uint32_t begin = at;
  while (begin > 0 && f->text[begin - 1] != '\n') begin--;
  return width_of(f->text + begin, at - begin);
}

static bool line_end_between(const Fmt *f, uint32_t from, uint32_t to) {
  return to > from && memchr(f->text + from, '\n', to - from);
}

static bool blank_line_between(const Fmt *f, uint32_t from, uint32_t to) {
  int lines = 0;
  for (uint32_t i = from; i < to; i++) lines += f->text[i] == '\n';
  return lines > 1;
}

static void print_comment(Fmt *f) {
  const Comment *c = &f->comments[f->next++];
  uint32_t start = c->span.start - f->base, end = c->span.end - f->base;
  f->end = end;
  while (end > start && (f->text[end - 1] == ' ' || f->text[end - 1] == '\t')) end--;
  buf_add(f->out, f->text + start, end - start);
}

static bool comment_before(const Fmt *f, uint32_t at) {
  return !f->dry && f->next < f->ncomments && f->comments[f->next].span.start - f->base < at;
}

/* A comment behind the code of its line; it keeps its column where the code leaves it. */
static void print_trailing(Fmt *f, uint32_t before) {
  if (!comment_before(f, before) || f->comments[f->next].own_line) return;
  uint32_t at = f->comments[f->next].span.start - f->base;
  if (line_end_between(f, f->end, at)) return;
  int want = column_in_source(f, at), have = column(f);
  if (want > WIDTH || want < have + 2) want = have + 2;
  for (; have < want; have++) buf_putc(f->out, ' ');
  print_comment(f);
}

static void print_token(Fmt *f, const Lexeme *t) {
  if (t->kind == FFORMAT) buf_putc(f->out, ':');
  for (uint32_t i = t->start; i < t->end; i++)
    if (t->kind != PREFIX || f->text[i] != ' ') buf_putc(f->out, f->text[i]);
  f->end = t->end;
}

static void print_block(Fmt *f, int i, int end);

/* { a; b } */
static void print_one_line(Fmt *f, int open) {
  int close = f->item[open].match, printed = 0;
  buf_puts(f->out, "{ ");
  for (int i = open + 1, first = i; i < close; i++) {
    if (separator(f->item[i].kind)) {
      first = i + 1;
      continue;
    }
    if (i == first && printed++) buf_puts(f->out, "; ");
    if (i > first && spaced(f, first, i)) buf_putc(f->out, ' ');
    if (f->item[i].kind == '{') {
      print_one_line(f, i);
      i = f->item[i].match;
    } else {
      print_token(f, &f->item[i]);
    }
  }
  buf_puts(f->out, printed ? " }" : "}");
  f->end = f->item[close].end;
}

static void print_long(Fmt *f, int open) {
  int close = f->item[open].match;
  buf_putc(f->out, '{');
  f->end = f->item[open].end;
  f->depth++;
  if (!f->dry) print_block(f, open + 1, close);
  f->depth--;
  newline(f, f->depth * STEP);
  buf_putc(f->out, '}');
  f->end = f->item[close].end;
}

/* Indentation of lines inside a statement: a step for each line that left brackets open. */
typedef struct Nest {
  int line[SCAN_NESTING], n, now;
} Nest;

static int nest_indent(const Nest *nest, int n) {
  int levels = 0;
  for (int i = 0; i < n; i++) levels += i == 0 || nest->line[i] != nest->line[i - 1];
  return levels;
}

static void break_line(Fmt *f, Nest *nest, int kind) {
  int inside = nest->n - (kind == ')' || kind == ']');
  nest->now++;
  newline(f, f->depth * STEP + (nest->n ? nest_indent(nest, inside) * STEP : CONTINUATION));
}

/* Comments between two tokens of a statement; they end with a line of their own. */
static void print_inner_comments(Fmt *f, Nest *nest, uint32_t before) {
  print_trailing(f, before);
  while (comment_before(f, before)) {
    break_line(f, nest, 0);
    print_comment(f);
  }
}

static void print_statement(Fmt *f, int first, int end, bool flat) {
  Nest nest = {.n = 0};
  for (int k = first; k < end; k++) {
    const Lexeme *t = &f->item[k];
    if (k > first) {
      print_inner_comments(f, &nest, t->start);
      if (line_end_between(f, f->end, t->start)) break_line(f, &nest, t->kind);
      else if (spaced(f, first, k)) buf_putc(f->out, ' ');
    }
    if (t->kind == '{') {
      if (t->one_line && flat) print_one_line(f, k);
      else print_long(f, k);
      k = t->match;
      continue;
    }
    if (t->kind == '(' || t->kind == '[') nest.line[nest.n++] = nest.now;
    if ((t->kind == ')' || t->kind == ']') && nest.n) nest.n--;
    print_token(f, t);
  }
}

/* Whether the statement fits with its short blocks on one line. */
static bool fits(const Fmt *f, int first, int end) {
  Buf scratch = {0};
  Fmt dry = *f;
  dry.out = &scratch;
  dry.dry = true;
  for (int i = 0; i < f->depth * STEP; i++) buf_putc(&scratch, ' ');
  print_statement(&dry, first, end, true);
  bool ok = true;
  for (const char *line = buf_str(&scratch); *line;) {
    size_t len = strcspn(line, "\n");
    ok = ok && width_of(line, len) <= WIDTH;
    line += len + (line[len] == '\n');
  }
  buf_free(&scratch);
  return ok;
}

static void start_line(Fmt *f, uint32_t at, bool *any) {
  bool blank = *any && blank_line_between(f, f->end, at);
  if (f->out->len || *any) {
    if (blank) buf_putc(f->out, '\n');
    newline(f, f->depth * STEP);
  }
  *any = true;
}

/* The comments on lines of their own before a place in a block. */
static void print_own_comments(Fmt *f, uint32_t before, bool *any) {
  while (comment_before(f, before)) {
    start_line(f, f->comments[f->next].span.start - f->base, any);
    print_comment(f);
  }
}

/* The statements i .. end of a block, each on a line of its own. */
static void print_block(Fmt *f, int i, int end) {
  bool any = false;
  uint32_t stop = end < f->n ? f->item[end].start : UINT32_MAX;
  print_trailing(f, i < end ? f->item[i].start : stop);
  while (i < end) {
    if (separator(f->item[i].kind)) {
      i++;
      continue;
    }
    int next = statement_end(f, i);
    print_own_comments(f, f->item[i].start, &any);
    start_line(f, f->item[i].start, &any);
    print_statement(f, i, next, fits(f, i, next));
    i = next;
    while (i < end && separator(f->item[i].kind)) i++;
    print_trailing(f, i < end ? f->item[i].start : stop);
  }
  print_own_comments(f, stop, &any);
}

void fmt_program(Buf *out, const Program *program) {
  const Source *s = program->source;
  Arena *arena = program->nerrors ? NULL : arena_new();
  if (!arena) {
    buf_add(out, s->text, s->len);    /* what cannot be read stays as it is */
    return;
  }
  Scan *scan = ARENA_NEW(arena, Scan);
  *scan = (Scan){.arena = arena, .source = s};
  scan_open(scan);
  int n;
  Lexeme *item = read_tokens(scan, &n);
  Buf text = {0};
  Fmt f = {.out = &text, .text = s->text, .item = item, .n = n, .comments = scan->comments, .ncomments = scan->ncomments, .base = s->base};
  print_block(&f, 0, n);
  if (text.len) buf_putc(&text, '\n');
  buf_add(out, buf_str(&text), text.len);
  buf_free(&text);
  arena_free(arena);
}
