/* From spelling to value: names, numbers, strings, and what other languages write differently. */
#ifndef _GNU_SOURCE
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nfc.h"
#include "parse.h"
#include "scan.h"

/* --- names --- */

static const struct { const char *word; int token; } reserved[] = {
  {"and", AND}, {"or", OR}, {"not", NOT}, {"in", IN}, {"by", BY}, {"at", AT}, {"to", TO}, {"with", WITH}, {"where", WHERE},
  {"on", ON}, {"if", IF}, {"then", THEN}, {"else", ELSE}, {"for", FOR}, {"while", WHILE}, {"return", RETURN}, {"break", BREAK},
  {"continue", CONTINUE}, {"import", IMPORT}, {"as", AS}, {"assert", ASSERT}, {"needs", NEEDS}, {"true", TRUE}, {"false", FALSE},
};
enum { NRESERVED = sizeof reserved / sizeof *reserved };

const char *lexeme_reserved(int token) {
  for (int i = 0; i < NRESERVED; i++)
    if (reserved[i].token == token) return reserved[i].word;
  return NULL;
}

int lexeme_name(Scan *scan, const char *text, int len) {
  int kind = NAME;
  for (int i = 0; i < NRESERVED; i++)
    if (!strncmp(text, reserved[i].word, (size_t)len) && !reserved[i].word[len]) kind = reserved[i].token;
  if (!scan->names) return kind;
  if (len == 2 && !memcmp(text, "π", 2)) {
    scan->token.name = intern(scan->names, "pi", 2);
    scan->token.flags = AST_UNICODE;
    return kind;
  }
  bool ascii = true;
  for (int i = 0; i < len; i++) ascii = ascii && !(text[i] & 0x80);
  if (ascii) {
    scan->token.name = intern(scan->names, text, (size_t)len);
  } else {
    char *normal = arena_text(scan->arena, text, (size_t)len);
    scan->token.name = intern(scan->names, normal, nfc_compose(normal, (size_t)len));
  }
  return kind;
}

/* --- numbers --- */

static bool digit(char c) { return c >= '0' && c <= '9'; }

static int skip_digits(const char *text, int i) {
  while (digit(text[i]) || (text[i] == '_' && digit(text[i + 1]))) i++;
  return i;
}

/* Bytes of a number at the start of a text: 1, 1.5, .5, 1., 1e-3. */
static int number_prefix(const char *text) {
  int i = skip_digits(text, 0);
  if (text[i] == '.') i = skip_digits(text, i + 1);
  if (text[i] == 'e' || text[i] == 'E') {
    int sign = text[i + 1] == '+' || text[i + 1] == '-';
    if (digit(text[i + 1 + sign])) i = skip_digits(text, i + 1 + sign);
  }
  return i;
}

static double convert(Scan *scan, const char *text, int len) {
  char *plain = arena_alloc(scan->arena, (size_t)len + 1);
  int n = 0;
  for (int i = 0; i < len; i++)
    if (text[i] != '_') plain[n++] = text[i];
  double value = text_number(plain, NULL);
  bool zero = true;
  for (int i = 0; i < n && plain[i] != 'e' && plain[i] != 'E'; i++) zero = zero && (plain[i] == '0' || plain[i] == '.');
  if (isinf(value) || (value == 0 && !zero))
    scan_report(scan, E0006, scan_here(scan), "the number is too %s for double precision", isinf(value) ? "large" : "small");
  return value;
}

static void complain_number(Scan *scan, const char *text, int len, int prefix) {
  Span here = scan_here(scan);
  if (text[0] == '.') {
    Diag *diag = scan_report(scan, E0005, here, "a number has digits on both sides of its point");
    diag_suggest(diag, "write `0%.*s`", len, text);
    diag_replace(diag, "0%.*s", len, text);
  } else if (text[len - 1] == '.') {
    Diag *diag = scan_report(scan, E0005, here, "a number has digits on both sides of its point");
    diag_suggest(diag, "write `%.*s0`", len, text);
    diag_replace(diag, "%.*s0", len, text);
  } else {
    const char *rest = text + prefix;
    Diag *diag = scan_report(scan, E0005, here, "a letter touches the number `%.*s`", prefix, text);
    if (!strncmp(text, "0x", 2) || !strncmp(text, "0b", 2)) {
      diag_suggest(diag, "write the number in decimal");
    } else {
      diag_suggest(diag, "for a product write `%.*s*%.*s`", prefix, text, len - prefix, rest);
      diag_replace(diag, "%.*s*%.*s", prefix, text, len - prefix, rest);
    }
  }
}

