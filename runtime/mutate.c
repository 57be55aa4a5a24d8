#include "mutate.h"

#include <string.h>

typedef struct Mutator {
  Program *program;
  int left;              /* mutations before the one that is wanted */
  bool done;
  Name contract;
  Buf *what;
} Mutator;

static void describe(Mutator *m, const Ast *node, const char *change) {
  const Source *source = m->program->source;
  uint32_t offset = node->span.start - source->base;
  int line = 1;
  for (uint32_t i = 0; i < offset; i++) line += source->text[i] == '\n';
  buf_printf(m->what, "%s:%d: %s: `%.*s`: %s", source->path, line, m->contract, (int)(node->span.end - node->span.start), source->text + offset, change);
}

/* This mutation is the wanted one? */
static bool take(Mutator *m, const Ast *node, const char *change) {
  if (m->done || m->left-- > 0) return false;
  describe(m, node, change);
  return m->done = true;
}

static bool is_zero(const Ast *node) { return node->kind == AST_NUMBER && node->number == 0; }

static Ast *scaled(Mutator *m, Ast *node, double factor) {
  Ast *number = ARENA_NEW(m->program->arena, Ast), *product = ARENA_NEW(m->program->arena, Ast), *bracket = ARENA_NEW(m->program->arena, Ast);
  *number = (Ast){.kind = AST_NUMBER, .number = factor, .span = node->span, .height = 1, .text = factor < 1 ? "0.5" : "2", .n = 1, .kid = ARENA_ARRAY(m->program->arena, Ast *, 1)};
  *bracket = (Ast){.kind = AST_PAREN, .span = node->span, .height = node->height + 1, .n = 1, .kid = ARENA_ARRAY(m->program->arena, Ast *, 1)};
  *product = (Ast){.kind = AST_BINARY, .op = OP_MUL, .span = node->span, .height = node->height + 2, .n = 2, .kid = ARENA_ARRAY(m->program->arena, Ast *, 2)};
  bracket->kid[0] = node;
  product->kid[0] = number;
  product->kid[1] = bracket;
  return product;
}

static void visit(Mutator *m, Ast **place) {
  Ast *node = *place;
  if (!node || m->done) return;
  if (node->kind == AST_BINARY && (node->op == OP_ADD || node->op == OP_SUB) && take(m, node, node->op == OP_ADD ? "+ becomes -" : "- becomes +"))
    node->op = node->op == OP_ADD ? OP_SUB : OP_ADD;
  else if (node->kind == AST_UNARY && node->op == OP_NEG && take(m, node, "the sign is lost"))
    *place = node->kid[0];
  else if (node->kind == AST_CALL && node->n == 3 && node->kid[0]->kind == AST_NAME && !strcmp(node->kid[0]->name, "max") &&
           (is_zero(node->kid[1]) || is_zero(node->kid[2])) && take(m, node, "max(0, ..) is lost"))
    *place = is_zero(node->kid[1]) ? node->kid[2] : node->kid[1];
  for (int i = 0; i < node->n && !m->done; i++) visit(m, &node->kid[i]);
}

static bool is_violation(const Ast *node) {
  return node && node->kind == AST_ASSIGN && node->kid[0]->kind == AST_NAME && !strcmp(node->kid[0]->name, "violation");
}

static void mutate_contract(Mutator *m, const Ast *decl) {
  const Ast *call = decl->kid[0] && decl->kid[0]->n ? decl->kid[0]->kid[0] : NULL, *block = decl->n > 2 ? decl->kid[2] : NULL;
  m->contract = call && call->kind == AST_CALL && call->kid[0]->kind == AST_NAME ? call->kid[0]->name : "contract";
  for (int i = 0; block && i < block->n && !m->done; i++) {
    if (!is_violation(block->kid[i])) continue;
    Ast **value = &block->kid[i]->kid[1];
    if (take(m, *value, "half of it")) *value = scaled(m, *value, 0.5);
    else if (take(m, *value, "twice as much")) *value = scaled(m, *value, 2);
    else visit(m, value);
  }
}

bool mutate_apply(Program *program, int k, Buf *what) {
  Mutator m = {.program = program, .left = k, .what = what};
  const Ast *root = program->root;
  for (int i = 0; root && i < root->n && !m.done; i++)
    if (root->kid[i] && root->kid[i]->kind == AST_DECL && !strcmp(root->kid[i]->name, "contract")) mutate_contract(&m, root->kid[i]);
  return m.done;
}
