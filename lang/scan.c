/* The token stream: which newlines count, which brackets are open, and how reading goes on after an error. */
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

Span scan_here(const Scan *scan) { return (Span){scan->source->base + scan->start, scan->source->base + scan->at}; }

Diag *scan_report(Scan *scan, DiagCode code, Span span, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  scan->errors++;
  return diag_report(scan->diags, code, span, "%s", text);
}

/* --- places --- */

int scan_line(const Scan *scan, uint32_t offset) {
  const Source *s = scan->source;
  uint32_t at = offset - s->base, lo = 0, hi = s->nlines;
  while (hi - lo > 1) {
    uint32_t mid = (lo + hi) / 2;
    if (s->line_start[mid] <= at) lo = mid;
    else hi = mid;
  }
  return (int)lo + 1;
}

uint32_t scan_indent(const Scan *scan, uint32_t offset) {
  const Source *s = scan->source;
  uint32_t begin = s->line_start[scan_line(scan, offset) - 1], i = begin;
  while (i < s->len && (s->text[i] == ' ' || s->text[i] == '\t')) i++;
  return i - begin;
}

static bool name_byte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c & 0x80);
}

const char *scan_header(const Scan *scan, Span brace) {
  const char *text = scan->source->text;
  uint32_t at = brace.start - scan->source->base, begin = at;
  while (begin > 0 && !strchr("\n;{}", text[begin - 1])) begin--;
  while (begin < at && (text[begin] == ' ' || text[begin] == '\t')) begin++;
  uint32_t end = begin;
  for (int words = 0; words < 2; words++) {
    uint32_t next = end;
    while (words && next < at && text[next] == ' ') next++;
    if (words && next == end) break;
    uint32_t stop = next;
    while (stop < at && name_byte(text[stop])) stop++;
    if (stop == next) break;
    end = stop;
  }
  return end - begin > 40 ? "" : arena_text(scan->arena, text + begin, end - begin);
}

/* --- newlines --- */

bool scan_continues(int token) {
  switch (token) {
    case '+': case '-': case '*': case '&': case '/': case '^': case '.': case ',': case '=': case ':':
    case EQ: case CMP: case CAT: case DOTDOT: case TIMES: case PREFIX: case AND: case OR: case NOT: case IN: case BY: case AT:
    case TO: case WITH: case WHERE: case IF: case THEN: case ELSE: return true;
    default: return false;
  }
}

static Bracket *top(Scan *scan) { return scan->nbrackets ? &scan->bracket[scan->nbrackets - 1] : NULL; }

/* After an error inside brackets their end may never come: a line that is indented no deeper than theirs starts afresh. */
static bool starts_afresh(Scan *scan, const Bracket *open) {
  const char *text = scan->source->text;
  uint32_t i = scan->at, begin = i;
  while (text[i] == ' ' || text[i] == '\t') i++;
  return text[i] && !strchr(")]\r\n#", text[i]) && i - begin <= scan_indent(scan, open->span.start);
}

bool scan_newline(Scan *scan) {
  Bracket *open = top(scan);
  if (scan->nfstrings) {
    syntax_unclosed(scan, open);
    scan_abandon_brackets(scan);
  } else if (open && open->kind != '{') {
    if (!scan->broken || !starts_afresh(scan, open)) return false;
    scan_abandon_brackets(scan);
  }
  int before = scan->token.kind;
  if (scan_continues(before) && !(scan->broken && scan->before.span.start == scan->offender.start)) {
    scan->joined = scan->before.span;
    return false;
  }
  return before && before != NL && before != ';' && before != '{';
}

/* --- brackets --- */

int scan_opening(Scan *scan, char kind, int token) {
  if (kind == '{' && scan->nfstrings) {
    syntax_unclosed(scan, top(scan));
    scan_abandon_fstring(scan);
    return 0;
  }
  if (scan->nbrackets == SCAN_NESTING) {
    if (!scan->said_deep)
      diag_suggest(scan_report(scan, E0019, scan_here(scan), "brackets nest deeper than %d", (int)SCAN_NESTING),
                   "give the inner parts names");
    scan->said_deep = scan->stopped = scan->broken = true;
    return 0;
  }
  scan->bracket[scan->nbrackets++] = (Bracket){.kind = kind, .span = scan_here(scan)};
  scan->nfstrings += kind == '"';
  return token;
}

