/* What the scanner (lex.l, scan.c), the grammar (parse.y) and the syntax messages (syntax.c) share. */
#ifndef SCAN_H
#define SCAN_H
#include "ast.h"

enum {
  SCAN_NESTING = 400,      /* open brackets */
  SCAN_HEIGHT = 2000,      /* nodes from the top of an expression to its deepest leaf: walkers may recurse */
  SCAN_STACK = 12000       /* symbols on the parser's stack; bounds right recursion (---x, a^b^c, else if) */
};

typedef struct Token {
  int kind;                /* of parse.h; 0 at the end */
  Span span;
  bool first;              /* the first on its line */
  uint8_t op;              /* AstOp of CMP, TIMES, PREFIX, SQUARED */
  uint16_t flags;          /* AST_PERCENT, AST_UNICODE */
  Name name;               /* NAME */
  double number;
  const char *text;        /* STRING and FTEXT decoded, NUMBER as written, FFORMAT */
} Token;

typedef struct Bracket {
  char kind;               /* ( [ {, " for an f-string, f for a { in one */
  bool broken;             /* the statement that holds this { was already reported */
  Span span;
} Bracket;

typedef struct NodeList {
  Ast **item;
  int n, cap;
} NodeList;

typedef struct Scan {
  Arena *arena;
  Interner *names;         /* NULL: names are not interned (the formatter only wants spans) */
  Diags *diags;            /* NULL with names, for a text that parsed without errors */
  const Source *source;
  void *flex;
  uint32_t start, at;      /* of the lexeme in hand, relative to the text */
  Bracket bracket[SCAN_NESTING];
  int nbrackets, nfstrings;
  Token token, before;     /* the last token handed to the parser and the one before it */
  int replay;              /* 2: hand out a newline and then replay_token; 1: only the latter */
  Token replay_token;
  Span offender;           /* the token of the last syntax error */
  Span joined;             /* the operator whose line end was passed over last, or nowhere */
  Span suspect;            /* a { whose } is indented unlike it, where a missing } shows first */
  uint32_t closed_at;      /* where the bracket around the last ; passed over is closed */
  bool not_a_block;        /* the { in hand stands where a value belongs: say nothing about what is in it */
  bool broken;             /* this statement has had its syntax error: say nothing more about it */
  bool closed_broken;      /* the same of the statement around the } just read */
  bool stopped;            /* given up: only closing braces follow */
  bool said_bytes, said_return, said_deep;
  int errors;              /* reported so far */
  bool incomplete;
  Ast *root;
  Comment *comments;
  int ncomments, comments_cap;
  bool uses_units;
} Scan;

/* scan.c: the token stream */
void scan_open(Scan *scan);                     /* arena, source and the borrowed fields are set */
Token *scan_next(Scan *scan);                   /* = &scan->token */
bool scan_newline(Scan *scan);                  /* whether the line end in hand ends a statement */
int scan_end(Scan *scan);
int scan_opening(Scan *scan, char kind, int token);
int scan_closing(Scan *scan, char close, int token);
void scan_close_fstring(Scan *scan);
void scan_comment(Scan *scan, const char *text, int len);
void scan_abandon_brackets(Scan *scan);         /* down to the innermost { */
void scan_abandon_fstring(Scan *scan);          /* the outermost, up to its closing quote on this line */
const char *scan_header(const Scan *scan, Span brace);   /* "pde heat" of the { at brace, or "" */
uint32_t scan_indent(const Scan *scan, uint32_t at);     /* of the line of a position */
int scan_line(const Scan *scan, uint32_t offset);
Diag *scan_report(Scan *scan, DiagCode code, Span span, const char *format, ...) __attribute__((format(printf, 4, 5)));
Span scan_here(const Scan *scan);               /* of the lexeme in hand */
bool scan_continues(int token);                 /* a newline after it counts for nothing */

/* lexeme.c: from spelling to value */
int lexeme_name(Scan *scan, const char *text, int len);
int lexeme_number(Scan *scan, const char *text, int len);
int lexeme_string(Scan *scan, const char *text, int len, bool closed);
int lexeme_fstring_text(Scan *scan, const char *text, int len);
int lexeme_symbol(Scan *scan, const char *text, int len);   /* spelling of other languages and stray characters; 0: skip it */
const char *lexeme_reserved(int token);         /* the reserved word of a token kind, or NULL */

/* lex.l */
void *scan_flex(Scan *scan, const char *text, int len);
int scan_lexeme(Scan *scan, void *flex);
void scan_mode(Scan *scan, bool tail);          /* leave an f-string; tail: pass over the rest of it */

/* syntax.c: errors of the grammar in the user's words */
enum { EXPECT_NAME = 1, EXPECT_EXPR = 2, EXPECT_END = 4, EXPECT_BLOCK = 8, EXPECT_CLOSE = 16, EXPECT_COLON = 32, EXPECT_ELSE = 64,
  EXPECT_THEN = 128, EXPECT_IN = 256, EXPECT_STRING = 512 };
void syntax_unexpected(Scan *scan, unsigned expected);
void syntax_exhausted(Scan *scan);
void syntax_unclosed(Scan *scan, const Bracket *bracket);
const char *syntax_foreign(const Source *source, Span *where);   /* the language a text is written in, or NULL for ours */

/* build.c: nodes, and the checks that need only the nodes at hand */
Ast *build(Scan *scan, AstKind kind, Span span, int n, ...);
Ast *build_list(Scan *scan, AstKind kind, Span span, Ast *first, NodeList rest);   /* first may be NULL: none */
Ast *build_token(Scan *scan, AstKind kind, const Token *token);
Ast *build_number(Scan *scan, Span span, const Token *token, Ast *unit);
Ast *build_infix(Scan *scan, AstOp op, uint16_t flags, Ast *left, Ast *right);
Ast *build_prefix(Scan *scan, AstOp op, uint16_t flags, Span span, Ast *operand);
Ast *build_tuple(Scan *scan, Span span, NodeList args);
Ast *build_arg(Scan *scan, Span span, Name label, Ast *value, Ast *fallback);
Ast *build_assign(Scan *scan, Span span, Ast *target, Ast *value);
Ast *build_subjects(Scan *scan, Span span, NodeList subjects);   /* the PHRASE of an ON */
Ast *build_decl(Scan *scan, Span span, const Token *word, Ast *phrase, Ast *value, Ast *block, int flags);
Ast *build_named(Scan *scan, AstKind kind, Span span, const Token *word, Ast *child);
NodeList build_add(Scan *scan, NodeList list, Ast *node);

int parse_parse(Scan *scan);

#endif
