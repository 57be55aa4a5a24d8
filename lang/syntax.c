/* Syntax errors in the user's words: what was found, what could stand there, and what probably is wrong. */
#include <string.h>

#include "parse.h"
#include "scan.h"
#include "unit.h"

static const char *slice(const Scan *scan, Span span) { return scan->source->text + (span.start - scan->source->base); }

static const char *describe(const Scan *scan, const Token *token) {
  int n = (int)(token->span.end - token->span.start);
  const char *text = slice(scan, token->span);
  switch (token->kind) {
    case 0: return "the end of the file";
    case NL: return "the end of the line";
    case STRING: return n > 40 ? "a text" : arena_printf(scan->arena, "the text %.*s", n, text);
    case FBEGIN: return "an f-string";
    case NUMBER: return arena_printf(scan->arena, "the number `%.*s`", n > 30 ? 30 : n, text);
    case FCLOSE: return "the `}` of the f-string";
    case FTEXT: case FEND: return "the rest of the f-string";
    case FFORMAT: return "the format of the f-string";
    default: break;
  }
  if (n > 40) {
    for (n = 40; n > 0 && (text[n] & 0xC0) == 0x80;) n--;
    return arena_printf(scan->arena, "`%.*s...`", n, text);
  }
  return arena_printf(scan->arena, "`%.*s`", n, text);
}

static bool infix(int kind) {
  switch (kind) {
    case '+': case '*': case '/': case '&': case '^': case '.': case ',': case '=': case ':': case EQ: case CMP: case CAT: case DOTDOT:
    case TIMES: case SQUARED: case AND: case OR: case IN: case BY: case AT: case TO: case WITH: case THEN: return true;
    default: return false;
  }
}

static bool statement_start(int kind) { return !kind || kind == NL || kind == ';' || kind == '{' || kind == '}'; }

/* The bracket around the token in hand, which may itself have been pushed. */
static Bracket *around(Scan *scan) {
  int kind = scan->token.kind, n = scan->nbrackets;
  if (kind == '(' || kind == '[' || kind == '{' || kind == FBEGIN || kind == FOPEN) n--;
  return n > 0 ? &scan->bracket[n - 1] : NULL;
}

void syntax_unclosed(Scan *scan, const Bracket *bracket) {
  if (scan->broken) return;
  scan->broken = true;
  if (bracket->kind == '"') {
    diag_suggest(scan_report(scan, E0007, bracket->span, "the f-string that opens here does not end on its line"), "close it with `\"`");
    return;
  }
  if (bracket->kind == 'f') {
    diag_suggest(scan_report(scan, E0010, bracket->span, "the `{` in this f-string is not closed"),
                 "close it with `}`; `{{` is a brace in the text");
    return;
  }
  const char *header = bracket->kind == '{' ? scan_header(scan, bracket->span) : "";
  int line = scan_line(scan, bracket->span.start);
  if (*header) diag_suggest(scan_report(scan, E0010, bracket->span, "unclosed `{` of `%s`, opened on line %d", header, line), "close it with `}` where `%s` ends", header);
  else diag_suggest(scan_report(scan, E0010, bracket->span, "unclosed `%c`, opened on line %d", bracket->kind, line), "close it with `%c`",
                    bracket->kind == '(' ? ')' : bracket->kind == '[' ? ']' : '}');
}

static void note_joined(Scan *scan, Diag *diag) {
  if (!scan->joined.start || scan_line(scan, scan->joined.start) >= scan_line(scan, scan->token.span.start)) return;
  diag_note(diag, scan->joined, "that line ends with `%.*s`, so the next one continues it",
            (int)(scan->joined.end - scan->joined.start), slice(scan, scan->joined));
}

/* --- single causes; each says whether it was the case --- */

static bool else_alone(Scan *scan) {
  if (scan->token.kind != ELSE || !statement_start(scan->before.kind)) return false;
  Diag *diag = scan_report(scan, E0015, scan->token.span, "`else` begins a statement here");
  diag_suggest(diag, "put it on the line of the `}` before it: `} else {`");
  return true;
}

static char char_after(const Scan *scan, Span span) {
  const char *c = slice(scan, span) + (span.end - span.start);
  while (*c == ' ' || *c == '\t') c++;
  return *c == '=' && c[1] == '=' ? 'E' : *c;
}

static bool complain_reserved(Scan *scan, const Token *token) {
  Diag *diag = scan_report(scan, E0013, token->span, "`%s` is a reserved word and can't be a name", lexeme_reserved(token->kind));
  diag_suggest(diag, "choose another name, such as `%s_`", lexeme_reserved(token->kind));
  return true;
}