void scan_abandon_brackets(Scan *scan) {
  while (scan->nbrackets && top(scan)->kind != '{') scan->nfstrings -= scan->bracket[--scan->nbrackets].kind == '"';
  scan->nfstrings = 0;
  scan->broken = true;
  scan_mode(scan, false);
}

void scan_abandon_fstring(Scan *scan) {
  while (scan->nfstrings) scan->nfstrings -= scan->bracket[--scan->nbrackets].kind == '"';
  scan->broken = true;
  scan_mode(scan, true);
}

void scan_close_fstring(Scan *scan) {
  scan->nbrackets--;
  scan->nfstrings--;
}

/* A } whose line is indented unlike the line of its { : if the file lacks a }, it belongs there. */
static void note_suspect(Scan *scan, const Bracket *open) {
  uint32_t begin = scan->start;
  const char *text = scan->source->text;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) begin--;
  bool first = begin == 0 || text[begin - 1] == '\n';
  if (first && !scan->suspect.start && scan->start - begin != scan_indent(scan, open->span.start)) scan->suspect = open->span;
}

static int stray(Scan *scan, char close) {
  if (scan->broken) return 0;
  Diag *diag = scan_report(scan, E0011, scan_here(scan), "a stray `%c`: nothing is open that it could close", close);
  diag_suggest(diag, "leave it out, or open it with `%c` where it belongs", close == ')' ? '(' : close == ']' ? '[' : '{');
  scan->broken = true;
  if (close == '}' && scan->suspect.start) diag_note(diag, scan->suspect, "the `}` of this `{` stands elsewhere than expected");
  return 0;
}

int scan_closing(Scan *scan, char close, int token) {
  static const char opener[] = {[')'] = '(', [']'] = '[', ['}'] = '{'};
  Bracket *open = top(scan);
  if (close == '}' && open && open->kind == 'f') {
    scan->nbrackets--;
    return FCLOSE;
  }
  if (close == '}' && scan->nfstrings) {     /* f"{f(x}": the bracket inside is what is missing */
    syntax_unclosed(scan, open);
    while (top(scan)->kind != 'f') scan->nbrackets--;
    scan->nbrackets--;
    return FCLOSE;
  }
  if (open && open->kind == 'f') {
    syntax_unclosed(scan, open);
    scan_abandon_fstring(scan);
    return 0;
  }
  if (close == '}' && open && open->kind != '{') {
    syntax_unclosed(scan, open);
    scan_abandon_brackets(scan);
    open = top(scan);
  }
  if (!open || open->kind == '{') {
    if (!open || close != '}') return stray(scan, close);
    note_suspect(scan, open);
    scan->closed_broken = open->broken;
    scan->nbrackets--;
    return token;
  }
  if (open->kind != opener[(int)close]) {    /* ( ... ] : taken for the closer that was meant */
    if (!scan->broken)
      diag_note(scan_report(scan, E0011, scan_here(scan), "`%c` closes a `%c`", close, open->kind), open->span,
                "the `%c` was opened here", open->kind);
    scan->broken = true;
    token = open->kind == '(' ? ')' : ']';
  }
  scan->nbrackets--;
  return token;
}

int scan_end(Scan *scan) {
  Bracket *open = top(scan);
  if (scan->stopped) {
    scan_abandon_brackets(scan);
  } else if (open || scan_continues(scan->token.kind)) {
    scan->incomplete = !scan->errors && !scan->nfstrings;
    if (open && !(scan->broken && open->kind != '{')) {
      Bracket at = *open;
      if (at.kind == '{' && scan->suspect.start) at.span = scan->suspect;
      scan->broken = false;
      syntax_unclosed(scan, &at);
    }
    scan->stopped = open;
    if (open) scan_abandon_brackets(scan);
  }
  if (!scan->nbrackets) return 0;
  scan->nbrackets--;
  scan->closed_broken = true;
  return '}';
}

/* --- the stream --- */

/* Where the text begins: behind a byte order mark. */
static uint32_t text_begin(const Source *s) { return s->len >= 3 && !memcmp(s->text, "\xEF\xBB\xBF", 3) ? 3 : 0; }

