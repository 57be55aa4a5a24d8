/* hypothesis h for d { unknown field C(x, y), R(x); dt(u) == div(C*grad(u)) - R*u } */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hypothesis.h"

static const char example[] = "as in hypothesis h1 for d { unknown field C(x, y); dt(u) == div(C*grad(u)) }";
enum { FIELDS_MOST = 32 };

typedef struct Reading {
  Eval ev;                   /* inside of the declaration */
  HypothesisValue *h;
  const LawSpace *space;
  LawUnknown unknown[FIELDS_MOST]; int n;
  Span span[FIELDS_MOST];
  const Ast *equation;
} Reading;

static bool refuse(Reading *r, DiagCode code, Span span, const char *text, const char *word) {
  diag_suggest(diag_report(&r->ev.host->diags, code, span, text, word), "%s", example);
  return false;
}

static void bind(Reading *r, Name name, Expr *e, Span span) {
  Value *v = value_field(e, NULL);
  scope_set(r->ev.scope, name, v, span)->is_own = true;
  value_release(v);
}

/* C(x, y), C(x), C(y); C alone is a constant. */
static bool read_field(Reading *r, const Ast *item) {
  const Ast *name = item->kind == AST_CALL ? item->kid[0] : item;
  unsigned domain = 0;
  if (name->kind != AST_NAME) return refuse(r, E0209, item->span, "an unknown field is a name with its coordinates%s", "");
  for (int k = 1; item->kind == AST_CALL && k < item->n; k++) {
    bool x = item->kid[k]->kind == AST_NAME && !strcmp(item->kid[k]->name, "x"), y = item->kid[k]->kind == AST_NAME && !strcmp(item->kid[k]->name, "y");
    if (!x && !y) return refuse(r, E4007, item->kid[k]->span, "the field `%s` may depend on x and y alone", name->name);
    domain |= x ? LAW_X : LAW_Y;
  }
  if (r->n == FIELDS_MOST) return refuse(r, E4010, item->span, "too many fields%s", "");
  r->unknown[r->n] = (LawUnknown){name->name, domain};
  r->span[r->n] = item->span;
  bind(r, name->name, law_field(r->space, r->n, name->name), item->span);
  r->n++;
  return true;
}

static bool read_unknown(Reading *r, const Ast *s) {
  const Ast *phrase = s->kid[0];
  bool fields = phrase && phrase->n > 1 && phrase->kid[0]->kind == AST_NAME && !strcmp(phrase->kid[0]->name, "field");
  if (!fields) return refuse(r, E0209, s->span, "`unknown field` is followed by names with their coordinates%s", "");
  for (int k = 1; k < phrase->n; k++)
    if (!read_field(r, phrase->kid[k])) return false;
  return true;
}

static bool read_statement(Reading *r, const Ast *s) {
  if (s->kind == AST_DECL && !strcmp(s->name, "unknown")) return read_unknown(r, s);
  if (s->kind == AST_EXPR && s->kid[0]->kind == AST_EQUATION) {
    if (r->equation) return refuse(r, E0209, s->span, "a hypothesis has one equation%s", "");
    r->equation = s->kid[0];
    return true;
  }
  if (s->kind == AST_DECL && !strcmp(s->name, "field")) return decl_field(&r->ev, s) == FLOW_NEXT;      /* parts with names */
  if (s->kind == AST_ASSIGN && s->kid[0]->kind == AST_NAME && s->kid[0]->name != r->space->state) return eval_statement(&r->ev, s, NULL) == FLOW_NEXT;
  return refuse(r, E0202, s->span, "this is no clause of a hypothesis: it has `unknown field` and one equation%s", "");
}

static Expr *side(Reading *r, const Ast *node) {
  Deps deps = {0};
  Value *v = eval_expr(&r->ev, node);
  Expr *e = is_poison(v) ? NULL : eval_to_expr(&r->ev, v, node->span, &deps);
  deps_free(&deps);
  value_release(v);
  return e;
}

/* A field that no term uses; the place. */
static bool fields_used(Reading *r, Span *place) {
  for (int i = 0; i < r->n; i++) {
    const Slot *slot = scope_find_own(r->ev.scope, r->unknown[i].name);
    if (!slot || slot->used) continue;
    r->h->fault.code = E4009;
    snprintf(r->h->fault.found, sizeof r->h->fault.found, "the equation does not use the field `%s`", r->unknown[i].name);
    snprintf(r->h->fault.mend, sizeof r->h->fault.mend, "use it, or leave it out");
    *place = r->span[i];
    return false;
  }
  return true;
}