int lexeme_number(Scan *scan, const char *text, int len) {
  if (!scan->names) return NUMBER;
  int prefix = number_prefix(text);
  bool percent = text[prefix] == '%' && prefix + 1 == len;
  if (prefix + percent != len || text[0] == '.' || text[len - 1] == '.') complain_number(scan, text, len, prefix);
  char after = scan->source->text[scan->at];
  if (percent && (digit(after) || after == '(' || after == '_' || ((after | 32) >= 'a' && (after | 32) <= 'z'))) {
    diag_suggest(scan_report(scan, E0004, scan_here(scan), "there is no `%%` operator"), "the remainder is `mod(a, b)`");
    scan->broken = true;
  }
  scan->token.number = convert(scan, text, prefix) / (percent ? 100 : 1);
  scan->token.flags = percent ? AST_PERCENT : 0;
  scan->token.text = arena_text(scan->arena, text, (size_t)len);
  return NUMBER;
}

/* --- strings --- */

/* Length of the UTF-8 sequence at text, or 0 if it is none (RFC 3629). */
static int utf8_length(const unsigned char *text, size_t len) {
  unsigned char c = text[0];
  size_t need = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  if (!need || need > len) return 0;
  for (size_t i = 1; i < need; i++)
    if ((text[i] & 0xC0) != 0x80) return 0;
  if ((c == 0xE0 && text[1] < 0xA0) || (c == 0xED && text[1] > 0x9F) || (c == 0xF0 && text[1] < 0x90) || (c == 0xF4 && text[1] > 0x8F))
    return 0;
  return (int)need;
}

static void complain_byte(Scan *scan, Span span, unsigned char byte) {
  if (!scan->said_bytes)
    diag_suggest(scan_report(scan, E0002, span, "the byte 0x%02X is no UTF-8 text", byte), "save the file as UTF-8");
  scan->said_bytes = true;
}

/* Decodes escapes, and {{ }} in f-strings. */
static char *decode(Scan *scan, const char *text, int len, uint32_t offset, bool braces) {
  char *out = arena_alloc(scan->arena, (size_t)len + 1), *o = out;
  for (int i = 0; i < len; i++) {
    Span span = {scan->source->base + offset + (uint32_t)i, scan->source->base + offset + (uint32_t)i + 1};
    unsigned char c = (unsigned char)text[i];
    if (c == '\\' && i + 1 < len) {
      char e = text[++i];
      span.end++;
      if (e == 'n') *o++ = '\n';
      else if (e == 't') *o++ = '\t';
      else if (e == '\\' || e == '"') *o++ = e;
      else if (e & 0x80) i--, diag_suggest(scan_report(scan, E0008, span, "`\\` begins no escape here"), "known are \\n \\t \\\\ \\\"");
      else diag_suggest(scan_report(scan, E0008, span, "unknown escape `\\%c`", e < 32 ? '?' : e), "known are \\n \\t \\\\ \\\"; a backslash is `\\\\`");
    } else if (braces && (c == '{' || c == '}')) {
      *o++ = (char)c;
      i++;
    } else if (c == 0) {
      scan_report(scan, E0003, span, "a NUL byte in a text");
    } else if (c & 0x80) {
      int n = utf8_length((const unsigned char *)text + i, (size_t)(len - i));
      if (!n) complain_byte(scan, span, c);
      for (int k = 0; k < (n ? n : 1); k++) *o++ = text[i + k];
      i += n ? n - 1 : 0;
    } else {
      *o++ = (char)c;
    }
  }
  return out;
}