static bool reserved_as_name(Scan *scan, unsigned expected) {
  const Token *t = &scan->token, *before = &scan->before;
  if ((t->kind == '=' || t->kind == ':') && lexeme_reserved(before->kind) && before->kind != TRUE && before->kind != FALSE)
    return complain_reserved(scan, before);
  if (!lexeme_reserved(t->kind)) return false;
  char after = char_after(scan, t->span);
  if (expected & EXPECT_NAME && (after == '=' || after == ':')) return complain_reserved(scan, t);
  if (expected & EXPECT_NAME && !(expected & EXPECT_EXPR)) return complain_reserved(scan, t);
  if (expected & EXPECT_NAME && infix(t->kind) && (strchr(",;)]\r\n", after) || !after) && !statement_start(before->kind))
    return complain_reserved(scan, t);
  return false;
}

static bool leading_operator(Scan *scan) {
  const Token *t = &scan->token;
  if (!infix(t->kind) || !statement_start(scan->before.kind)) return false;
  Diag *diag = scan_report(scan, E0012, t->span, "a statement can't begin with %s", describe(scan, t));
  if (t->first && scan->before.kind == NL) diag_suggest(diag, "if this line continues the one before, end that line with the operator");
  return true;
}

static bool unary_plus(Scan *scan, unsigned expected) {
  if (scan->token.kind != '+' || !(expected & EXPECT_EXPR) || (expected & (EXPECT_END | EXPECT_CLOSE))) return false;
  Diag *diag = scan_report(scan, E0012, scan->token.span, "there is no unary `+`");
  diag_suggest(diag, "leave it out");
  diag_replace(diag, "%s", "");
  return true;
}

static bool chained(Scan *scan) {
  static const struct { int kind; DiagCode code; const char *what, *help; } rows[] = {
    {EQ, E0012, "a second `==`: an equation has two sides", "join two equations with `and`"},
    {AT, E0018, "a second `at`", "add parentheses: `(u at a) at b`"},
    {DOTDOT, E0012, "a second `..`: a range has two ends", "a step is written `a..b by h`"},
    {'=', E0012, "`=` can't stand here", "equations and comparisons are written `==`; `=` gives a name a value, once in a statement"},
  };
  if (scan_continues(scan->before.kind) || statement_start(scan->before.kind)) return false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].kind != scan->token.kind) continue;
    Diag *diag = scan_report(scan, rows[i].code, scan->token.span, "%s", rows[i].what);
    diag_suggest(diag, "%s", rows[i].help);
    note_joined(scan, diag);
    return true;
  }
  return false;
}

/* An unclosed ( or [ shows where the next line begins: nothing that could follow inside. */
static bool unclosed_before(Scan *scan) {
  Bracket *open = around(scan);
  const Token *t = &scan->token;
  if (!open || (open->kind != '(' && open->kind != '[')) return false;
  bool afresh = t->first && scan_indent(scan, t->span.start) <= scan_indent(scan, open->span.start);
  if (!afresh && t->kind != '{') return false;
  syntax_unclosed(scan, open);
  if (t->kind == '{') {
    Bracket brace = scan->bracket[--scan->nbrackets];
    scan_abandon_brackets(scan);
    scan->bracket[scan->nbrackets++] = brace;
    return true;
  }
  if (t->kind != FBEGIN) {    /* the line is read again, as a statement */
    scan_abandon_brackets(scan);
    scan->replay_token = *t;
    scan->replay = 2;
  }
  return true;
}

/* --- the general case --- */

static const char *wanted(Scan *scan, unsigned expected) {
  Bracket *open = around(scan);
  int before = scan->before.kind;
  if (statement_start(before)) return "a statement";
  if (expected & EXPECT_EXPR && (before == '(' || before == '[' || scan_continues(before))) return "an expression";
  if (expected & EXPECT_EXPR && !(expected & (EXPECT_END | EXPECT_CLOSE | EXPECT_BLOCK | EXPECT_COLON))) return "an expression";
  if (open && open->kind == 'f') return "an operator or the `}` of the f-string";
  if (open && open->kind == '(' && expected & EXPECT_CLOSE) return "an operator, `,` or `)`";
  if (open && open->kind == '[' && expected & EXPECT_CLOSE) return "an operator, `,` or `]`";
  if (expected & EXPECT_THEN) return "`then` or a block `{ }`";
  if (expected & EXPECT_END) return "an operator or the end of the statement";
  if (expected & EXPECT_ELSE) return "`else`";
  if (expected & EXPECT_COLON && expected & EXPECT_BLOCK) return "`:` or a block `{ }`";
  if (expected & EXPECT_BLOCK) return "a block `{ }`";
  if (expected & EXPECT_COLON) return "`:`";
  if (expected & EXPECT_NAME) return "a name";
  if (expected & EXPECT_STRING) return "a text in double quotes";
  if (expected & EXPECT_IN) return "`in`";
  return NULL;
}

