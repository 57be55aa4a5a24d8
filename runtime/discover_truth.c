#include "discover_truth.h"

#include <stdlib.h>
#include <string.h>

/* d_x^dx d_y^dy C * g as text: equal parts have equal texts. */
static void part_text(Buf *out, const LawPart *part) {
  static const char *const derivative[3][3] = {{"C", "C_y", "C_yy"}, {"C_x", "C_xy", "C_xyy"}, {"C_xx", "C_xxy", "C_xxyy"}};
  buf_printf(out, "%s*(", derivative[part->dx][part->dy]);
  law_print_sum(out, part->g);
  buf_putc(out, ')');
}

static bool same_part(const LawPart *a, const LawPart *b) {
  Buf p = {0}, q = {0};
  part_text(&p, a), part_text(&q, b);
  bool same = !strcmp(buf_str(&p), buf_str(&q));
  buf_free(&p), buf_free(&q);
  return same;
}

/* How many parts of a are parts of b. */
static int common_parts(const LawField *a, const LawField *b) {
  int n = 0;
  for (int i = 0; i < a->nparts; i++)
    for (int k = 0; k < b->nparts; k++)
      if (same_part(&a->part[i], &b->part[k])) {
        n++;
        break;
      }
  return n;
}

static bool acts_alike(const LawField *a, const LawField *b) { return a->nparts == b->nparts && common_parts(a, b) == a->nparts; }

static Json *field_json(const LawField *field) {
  Buf text = {0};
  for (int i = 0; i < field->nparts; i++) {
    if (i) buf_puts(&text, " + ");
    part_text(&text, &field->part[i]);
  }
  Json *node = json_string(buf_str(&text));
  buf_free(&text);
  return node;
}

/* Fields of the law that are parts of one field of the truth, several of them. */
static int pieces(const Law *law, const LawField *whole, const bool *used, int *piece) {
  int n = 0;
  for (int k = 0; k < law->nfields; k++) {
    const LawField *f = &law->field[k];
    bool known_pieces = f->nparts < whole->nparts && common_parts(f, whole) == f->nparts;
    if (!used[k] && known_pieces) piece[n++] = k;
  }
  return n;
}

static bool same_known(const Law *a, const Law *b) {
  Buf p = {0}, q = {0};
  law_print_sum(&p, a->known), law_print_sum(&q, b->known);
  bool same = !strcmp(buf_str(&p), buf_str(&q));
  buf_free(&p), buf_free(&q);
  return same;
}

/* Of an equal law: are fields the same up to names, is one written with the other sign, or is it another form? */
typedef struct Renaming { const Law *law; } Renaming;

static Expr *rename_field(ExprPool *pool, Expr *leaf, void *user) {
  const Law *law = ((Renaming *)user)->law;
  (void)pool;
  for (int k = 0; leaf->op == EXPR_SYMBOL && k < law->nauthors; k++)
    if (law->author[k].name == leaf->name && law->author[k].same) return law_field(law->space, law->author[k].pull[0].field, "C");
  return leaf;
}

static bool written_alike(const Law *a, const Law *b) {
  Renaming p = {a}, q = {b};
  Expr *left = expr_substitute(a->space->pool, a->right, rename_field, &p), *right = expr_substitute(b->space->pool, b->right, rename_field, &q);
  return left && right && expr_same(left, right);
}

/* The sign with which each canonical field is written; 0: no field of the author is one. */
static void signs_of(const Law *law, int *sign) {
  memset(sign, 0, sizeof(int) * LAW_FIELDS);
  for (int k = 0; k < law->nauthors; k++)
    if (law->author[k].npulls == 1 && !law->author[k].pull[0].dx && !law->author[k].pull[0].dy) sign[law->author[k].pull[0].field] = law->author[k].pull[0].factor.num < 0 ? -1 : 1;
}

static const char *relation_of(const Law *law, const Law *truth) {
  int a[LAW_FIELDS], b[LAW_FIELDS];
  if (strcmp(law->id, truth->id)) return "other";
  if (strcmp(law->expanded, truth->expanded)) return "equivalent";
  if (written_alike(law, truth)) return "exact";
  signs_of(law, a), signs_of(truth, b);
  for (int k = 0; k < law->nfields; k++)
    if (a[k] * b[k] < 0) return "signed_field";
  return "product_rule";
}

static const char *relation_text(const char *relation) {
  static const char *const texts[][2] = {
      {"exact", "the law of the truth"},
      {"product_rule", "the law of the truth, written in another form (product rule, scale, order)"},
      {"signed_field", "the law of the truth, with a field of the other sign"},
      {"equivalent", "the law of the truth with other fields: they can be exchanged for its own"},
      {"other", "another law"},
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    if (!strcmp(texts[k][0], relation)) return texts[k][1];
  return "";
}

void truth_compare(const Law *law, const Law *truth, Truth *out) {
  bool used[LAW_FIELDS] = {false};
  const char *relation = relation_of(law, truth);
  Json *extra = json_array(), *missing = json_array(), *split = json_array(), *narrow = json_array();
  for (int k = 0; k < truth->nfields; k++) {
    const LawField *f = &truth->field[k];
    out->match[k] = -1;
    for (int m = 0; m < law->nfields && out->match[k] < 0; m++)
      if (!used[m] && acts_alike(f, &law->field[m])) out->match[k] = m, used[m] = true;
    if (out->match[k] < 0) continue;
    if (f->domain & ~law->field[out->match[k]].domain) json_append(narrow, field_json(f));
    if (f->domain != law->field[out->match[k]].domain) out->match[k] = f->domain & ~law->field[out->match[k]].domain ? -2 : out->match[k];
  }
  for (int k = 0; k < truth->nfields; k++) {
    int piece[LAW_FIELDS], n;
    if (out->match[k] == -2) out->match[k] = -1;
    else if (out->match[k] < 0) {
      n = pieces(law, &truth->field[k], used, piece);
      json_append(n > 1 ? split : missing, field_json(&truth->field[k]));
      for (int i = 0; i < n && n > 1; i++) used[piece[i]] = true;
    }
  }
  for (int m = 0; m < law->nfields; m++)
    if (!used[m]) json_append(extra, field_json(&law->field[m]));
  out->report = json_object();
  json_put(out->report, "relation", json_string(relation));
  json_put(out->report, "text", json_string(relation_text(relation)));
  json_put(out->report, "truth", json_string(truth->key));
  json_put(out->report, "extra", extra);
  json_put(out->report, "missing", missing);
  json_put(out->report, "split", split);
  json_put(out->report, "missing_dependence", narrow);
  json_put(out->report, "same_known_terms", json_bool(same_known(law, truth)));
}