int lexeme_string(Scan *scan, const char *text, int len, bool closed) {
  if (!scan->names) return STRING;
  if (!closed) {
    if (scan->nfstrings) syntax_unclosed(scan, &scan->bracket[scan->nbrackets - 1]);
    else if (!scan->broken)
      diag_suggest(scan_report(scan, E0007, scan_here(scan), "the text that opens with `\"` does not end on its line"),
                   "close it with `\"`; a line end in a text is `\\n`");
    scan_abandon_brackets(scan);    /* the brackets that would close them are inside the text */
  }
  if (text[0] == '\'') {
    Diag *diag = scan_report(scan, E0004, scan_here(scan), "texts stand in double quotes");
    diag_replace(diag, "\"%.*s\"", len - 2, text + 1);
    diag_suggest(diag, "write `\"%.*s\"`", len - 2, text + 1);
  }
  scan->token.text = decode(scan, text + 1, len - 1 - closed, scan->start + 1, false);
  return STRING;
}

int lexeme_fstring_text(Scan *scan, const char *text, int len) {
  scan->token.text = scan->names ? decode(scan, text, len, scan->start, true) : "";
  return FTEXT;
}

/* --- spelling of other languages --- */

static const struct Foreign {
  const char *text, *instead;    /* instead: NULL where nothing can replace it mechanically */
  int token;                     /* read as this; 0: skipped */
  uint8_t op;
  const char *what, *help;
} foreign[] = {
  {"&&", "and", AND, 0, "`&&` is no operator here", "write `and`"},
  {"||", "or", OR, 0, "`||` is no operator here", "write `or`"},
  {"!", "not ", NOT, 0, "`!` is no operator here", "write `not`"},
  {"**", "^", '^', 0, "`**` is no operator here", "a power is written `^`"},
  {"<>", "!=", CMP, OP_NE, "`<>` is no operator here", "write `!=`"},
  {"=<", "<=", CMP, OP_LE, "`=<` is no operator here", "write `<=`"},
  {"===", "==", EQ, 0, "`===` is no operator here", "write `==`"},
  {"!==", "!=", CMP, OP_NE, "`!==` is no operator here", "write `!=`"},
  {":=", "=", '=', 0, "`:=` is no operator here", "`=` gives a name a value"},
  {"+=", NULL, '=', 0, "`+=` is no operator here", "write `a = a + b`"},
  {"-=", NULL, '=', 0, "`-=` is no operator here", "write `a = a - b`"},
  {"*=", NULL, '=', 0, "`*=` is no operator here", "write `a = a*b`"},
  {"/=", NULL, '=', 0, "`/=` is no operator here", "write `a = a/b`"},
  {"^=", NULL, '=', 0, "`^=` is no operator here", "write `a = a^b`"},
  {"->", NULL, ',', 0, "`->` is no operator here", "a member is written `a.b`"},
  {"=>", ">=", CMP, OP_GE, "`=>` is no operator here", "write `>=`"},
  {"//", "#", 0, 0, "`//` begins no comment here", "comments begin with `#`"},
  {"/*", NULL, 0, 0, "`/* */` is no comment here", "comments begin with `#` and end with the line"},
  {"|", NULL, OR, 0, "`|` is no operator here", "write `or`; a magnitude is `abs(x)`"},
  {"%", NULL, '*', 0, "there is no `%` operator", "the remainder is `mod(a, b)`; comments begin with `#`"},
  {"~", NULL, NOT, 0, "`~` is no operator here", "write `not`"},
  {"\\", NULL, 0, 0, "a stray `\\`", "a line goes on after a comma or an operator; no `\\` is needed"},
  {"'", NULL, 0, 0, "a stray `'`", "texts stand in double quotes; transpose(A) and dx(u) have names"},
  {"?", NULL, 0, 0, "a stray `?`", "a choice is written `if c then a else b`"},
  {"−", "-", '-', 0, "`−` (U+2212) is no `-`", "write the ASCII `-`"},
  {"–", "-", '-', 0, "`–` (U+2013) is no `-`", "write the ASCII `-`"},
  {"∗", "*", '*', 0, "`∗` (U+2217) is no `*`", "write the ASCII `*`"},
  {"∙", "·", TIMES, OP_DOT, "`∙` (U+2219) is no dot product", "write `·` (U+00B7) or dot(a, b)"},
  {"÷", "/", '/', 0, "`÷` is no operator here", "write `/`"},
  {"∧", "and", AND, 0, "`∧` is no operator here", "write `and`"},
  {"∨", "or", OR, 0, "`∨` is no operator here", "write `or`"},
  {"¬", "not ", NOT, 0, "`¬` is no operator here", "write `not`"},
  {"“", "\"", 0, 0, "`“` is no quotation mark here", "write the ASCII `\"`"},
  {"”", "\"", 0, 0, "`”` is no quotation mark here", "write the ASCII `\"`"},
  {"‘", "\"", 0, 0, "`‘` is no quotation mark here", "write the ASCII `\"`"},
  {"’", "\"", 0, 0, "`’` is no quotation mark here", "write the ASCII `\"`"},
  {"√", "sqrt", 0, 0, "`√` has no meaning here", "write `sqrt(x)`"},
  {"∫", "integral", 0, 0, "`∫` has no meaning here", "write `integral(f, on: part)`"},
  {"∂", NULL, 0, 0, "`∂` stands before t, x, y or z only", "write `∂x u` or `dx(u)`"},
  {"∞", NULL, 0, 0, "`∞` has no meaning here", "leave the bound out"},
  {"⁴", "^4", 0, 0, "`⁴` has no meaning here", "only ² and ³ are read as powers: write `^4`"},
  {"…", NULL, DOTDOT, 0, "`…` is no range", "write `a..b`"},
  {"\xC2\xA0", " ", 0, 0, "a no-break space (U+00A0)", "write a blank"},
  {"\xE3\x80\x80", " ", 0, 0, "an ideographic space (U+3000)", "write a blank"},
  {"\xE2\x80\x8B", "", 0, 0, "an invisible character (U+200B)", "delete it"},
  {"\xEF\xBB\xBF", "", 0, 0, "a byte order mark inside the text (U+FEFF)", "delete it"},
};