/* Statements of other languages, by the word that begins the line. */
static const struct { const char *word, *help; } strangers[] = {
  {"def", "a function is written `fn f(a) = ...` or `fn f(a) { ...; return b }`"},
  {"function", "a function is written `fn f(a) = ...` or `fn f(a) { ...; return b }`"},
  {"func", "a function is written `fn f(a) = ...` or `fn f(a) { ...; return b }`"},
  {"elif", "it is written `} else if c {`, on the line of the `}` before it"},
  {"class", "there are no classes; a record is written `(a: 1, b: 2)`"},
  {"lambda", "a function is written `fn f(a) = ...`"},
  {"let", "a name gets its value by `a = 1` alone"},
  {"var", "a name gets its value by `a = 1` alone"},
  {"const", "a name gets its value by `a = 1` alone"},
  {"real", "a name gets its value by `a = 1` alone"},
  {"double", "a name gets its value by `a = 1` alone"},
  {"int", "a name gets its value by `a = 1` alone"},
};

static void hint_stranger(Scan *scan, Diag *diag, Span where) {
  const char *text = scan->source->text;
  uint32_t at = where.start - scan->source->base;
  while (at > 0 && text[at - 1] != '\n') at--;
  while (text[at] == ' ' || text[at] == '\t') at++;
  for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
    size_t n = strlen(strangers[i].word);
    if (!strncmp(text + at, strangers[i].word, n) && (text[at + n] == ' ' || text[at + n] == '\t')) diag_suggest(diag, "%s", strangers[i].help);
  }
}

/* The way out of what is seen often. */
static void hint(Scan *scan, Diag *diag, unsigned expected) {
  const Token *t = &scan->token, *before = &scan->before;
  if (before->kind == ',' && (t->kind == ')' || t->kind == ']')) diag_suggest(diag, "leave the last comma out");
  if (t->kind == '{' && expected & EXPECT_EXPR && !(expected & (EXPECT_END | EXPECT_BLOCK))) {
    diag_suggest(diag, "a list is written `[a, b]`, a record `(u: a, p: b)`");
    scan->not_a_block = before->kind != WHILE && before->kind != IF && before->kind != IN && before->kind != ON;
  }
  if (t->kind == ',' && before->kind == NAME && expected & EXPECT_END)
    diag_suggest(diag, "several names are given values by `(a, b) = ...`");
  if (t->kind == '{' && before->kind == NL) diag_suggest(diag, "put the `{` on the line of what it belongs to");
  if (t->kind == '{' && before->kind == ')' && expected & EXPECT_END) diag_suggest(diag, "a function is defined by `fn f(x) { ... }`");
  if (t->kind == ':' && expected & EXPECT_BLOCK) diag_suggest(diag, "a block stands in `{ }`");
  if (scan->joined.start && *slice(scan, scan->joined) == ':' && lexeme_reserved(t->kind)) diag_suggest(diag, "a block stands in `{ }`");
  int n = (int)(t->span.end - t->span.start), m = (int)(before->span.end - before->span.start);
  bool factor = before->kind == NAME || before->kind == NUMBER || before->kind == ')' || before->kind == SQUARED;
  UnitScale unit;
  bool is_unit = t->kind == NAME && n < 20 && unit_symbol(arena_printf(scan->arena, "%.*s", n, slice(scan, t->span)), &unit);
  if (factor && (t->kind == NAME || t->kind == NUMBER) && n + m < 60 && !diag->suggestion && (before->kind != NUMBER || !is_unit) &&
      scan_line(scan, before->span.start) == scan_line(scan, t->span.start))
    diag_suggest(diag, "a product is written with `*`: `%.*s*%.*s`", m, slice(scan, before->span), n, slice(scan, t->span));
  else if (before->kind == NUMBER && t->kind == NAME && n + m < 60)
    diag_suggest(diag, "a unit is written `%.*s [%.*s]`, a product `%.*s*%.*s`", m, slice(scan, before->span), n, slice(scan, t->span), m,
                 slice(scan, before->span), n, slice(scan, t->span));
}

