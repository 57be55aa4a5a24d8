/* Hypotheses as values: what they show of their laws. */
#include "hypothesis.h"

#include <string.h>

static const char *const members[] = {"name", "valid", "code", "id", "equation", "canonical", "latex", "fields", "nodes"};

static bool has_member(Name name) {
  for (size_t k = 0; k < sizeof members / sizeof *members; k++)
    if (!strcmp(members[k], name)) return true;
  return false;
}

Value *hypothesis_member(Eval *ev, Value *of, Name name, Span span) {
  const HypothesisValue *h = of->hypothesis;
  const Law *law = h->law;
  Buf text = {0};
  if (!strcmp(name, "name")) buf_puts(&text, h->name);
  else if (!strcmp(name, "valid")) return value_bool(law != NULL);
  else if (!strcmp(name, "code")) buf_puts(&text, law ? "" : diag_rows[h->fault.code].code);
  else if (!law && has_member(name)) {
    diag_suggest(diag_report(&ev->host->diags, h->fault.code, h->place, "`%s` is no law: %s", h->name, h->fault.found), "%s", h->fault.mend);
    return value_poison();
  }
  else if (!strcmp(name, "id")) buf_puts(&text, law->id);
  else if (!strcmp(name, "equation")) buf_puts(&text, h->equation);
  else if (!strcmp(name, "canonical")) law_print(&text, law, EXPR_TEXT);
  else if (!strcmp(name, "latex")) law_print_author(&text, law, EXPR_LATEX);
  else if (!strcmp(name, "fields")) return value_int(law->nfields);
  else if (!strcmp(name, "nodes")) return value_int(law->nodes);
  else {
    diag_suggest(diag_report(&ev->host->diags, E0111, span, "a hypothesis has no member `%s`", name), "it has name, valid, code, id, equation, canonical, latex, fields and nodes");
    return value_poison();
  }
  Value *v = value_string(buf_str(&text), text.len);
  buf_free(&text);
  return v;
}

static const char *depends_on(unsigned domain) { return domain == (LAW_X | LAW_Y) ? "x, y" : domain == LAW_X ? "x" : domain == LAW_Y ? "y" : ""; }

void hypothesis_facts(Buf *out, const HypothesisValue *h) {
  const Law *law = h->law;
  if (!law) {
    buf_printf(out, "hypothesis %s for %s\n  no law       %s\n", h->name, h->discovery->discovery->name, h->fault.found);
    return;
  }
  buf_printf(out, "hypothesis %s for %s\n  law          %s\n  id           %s\n  canonical    ", h->name, h->discovery->discovery->name, h->equation, law->id);
  law_print(out, law, EXPR_TEXT);
  buf_printf(out, "\n  complexity   %d field%s, %d nodes\n", law->nfields, law->nfields == 1 ? "" : "s", law->nodes);
  for (int i = 0; i < law->nauthors; i++) {
    const LawAuthor *a = &law->author[i];
    buf_printf(out, "  %s(%s)%*s", a->name, depends_on(a->domain), (int)(11 - strlen(a->name) - strlen(depends_on(a->domain)) > 1 ? 11 - strlen(a->name) - strlen(depends_on(a->domain)) : 1), "");
    if (a->same) buf_puts(out, "a field of the canonical form");
    else law_tell(out, law, a);
    buf_putc(out, '\n');
  }
}

Json *hypothesis_json(const HypothesisValue *h) {
  const Law *law = h->law;
  Json *json = json_object(), *fields = json_array(), *canonical = json_array();
  Buf text = {0};
  json_put(json, "name", json_string(h->name));
  json_put(json, "discovery", json_string(h->discovery->discovery->name));
  json_put(json, "valid", json_bool(law != NULL));
  if (h->equation) json_put(json, "equation", json_string(h->equation));
  if (!law) {
    json_put(json, "code", json_string(diag_rows[h->fault.code].code));
    json_put(json, "found", json_string(h->fault.found));
    json_free(fields), json_free(canonical);
    return json;
  }
  json_put(json, "id", json_string(law->id));
  law_print(&text, law, EXPR_TEXT);
  json_put(json, "canonical", json_string(buf_str(&text)));
  buf_clear(&text), law_print_author(&text, law, EXPR_LATEX);
  json_put(json, "latex", json_string(buf_str(&text)));
  json_put(json, "key", json_string(law->key));
  json_put(json, "nodes", json_number(law->nodes));
  for (int i = 0; i < law->nauthors; i++) {
    const LawAuthor *a = &law->author[i];
    Json *field = json_object();
    json_put(field, "name", json_string(a->name));
    json_put(field, "depends_on", json_string(depends_on(a->domain)));
    buf_clear(&text), law_tell(&text, law, a);
    json_put(field, "is", json_string(buf_str(&text)));
    json_put(field, "identifiable", json_bool(a->fate == LAW_TOLD));
    json_append(fields, field);
  }
  for (int i = 0; i < law->nfields; i++) {
    Json *field = json_object();
    json_put(field, "name", json_string(law->field[i].name));
    json_put(field, "depends_on", json_string(depends_on(law->field[i].domain)));
    json_append(canonical, field);
  }
  json_put(json, "fields", fields);
  json_put(json, "canonical_fields", canonical);
  buf_free(&text);
  return json;
}