/* On one line, without comments. */
static char *line_of(Host *host, Span span) {
  char *text = discovery_text(host, span), *to = text;
  bool blank = false;
  for (const char *c = text; *c; c++) {
    if (*c == '#')
      while (c[1] && c[1] != '\n') c++;
    if (*c == '#' || isspace((unsigned char)*c)) {
      blank = true;
      continue;
    }
    if (blank && to > text) *to++ = ' ';
    blank = false;
    *to++ = *c;
  }
  *to = 0;
  return text;
}

/* What is no law is a value all the same, for those who score it and look at the code; a check says it. */
static void tell_fault(Reading *r, Span place) {
  const LawFault *fault = &r->h->fault;
  r->h->place = place;
  if (r->h->law || !r->ev.host->checking_only) return;
  Diag *d = diag_report(&r->ev.host->diags, fault->code, place, "%s", fault->found);
  diag_suggest(d, "%s", fault->mend[0] ? fault->mend : example);
}

/* false: something was reported, so that there is nothing to judge. */
static bool read_law(Reading *r) {
  HypothesisValue *h = r->h;
  if (!r->equation) {
    h->fault = (LawFault){.code = E4001, .found = "there is no equation"};
    snprintf(h->fault.mend, sizeof h->fault.mend, "%s", example);
    tell_fault(r, h->span);
    return true;
  }
  Span place = r->equation->kid[1]->span;
  h->equation = line_of(r->ev.host, r->equation->span);
  Expr *left = side(r, r->equation->kid[0]), *right = side(r, r->equation->kid[1]);
  if (!left || !right) return false;
  if (fields_used(r, &place)) h->law = law_new(r->space, r->unknown, r->n, left, right, &h->fault);
  if (!h->law && h->fault.code == E4003) place = r->equation->kid[0]->span;
  tell_fault(r, place);
  return true;
}

static const Ast *subject_of(const Ast *phrase) { return phrase && phrase->n == 2 && phrase->kid[0]->kind == AST_NAME && phrase->kid[1]->kind == AST_NAME && phrase->kid[1]->flags & AST_WITH_FOR ? phrase->kid[1] : NULL; }

static bool read(Eval *ev, const Ast *decl, HypothesisValue *h) {
  const Ast *block = decl->kid[2];
  Reading r = {.ev = *ev, .h = h, .space = &h->discovery->discovery->space};
  r.ev.scope = scope_new(SCOPE_DECL, ev->scope);
  r.ev.symbolic = true;
  bind(&r, r.space->state, law_state(r.space), decl->span);
  bool fine = true;
  for (int i = 0; i < block->n && fine; i++)
    if (block->kid[i]) fine = read_statement(&r, block->kid[i]);
  if (fine) fine = read_law(&r);
  scope_release(r.ev.scope);
  return fine;
}

Flow decl_hypothesis(Eval *ev, const Ast *decl) {
  const Ast *subject = subject_of(decl->kid[0]);
  Reading told = {.ev = *ev};
  if (!subject || decl->n < 3 || !decl->kid[2]) return refuse(&told, E0209, decl->span, "`hypothesis` is written otherwise%s", ""), FLOW_STOP;
  Name name = decl->kid[0]->kid[0]->name;
  Value *discovery = eval_name(ev, subject->name, subject->span), *v = NULL;
  bool fine = discovery->kind == VALUE_DISCOVERY;
  if (!fine && !is_poison(discovery)) diag_report(&ev->host->diags, E0209, subject->span, "a hypothesis is for a discovery; `%s` is %s %s", subject->name, value_article(discovery), value_kind_name(discovery));
  if (fine) {
    v = value_new(VALUE_HYPOTHESIS);
    v->hypothesis = calloc(1, sizeof *v->hypothesis);
    *v->hypothesis = (HypothesisValue){.name = name, .discovery = value_retain(discovery), .text = discovery_text(ev->host, decl->span), .span = decl->span};
    fine = read(ev, decl, v->hypothesis);
  }
  if (!fine) {
    if (v) value_release(v);
    v = value_poison();
  }
  scope_set(ev->scope, name, v, decl->kid[0]->kid[0]->span)->decl = decl;
  value_release(v);
  value_release(discovery);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}
