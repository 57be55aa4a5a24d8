/* Construction of nodes for the grammar, with the checks that need only the nodes at hand. */
#include <stdarg.h>
#include <string.h>

#include "parse.h"
#include "scan.h"

/* --- nodes --- */

static Ast *node(Scan *scan, AstKind kind, Span span, Ast **kid, int n) {
  Ast *a = ARENA_NEW(scan->arena, Ast);
  *a = (Ast){.kind = (uint8_t)kind, .span = span, .n = n, .kid = kid, .height = 1};
  for (int i = 0; i < n; i++)
    if (kid[i] && kid[i]->height >= a->height) a->height = kid[i]->height + 1;
  if (a->height <= SCAN_HEIGHT || kind > AST_IFEXPR) return a;
  if (!scan->said_deep && !scan->broken)
    diag_suggest(scan_report(scan, E0019, span, "an expression nests deeper than %d", (int)SCAN_HEIGHT),
                 "split it: give parts of it names");
  scan->said_deep = true;
  a->n = 0;             /* what lies below is dropped: nobody walks a tree that deep */
  a->height = 1;
  a->kind = AST_NAME;
  a->name = scan->names ? intern(scan->names, "", 0) : "";
  return a;
}

Ast *build(Scan *scan, AstKind kind, Span span, int n, ...) {
  Ast **kid = n ? ARENA_ARRAY(scan->arena, Ast *, n) : NULL;
  va_list args;
  va_start(args, n);
  for (int i = 0; i < n; i++) kid[i] = va_arg(args, Ast *);
  va_end(args);
  return node(scan, kind, span, kid, n);
}

NodeList build_add(Scan *scan, NodeList list, Ast *item) {
  if (!item) return list;
  if (list.n == list.cap) {
    int cap = list.cap ? list.cap * 2 : 4;
    Ast **more = ARENA_ARRAY(scan->arena, Ast *, cap);
    if (list.n) memcpy(more, list.item, (size_t)list.n * sizeof *more);
    list.item = more;
    list.cap = cap;
  }
  list.item[list.n++] = item;
  return list;
}

Ast *build_list(Scan *scan, AstKind kind, Span span, Ast *first, NodeList rest) {
  if (!first) return node(scan, kind, span, rest.item, rest.n);
  Ast **kid = ARENA_ARRAY(scan->arena, Ast *, rest.n + 1);
  kid[0] = first;
  if (rest.n) memcpy(kid + 1, rest.item, (size_t)rest.n * sizeof *kid);
  return node(scan, kind, span, kid, rest.n + 1);
}

Ast *build_token(Scan *scan, AstKind kind, const Token *token) {
  Ast *a = node(scan, kind, token->span, NULL, 0);
  a->name = kind == AST_NAME ? token->name : NULL;
  a->text = token->text;
  a->flags = token->flags;
  return a;
}

Ast *build_named(Scan *scan, AstKind kind, Span span, const Token *word, Ast *child) {
  Ast *a = build(scan, kind, span, 1, child);
  if (a->kind == kind) a->name = word->name;
  return a;
}

Ast *build_arg(Scan *scan, Span span, Name label, Ast *value, Ast *fallback) {
  Ast *a = build(scan, AST_ARG, span, 2, value, fallback);
  if (a->kind == AST_ARG) a->name = label;
  return a;
}

Ast *build_tuple(Scan *scan, Span span, NodeList args) {
  bool paren = args.n == 1 && args.item[0]->kind != AST_ARG;
  return build_list(scan, paren ? AST_PAREN : AST_TUPLE, span, NULL, args);
}

/* --- numbers and units --- */

static bool is_unit(const Ast *a) {
  switch (a->kind) {
    case AST_NAME: return true;
    case AST_NUMBER: return !a->kid[0];
    case AST_PAREN: return is_unit(a->kid[0]);
    case AST_UNARY: return (a->op == OP_NEG || a->op == OP_SQUARE || a->op == OP_CUBE) && is_unit(a->kid[0]);
    case AST_BINARY:
      return (a->op == OP_MUL || a->op == OP_DIV || a->op == OP_POW || a->op == OP_DOT) && is_unit(a->kid[0]) && is_unit(a->kid[1]);
    default: return false;
  }
}

Ast *build_number(Scan *scan, Span span, const Token *token, Ast *unit) {
  Ast *a = build(scan, AST_NUMBER, span, 1, unit);
  if (a->kind != AST_NUMBER) return a;
  a->number = token->number;
  a->text = token->text;
  a->flags = token->flags;
  if (!unit) return a;
  scan->uses_units = true;
  bool index = unit->kind == AST_NUMBER && unit->number != 1;
  if ((index || !is_unit(unit)) && !scan->broken)
    diag_suggest(scan_report(scan, E0017, unit->span, index ? "a number is not a list: it can't be indexed" : "this is no unit"),
                 "a unit is a product of unit names and powers, as in `9.81 [m/s^2]`");
  return a;
}

static const Ast *number_with_unit(const Ast *a) {
  if (a->kind == AST_UNARY && a->op == OP_NEG) a = a->kid[0];
  return a->kind == AST_NUMBER && a->kid[0] ? a : NULL;
}