static void general(Scan *scan, unsigned expected) {
  const Token *t = &scan->token, *before = &scan->before;
  const char *want = wanted(scan, expected), *found = describe(scan, t);
  bool ends = t->kind == NL || !t->kind;
  Span span = t->span;
  if (ends && before->kind) span = (Span){before->span.end, before->span.end + (t->kind == NL)};
  Diag *diag;
  if (want && before->kind && !statement_start(before->kind))
    diag = scan_report(scan, E0012, span, "%s after %s: expected %s", found, describe(scan, before), want);
  else if (want) diag = scan_report(scan, E0012, span, "%s can't stand here: expected %s", found, want);
  else diag = scan_report(scan, E0012, span, "%s can't stand here", found);
  Bracket *open = around(scan);
  if (open && (open->kind == '(' || open->kind == '[') && scan_line(scan, open->span.start) != scan_line(scan, t->span.start))
    diag_note(diag, open->span, "inside the `%c` opened here", open->kind);
  else note_joined(scan, diag);
  hint(scan, diag, expected);
  hint_stranger(scan, diag, scan->joined.start && scan->joined.start < t->span.start ? scan->joined : t->span);
}

void syntax_unexpected(Scan *scan, unsigned expected) {
  if (scan->broken && scan->errors) return;
  bool said = unclosed_before(scan);
  if (!said)
    (void)(else_alone(scan) || reserved_as_name(scan, expected) || leading_operator(scan) || unary_plus(scan, expected) ||
           chained(scan) || (general(scan, expected), true));
  scan->offender = scan->token.span;
  scan->broken = true;
}

void syntax_exhausted(Scan *scan) {
  if (!scan->said_deep)
    diag_suggest(scan_report(scan, E0019, scan->token.span, "the nesting is too deep to be read"), "give the inner parts names");
  scan->said_deep = true;
}

/* --- scripts of other programs --- */

/* Whether the text at i begins with the word, in any case, and no letter follows. */
static bool word_at(const Source *s, uint32_t i, const char *word) {
  size_t n = strlen(word);
  if (s->len - i < n) return false;
  for (size_t k = 0; k < n; k++)
    if ((s->text[i + k] | 32) != (word[k] | 32)) return false;
  char after = s->text[i + n] | 32;
  return !(after >= 'a' && after <= 'z') && s->text[i + n] != '_';
}

/* 1 + its number; 0: it is none. */
static unsigned section_of_flexpde(const Source *s, uint32_t i) {
  static const char *const sections[] = {"title", "coordinates", "variables", "select", "definitions", "equations", "boundaries",
                                         "initial values", "plots", "monitors", "constraints", "time"};
  for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
    if (!word_at(s, i, sections[k])) continue;
    uint32_t j = i + (uint32_t)strlen(sections[k]);
    while (s->text[j] == ' ' || s->text[j] == '\t') j++;
    return s->text[j] != '=' && s->text[j] != ':' && s->text[j] != '(' && s->text[j] != '.' && s->text[j] != '{' ? (unsigned)k + 1 : 0;
  }
  return 0;
}

static bool sketch_function(const Source *s, uint32_t i) {
  if (!word_at(s, i, "void")) return false;
  for (i += 4; s->text[i] == ' ' || s->text[i] == '\t';) i++;
  return word_at(s, i, "setup") || word_at(s, i, "draw") || word_at(s, i, "loop");
}

static bool freefem_space(const Source *s, uint32_t i) { return word_at(s, i, "fespace") && s->text[i + 7] == ' '; }

const char *syntax_foreign(const Source *s, Span *where) {
  int sections = 0;
  unsigned met = 0;                      /* three different ones: views have a title each */
  for (uint32_t line = 0; line < s->nlines; line++) {
    uint32_t i = s->line_start[line];
    while (i < s->len && (s->text[i] == ' ' || s->text[i] == '\t' || s->text[i] == '\r')) i++;
    uint32_t end = i;
    while (end < s->len && s->text[end] != '\n' && s->text[end] != '\r' && s->text[end] != ' ') end++;
    if (sketch_function(s, i)) {
      *where = (Span){s->base + i, s->base + end};
      return "a Processing or Arduino sketch";
    }
    if (freefem_space(s, i)) {
      *where = (Span){s->base + i, s->base + end};
      return "a FreeFEM script";
    }
    unsigned section = section_of_flexpde(s, i);
    if (!section || met >> section & 1) continue;
    met |= 1u << section;
    if (!sections++) *where = (Span){s->base + i, s->base + end};
    if (sections == 3) return "a FlexPDE script";
  }
  return NULL;
}
