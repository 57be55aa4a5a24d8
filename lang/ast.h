/* Syntax trees. One node type for all: kind, operator, span, name, number, children. The roles of the children of a kind are
 * in ast.def. Nodes live in the arena of their source. */
#ifndef AST_H
#define AST_H
#include <stdbool.h>

#include "diag.h"
#include "intern.h"

typedef enum AstKind {
#define AST(kind, children) AST_##kind,
#include "ast.def"
#undef AST
  AST_KINDS
} AstKind;

typedef enum AstOp {
  OP_NONE, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW, OP_AND_GEOM /* & */, OP_CAT /* ++ */,
  OP_DOT, OP_CROSS, OP_OUTER,                           /* written · × ⊗ */
  OP_NEG, OP_NOT, OP_AND, OP_OR, OP_LT, OP_GT, OP_LE, OP_GE, OP_NE, OP_IN, OP_TO, OP_AT,
  OP_GRAD, OP_DIVERGENCE, OP_CURL, OP_LAP, OP_DT, OP_DX, OP_DY, OP_DZ,   /* written ∇ ∇· ∇× Δ ∂t ... : prefix operators */
  OP_SQUARE, OP_CUBE                                    /* written ² ³ */
} AstOp;

/* Flags of a phrase item and of nodes that remember how they were written. */
enum {
  AST_AFTER_COMMA = 1,    /* phrase item: a comma stands before it */
  AST_WITH_ON = 2,        /* phrase item: `on` stands before it */
  AST_WITH_FOR = 4,       /* phrase item: `for` stands before it */
  AST_WITH_COLON = 8,     /* DECL: ":" introduces child 1; otherwise "=" does */
  AST_PERCENT = 16,       /* NUMBER: written with %, the number is already divided by 100 */
  AST_UNICODE = 32,       /* written in mathematical spelling */
  AST_BLOCK_FORM = 64     /* ON, DECL: a block was given */
};

typedef struct Ast Ast;
struct Ast {
  uint8_t kind, op;
  uint16_t flags;
  int n;                  /* number of children */
  Span span;
  int height;             /* 1 + the greatest of the children; at most about 3000, so that walkers may recurse */
  Name name;              /* NAME, MEMBER, ARG (label), DECL and OPTIONS (word), IMPORT (as), FOR (single target) */
  double number;          /* NUMBER (without its unit), BOOL (0, 1) */
  const char *text;       /* STRING (decoded, NUL-terminated), FTEXT, NUMBER (as written), IMPORT (path), FPART (format or NULL) */
  Ast **kid;              /* children; a NULL child is an absent optional one */
  const char *doc;        /* DECL, ASSIGN: the ## lines above, joined by \n; or NULL */
};

/* A comment, kept for the formatter. */
typedef struct Comment {
  Span span;
  bool own_line;          /* nothing but blanks before it on its line */
} Comment;

typedef struct Program {
  Arena *arena;           /* owns everything below */
  const Source *source;
  Ast *root;              /* a BLOCK; statements that did not parse are absent */
  Comment *comments;
  int ncomments;
  bool uses_units;        /* a unit literal occurs */
  int nerrors;            /* syntax errors of this source; what they touch is not in the tree */
  int refs;
} Program;

/* Parses a whole source. NULL only when memory is out (E0001 is reported); syntax errors are reported to diags and the
 * program holds what could be read. `incomplete`, if given, is set when the text ends inside an open construct and nothing
 * else is wrong (the REPL asks for another line). */
Program *parse_program(const Source *source, Interner *names, Diags *diags, bool *incomplete);
Program *program_retain(Program *program);
void program_release(Program *program);

const char *ast_kind_name(int kind);
const char *ast_op_text(int op);              /* "+", "and", ... */
void ast_walk(const Ast *node, bool (*visit)(const Ast *node, void *user), void *user);  /* preorder; false: not deeper */
bool ast_equal(const Ast *a, const Ast *b);   /* but for spans, comments and spelling */
void ast_print(Buf *out, const Ast *node);    /* an s-expression, for tests */

#endif