static uint32_t code_point(const char *text, int len) {
  uint32_t c = (unsigned char)text[0];
  if (len > 1) c &= 0x7Fu >> len;
  for (int i = 1; i < len; i++) c = c << 6 | ((unsigned char)text[i] & 0x3F);
  return c;
}

int lexeme_symbol(Scan *scan, const char *text, int len) {
  if (!scan->names) return 0;
  Span here = scan_here(scan);
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    const struct Foreign *f = &foreign[i];
    if (strncmp(f->text, text, (size_t)len) || f->text[len]) continue;
    bool comment = !strcmp(f->text, "//") || !strcmp(f->text, "/*");
    Span span = comment ? (Span){here.start, here.start + 2} : here;
    Diag *diag = scan_report(scan, E0004, span, "%s", f->what);
    diag_suggest(diag, "%s", f->help);
    if (f->instead) diag_replace(diag, "%s", f->instead);
    if (!comment && !f->instead) scan->broken = true;
    scan->token.op = f->op;
    return f->token;
  }
  unsigned char c = (unsigned char)text[0];
  if (c >= 0x80 && (len == 1 || !utf8_length((const unsigned char *)text, (size_t)len))) complain_byte(scan, here, c);
  else if (c < 32 || c == 127) {
    if (!scan->said_bytes) scan_report(scan, E0003, here, "a control character (0x%02X)", c);
    scan->said_bytes = true;      /* what is no text is full of them */
  }
  else if (c < 0x80) scan_report(scan, E0003, here, "a stray `%c`", c), scan->broken = true;
  else scan_report(scan, E0003, here, "`%.*s` (U+%04X) has no meaning here", len, text, code_point(text, len)), scan->broken = true;
  return 0;
}