/* 1/2 [m] reads as half a metre and would mean 1/(2 m): refused. */
static void check_unit_after(Scan *scan, AstOp op, const Ast *left, const Ast *right) {
  const Ast *number = op == OP_DIV || op == OP_POW ? number_with_unit(right) : NULL;
  if (!number || scan->broken) return;
  const char *text = scan->source->text;
  const Ast *unit = number->kid[0];
  int n = (int)(unit->span.end - unit->span.start);
  const char *u = text + (unit->span.start - scan->source->base);
  Span span = span_join(left->span, right->span);
  if (op == OP_POW) {
    diag_suggest(scan_report(scan, E0016, span, "an exponent has no unit, and a unit after `^` is not the power's"),
                 "put the power in parentheses and multiply: `(a^b)*1 [%.*s]`", n, u);
    return;
  }
  Diag *diag = scan_report(scan, E0016, span, "the unit after `/` belongs to `%s` alone, not to the quotient", number->text);
  const Ast *first = left->kind == AST_UNARY && left->op == OP_NEG ? left->kid[0] : left;
  if (first->kind == AST_NUMBER && !first->kid[0] && number->number != 0) {
    Buf value = {0};
    buf_number(&value, (first == left ? 1 : -1) * first->number / number->number);
    diag_suggest(diag, "write `%s [%.*s]` or `%s/(%s [%.*s])`", buf_str(&value), n, u, first->text, number->text, n, u);
    buf_free(&value);
  } else {
    diag_suggest(diag, "write `.../(%s [%.*s])`, or multiply by a number with the unit", number->text, n, u);
  }
}

/* --- operators --- */

static bool comparison(AstOp op) {
  return op == OP_LT || op == OP_GT || op == OP_LE || op == OP_GE || op == OP_NE || op == OP_IN;
}

/* a < b extended by < c */
static Ast *extend_chain(Scan *scan, Span span, AstOp op, uint16_t flags, Ast *left, Ast *right) {
  bool chain = left->kind == AST_CHAIN;
  int n = chain ? left->n : 2;
  Ast **kid = ARENA_ARRAY(scan->arena, Ast *, n + 1);
  char *ops = arena_alloc(scan->arena, (size_t)n + 1);
  memcpy(kid, left->kid, (size_t)n * sizeof *kid);
  kid[n] = right;
  if (chain) memcpy(ops, left->text, (size_t)n - 1);
  else ops[0] = (char)left->op;
  ops[n - 1] = (char)op;
  Ast *a = node(scan, AST_CHAIN, span, kid, n + 1);
  if (a->kind != AST_CHAIN) return a;
  a->text = ops;
  a->flags = flags | left->flags;
  return a;
}

static void check_at(Scan *scan, AstOp op, const Ast *left, const Ast *right) {
  if (op != OP_ADD && op != OP_SUB && op != OP_CAT) return;
  const Ast *at = left->kind == AST_BINARY && left->op == OP_AT ? left : right->kind == AST_BINARY && right->op == OP_AT ? right : NULL;
  if (!at || scan->broken) return;
  int n = (int)(at->span.end - at->span.start);
  Diag *diag = scan_report(scan, E0018, span_join(left->span, right->span), "`at` beside `%s` needs parentheses", ast_op_text(op));
  if (n < 60)
    diag_suggest(diag, "write `(%.*s)`, or put the whole sum in parentheses", n, scan->source->text + (at->span.start - scan->source->base));
}

Ast *build_infix(Scan *scan, AstOp op, uint16_t flags, Ast *left, Ast *right) {
  Span span = span_join(left->span, right->span);
  check_unit_after(scan, op, left, right);
  check_at(scan, op, left, right);
  if (op == OP_TO && right->kind == AST_LIST) scan->uses_units = true;
  if (comparison(op) && (left->kind == AST_CHAIN || (left->kind == AST_BINARY && comparison(left->op))))
    return extend_chain(scan, span, op, flags, left, right);
  Ast *a = build(scan, AST_BINARY, span, 2, left, right);
  if (a->kind != AST_BINARY) return a;
  a->op = (uint8_t)op;
  a->flags = flags;
  return a;
}

Ast *build_prefix(Scan *scan, AstOp op, uint16_t flags, Span span, Ast *operand) {
  Ast *a = build(scan, AST_UNARY, span, 1, operand);
  if (a->kind != AST_UNARY) return a;
  a->op = (uint8_t)op;
  a->flags = flags;
  return a;
}

/* --- statements --- */

Ast *build_subjects(Scan *scan, Span span, NodeList subjects) {
  for (int i = 1; i < subjects.n; i++) subjects.item[i]->flags |= AST_AFTER_COMMA;
  return build_list(scan, AST_PHRASE, span, NULL, subjects);
}

static bool is_target(const Ast *a) {
  if (a->kind == AST_NAME || a->kind == AST_MEMBER) return true;
  if (a->kind != AST_TUPLE) return false;
  for (int i = 0; i < a->n; i++)
    if (a->kid[i]->kind != AST_NAME) return false;
  return true;
}

static void complain_target(Scan *scan, const Ast *target) {
  if (scan->broken) return;
  Diag *diag = scan_report(scan, E0014, target->span, "only a name can be given a value with `=`");
  if (target->kind == AST_CALL)
    diag_suggest(diag, "an equation is written `==`; a function is defined by `fn f(x) = ...`");
  else if (target->kind == AST_INDEX)
    diag_suggest(diag, "values do not change in place: build a new list with `++`, or a copy with `a with (b: c)`");
  else if (target->kind == AST_BOOL)
    diag_suggest(diag, "`true` and `false` are reserved: choose another name");
  else
    diag_suggest(diag, "an equation is written `==`");
}

Ast *build_assign(Scan *scan, Span span, Ast *target, Ast *value) {
  if (!is_target(target)) complain_target(scan, target);
  return build(scan, AST_ASSIGN, span, 2, target, value);
}

Ast *build_decl(Scan *scan, Span span, const Token *word, Ast *phrase, Ast *value, Ast *block, int flags) {
  Ast *a = build(scan, AST_DECL, span, 3, phrase, value, block);
  a->name = word->name;
  a->flags = (uint16_t)(flags | (block ? AST_BLOCK_FORM : 0));
  return a;
}
