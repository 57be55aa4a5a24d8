#include "ast.h"

#include <string.h>

#include "buf.h"

const char *ast_kind_name(int kind) {
  static const char *const names[AST_KINDS] = {
#define AST(kind, children) [AST_##kind] = #kind,
#include "ast.def"
#undef AST
  };
  return kind >= 0 && kind < AST_KINDS ? names[kind] : "?";
}

const char *ast_op_text(int op) {
  static const char *const text[] = {
    [OP_NONE] = "", [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/", [OP_POW] = "^", [OP_AND_GEOM] = "&",
    [OP_CAT] = "++", [OP_DOT] = "dot", [OP_CROSS] = "cross", [OP_OUTER] = "outer", [OP_NEG] = "-", [OP_NOT] = "not",
    [OP_AND] = "and", [OP_OR] = "or", [OP_LT] = "<", [OP_GT] = ">", [OP_LE] = "<=", [OP_GE] = ">=", [OP_NE] = "!=",
    [OP_IN] = "in", [OP_TO] = "to", [OP_AT] = "at", [OP_GRAD] = "grad", [OP_DIVERGENCE] = "div", [OP_CURL] = "curl",
    [OP_LAP] = "lap", [OP_DT] = "dt", [OP_DX] = "dx", [OP_DY] = "dy", [OP_DZ] = "dz", [OP_SQUARE] = "^2", [OP_CUBE] = "^3",
  };
  return op >= 0 && op < (int)(sizeof text / sizeof *text) ? text[op] : "?";
}

void ast_walk(const Ast *node, bool (*visit)(const Ast *node, void *user), void *user) {
  if (!node || !visit(node, user)) return;
  for (int i = 0; i < node->n; i++) ast_walk(node->kid[i], visit, user);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

bool ast_equal(const Ast *a, const Ast *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->op != b->op || a->n != b->n || ((a->flags ^ b->flags) & ~AST_UNICODE)) return false;
  if (!same_text(a->name, b->name)) return false;
  if (a->kind == AST_NUMBER || a->kind == AST_BOOL ? a->number != b->number : !same_text(a->text, b->text)) return false;
  for (int i = 0; i < a->n; i++)
    if (!ast_equal(a->kid[i], b->kid[i])) return false;
  return true;
}

/* --- s-expressions --- */

static void print_text(Buf *out, const char *text) {
  buf_putc(out, '"');
  for (const char *c = text; *c; c++) {
    if (*c == '\n') buf_puts(out, "\\n");
    else if (*c == '\t') buf_puts(out, "\\t");
    else {
      if (*c == '"' || *c == '\\') buf_putc(out, '\\');
      buf_putc(out, *c);
    }
  }
  buf_putc(out, '"');
}

static void print_lower(Buf *out, const char *word) {
  for (; *word; word++) buf_putc(out, *word >= 'A' && *word <= 'Z' ? (char)(*word + 32) : *word);
}

static void print_flags(Buf *out, const Ast *a) {
  if (a->flags & AST_AFTER_COMMA) buf_puts(out, ", ");
  if (a->flags & AST_WITH_ON) buf_puts(out, "on ");
  if (a->flags & AST_WITH_FOR) buf_puts(out, "for ");
}

/* The word after the opening parenthesis. */
static void print_head(Buf *out, const Ast *a) {
  if (a->kind == AST_BINARY) buf_puts(out, ast_op_text(a->op));
  else if (a->kind == AST_UNARY && a->op == OP_NEG) buf_puts(out, "neg");
  else if (a->kind == AST_UNARY) buf_puts(out, ast_op_text(a->op));
  else if (a->kind == AST_EQUATION) buf_puts(out, "==");
  else print_lower(out, ast_kind_name(a->kind));
}

static void print_leaf(Buf *out, const Ast *a) {
  switch (a->kind) {
    case AST_NAME: buf_puts(out, a->name); break;
    case AST_STRING: case AST_FTEXT: print_text(out, a->text); break;
    case AST_BOOL: buf_puts(out, a->number != 0 ? "true" : "false"); break;
    default: buf_puts(out, a->text ? a->text : "?"); break;    /* NUMBER without a unit */
  }
}

static bool leaf(const Ast *a) {
  return a->kind == AST_NAME || a->kind == AST_STRING || a->kind == AST_FTEXT || a->kind == AST_BOOL ||
         (a->kind == AST_NUMBER && !a->kid[0]);
}

void ast_print(Buf *out, const Ast *a) {
  if (!a) {
    buf_putc(out, '_');
    return;
  }
  print_flags(out, a);
  if (leaf(a)) {
    print_leaf(out, a);
    return;
  }
  buf_putc(out, '(');
  print_head(out, a);
  if (a->name && a->kind != AST_FOR) buf_printf(out, " %s", a->name);
  if (a->kind == AST_DECL && a->flags & AST_WITH_COLON) buf_putc(out, ':');
  if (a->text && a->kind == AST_NUMBER) buf_printf(out, " %s", a->text);
  else if (a->text && a->kind != AST_CHAIN) buf_putc(out, ' '), print_text(out, a->text);
  for (int i = 0; i < a->n; i++) {
    if (a->kind == AST_CHAIN && i) buf_printf(out, " %s", ast_op_text(a->text[i - 1]));
    buf_putc(out, ' ');
    ast_print(out, a->kid[i]);
  }
  buf_putc(out, ')');
}