void scan_open(Scan *scan) {
  const Source *s = scan->source;
  uint32_t skip = text_begin(s);
  scan->at = scan->start = skip;
  scan->flex = scan_flex(scan, s->text + skip, (int)(s->len - skip));
}

void scan_comment(Scan *scan, const char *text, int len) {
  (void)text, (void)len;
  if (scan->ncomments == scan->comments_cap) {
    int cap = scan->comments_cap ? scan->comments_cap * 2 : 16;
    Comment *more = ARENA_ARRAY(scan->arena, Comment, cap);
    if (scan->ncomments) memcpy(more, scan->comments, (size_t)scan->ncomments * sizeof *more);
    scan->comments = more;
    scan->comments_cap = cap;
  }
  uint32_t begin = scan->start, first = text_begin(scan->source);
  const char *s = scan->source->text;
  while (begin > first && strchr(" \t\v\f", s[begin - 1]) && s[begin - 1]) begin--;
  scan->comments[scan->ncomments++] = (Comment){scan_here(scan), begin == first || s[begin - 1] == '\n' || s[begin - 1] == '\r'};
}

/* The separator or brace handed out last takes effect on the error state only now, when the parser has judged it. */
static void settle(Scan *scan) {
  int kind = scan->token.kind;
  if (kind == NL || kind == ';' || kind == '{' || kind == '}') scan->joined = (Span){0};
  switch (kind) {
    case NL: case ';': scan->broken = false; break;
    case '{':
      if (scan->nbrackets) scan->bracket[scan->nbrackets - 1].broken = scan->broken;
      scan->broken = scan->not_a_block;
      scan->not_a_block = false;
      break;
    case '}': scan->broken = scan->closed_broken; break;
    default: break;
  }
}

/* Whether the innermost ( or [ is closed on this line. */
static bool closed_on_line(Scan *scan) {
  if (scan->at < scan->closed_at) return true;
  int depth = 1;
  bool quoted = false;
  const char *text = scan->source->text, *c = text + scan->at;
  for (; *c && *c != '\n' && depth; c++) {
    if (*c == '"') quoted = !quoted;
    if (!quoted) depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
  }
  if (!depth) scan->closed_at = (uint32_t)(c - text);
  return !depth;
}

/* A ; inside ( ) or [ ]: passed over if they are closed behind it, else the sign that they are not. */
static bool passed_over(Scan *scan, int kind) {
  Bracket *open = top(scan);
  if (kind != ';' || !open || open->kind == '{') return false;
  if (!closed_on_line(scan)) {
    syntax_unclosed(scan, open);
    scan_abandon_brackets(scan);
    return false;
  }
  if (!scan->broken) {
    Diag *diag = scan_report(scan, E0012, scan_here(scan), "`;` can't stand inside `%c %c`", open->kind, open->kind == '(' ? ')' : ']');
    diag_suggest(diag, open->kind == '(' ? "values are separated by commas" : "the rows of a matrix are lists: `[[a, b], [c, d]]`");
  }
  return scan->broken = true;
}

static bool first_on_line(const Scan *scan, uint32_t at) {
  const char *text = scan->source->text;
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return at == 0 || text[at - 1] == '\n';
}

Token *scan_next(Scan *scan) {
  settle(scan);
  scan->before = scan->token;
  if (scan->replay == 2) {
    scan->replay = 1;
    uint32_t at = scan->replay_token.span.start;
    scan->token = (Token){.kind = NL, .span = {at, at}};
    return &scan->token;
  }
  if (scan->replay == 1) {
    scan->replay = 0;
    scan->token = scan->replay_token;
    if (scan->token.kind == '(' || scan->token.kind == '[')
      scan->bracket[scan->nbrackets++] = (Bracket){.kind = (char)scan->token.kind, .span = scan->token.span};
    return &scan->token;
  }
  int before = scan->token.kind;
  scan->token = (Token){.kind = before};     /* rules of newlines look at the kind before */
  int kind;
  do {
    if (scan->stopped) scan->start = scan->at, kind = scan_end(scan);
    else kind = scan_lexeme(scan, scan->flex);
  } while (passed_over(scan, kind));
  if (!kind && scan->stopped) kind = scan_end(scan);
  if (!kind) scan->stopped = true;
  scan->token.kind = kind;
  scan->token.span = scan_here(scan);
  scan->token.first = first_on_line(scan, scan->start);
  return &scan->token;
}
