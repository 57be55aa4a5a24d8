#include "verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Verdict verdict_blank(void) {
  return (Verdict){.violation = NAN, .tolerance = NAN, .numerator = NAN, .denominator = NAN, .adversary = NAN, .calibration = NAN, .rounding = NAN, .bound = NAN};
}

void verdict_clear(Verdict *v) {
  free(v->contract);
  free(v->subject);
  free(v->id);
  free(v->probe);
  free(v->adversary_why);
  free(v->adversary_probe);
  free(v->adversary_id);
  free(v->reason);
}

static char *copied(const char *text) { return text ? strdup(text) : NULL; }

Verdict verdict_copy(const Verdict *v) {
  Verdict copy = *v;
  copy.contract = copied(v->contract);
  copy.subject = copied(v->subject);
  copy.id = copied(v->id);
  copy.probe = copied(v->probe);
  copy.adversary_why = copied(v->adversary_why);
  copy.adversary_probe = copied(v->adversary_probe);
  copy.adversary_id = copied(v->adversary_id);
  copy.reason = copied(v->reason);
  return copy;
}

bool verdict_passed(const Verdict *v) { return v->status != VERDICT_FAIL && v->status != VERDICT_ERROR; }

bool verdict_measured(const Verdict *v) { return v->status == VERDICT_PASS || v->status == VERDICT_FAIL; }

const char *verdict_unusable(double violation) {
  if (isnan(violation)) return "the violation is not a number";
  if (isinf(violation)) return "the violation is infinite";
  return violation < -1e-12 ? "the violation is below 0: it is a distance from what holds, such as a norm or max(0, ...)" : NULL;
}

const char *verdict_status_name(VerdictStatus status) {
  static const char *const names[] = {"pass", "fail", "skipped_precondition", "error", "skipped_floor", "ood_stress"};
  return names[status];
}

int verdict_items(const Verdict *v, VerdictItem out[VERDICT_ITEMS]) {
  bool measured = verdict_measured(v), probed = v->samples || v->excluded || v->outside;
  double violation = measured ? v->violation : NAN, tolerance = measured ? v->tolerance : NAN;
  const VerdictItem items[] = {
      {"contract", IN_JSON, ITEM_TEXT, v->contract, 0},
      {"contract", IN_LANGUAGE, ITEM_TEXT, v->call ? v->call : v->contract, 0},
      {"id", IN_BOTH, ITEM_TEXT, v->id, 0},
      {"subject", IN_JSON, ITEM_TEXT, v->subject, 0},
      {"severity", IN_JSON, ITEM_TEXT, v->hard ? "hard" : "soft", 0},
      {"hard", IN_LANGUAGE, ITEM_TRUTH, NULL, v->hard},
      {"status", IN_BOTH, ITEM_TEXT, verdict_status_name(v->status), 0},
      {"v", IN_BOTH, ITEM_REAL, NULL, violation},
      {"tolerance", IN_BOTH, ITEM_REAL, NULL, tolerance},
      {"ratio", IN_JSON, ITEM_REAL, NULL, tolerance > 0 ? violation / tolerance : NAN},
      {"numerator", IN_BOTH, ITEM_REAL, NULL, v->numerator},
      {"denominator", IN_BOTH, ITEM_REAL, NULL, v->denominator},
      {"floor", IN_BOTH, ITEM_TRUTH, NULL, isnan(v->denominator) ? NAN : v->floor},
      {"probe", IN_BOTH, ITEM_TREE, v->probe, 0},
      {"reason", IN_BOTH, ITEM_TEXT, v->reason, 0},
      {"proved", IN_BOTH, ITEM_TRUTH, NULL, v->proved},
      {"bound", IN_BOTH, ITEM_REAL, NULL, v->bound},
      {"samples", IN_BOTH | OF_PROBES, ITEM_COUNT, NULL, v->samples},
      {"excluded", IN_BOTH | OF_PROBES, ITEM_COUNT, NULL, v->excluded},
      {"outside", IN_BOTH | OF_PROBES, ITEM_COUNT, NULL, v->outside},
      {"repeated", v->repeated ? IN_BOTH | OF_PROBES : IN_LANGUAGE, ITEM_COUNT, NULL, v->repeated},
      {"calibration", IN_BOTH | OF_PROBES, ITEM_REAL, NULL, v->calibration},
      {"rounding", IN_BOTH | OF_PROBES, ITEM_REAL, NULL, v->rounding},
      {"adversary", IN_BOTH | OF_PROBES, ITEM_REAL, NULL, v->adversary},
      {"adversary_calls", IN_BOTH | OF_PROBES, ITEM_COUNT, NULL, v->adversary_calls},
      {"adversary_probe", IN_JSON | OF_PROBES, ITEM_TREE, v->adversary_probe, 0},
      {"adversary_id", IN_JSON | OF_PROBES, ITEM_TEXT, v->adversary_id, 0},
      {"adversary_reason", IN_JSON | OF_PROBES, ITEM_TEXT, v->adversary_why, 0},
  };
  int n = 0;
  for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
    out[n] = items[i];
    if (!probed && items[i].in & OF_PROBES) out[n].in &= ~(unsigned)IN_JSON;      /* a check without probes has no such fields */
    n++;
  }
  return n;
}

/* --- the table in the terminal --- */

/* Its name; of a contract that is there several times the call, which says which it is. */
static const char *title(const Verdict *verdicts, int n, int which) {
  int same = 0;
  for (int i = 0; i < n; i++) same += !strcmp(verdicts[i].contract, verdicts[which].contract);
  return same > 1 && verdicts[which].call ? verdicts[which].call : verdicts[which].contract;
}

static void print_measure(Buf *out, const Verdict *v) {
  buf_printf(out, "  violation %.3g, tolerance %.3g", v->violation, v->tolerance);
  if (v->proved) buf_puts(out, ", proved");
  else if (!isnan(v->bound)) buf_printf(out, ", at most %.3g for all inputs", v->bound);
  if (!isnan(v->numerator)) buf_printf(out, " (%.3g/%.3g%s)", v->numerator, v->denominator, v->floor ? ", the floor" : "");
  if (!isnan(v->calibration)) buf_printf(out, ", reference %.3g, rounding %.1g", v->calibration, isnan(v->rounding) ? 0 : v->rounding);
  if (v->samples) buf_printf(out, ", %d probe%s", v->samples, v->samples == 1 ? "" : "s");
  if (v->excluded) buf_printf(out, ", %d left out", v->excluded);
  if (v->outside) buf_printf(out, ", %d outside of the domain", v->outside);
  if (v->repeated) buf_printf(out, ", %d would repeat %s", v->repeated, v->samples == 1 ? "it" : "them");
}

static void print_search(Buf *out, const Verdict *v) {
  if (!isnan(v->adversary)) buf_printf(out, "; search %.3g by %d predictions", v->adversary, v->adversary_calls);
  else if (v->adversary_why) buf_printf(out, "; no search: %s", v->adversary_why);
}

/* A probe for people: of a long history its first values and its last. */
static void print_probe(Buf *out, const char *json) {
  enum { SHOWN = 3 };
  int inside = 0, items = 0;
  const char *last = NULL;
  for (const char *c = json; *c; c++) {
    if (*c == '[') inside = 1, items = 0;
    if (inside && *c == ',' && ++items == SHOWN) {
      last = strchr(c, ']');
      const char *final = last;
      while (final > c && *final != ',') final--;
      if (final > c) buf_puts(out, ", ...");
      c = final > c ? final : c;
    }
    if (*c == ']') inside = 0;
    if (*c == '"' || (*c == '{' && c == json)) continue;
    if (*c == '}' && !c[1]) break;
    if (*c == ':' || *c == ',') buf_printf(out, "%c ", *c);
    else buf_putc(out, *c == '{' ? '(' : *c == '}' ? ')' : *c);
  }
}

static void print_place(Buf *out, int width, const char *word, const char *probe, const char *id) {
  buf_printf(out, "  %*s %s ", width + 12, "", word);
  print_probe(out, probe);
  buf_printf(out, ", replay %s\n", id ? id : "-");
}

void verdicts_print(Buf *out, const Verdict *verdicts, int n) {
  static const char *const words[] = {"pass", "FAIL", "skipped", "ERROR", "skipped", "stress"};
  size_t width = 8;
  for (int i = 0; i < n; i++)
    if (strlen(title(verdicts, n, i)) > width) width = strlen(title(verdicts, n, i));
  for (int i = 0; i < n; i++) {
    const Verdict *v = &verdicts[i];
    buf_printf(out, "  %-7s %-4s %-*s", words[v->status], v->hard ? "hard" : "soft", (int)width, title(verdicts, n, i));
    if (verdict_measured(v)) {
      print_measure(out, v);
      print_search(out, v);
    }
    if (v->reason) buf_printf(out, "  %s", v->reason);
    buf_putc(out, '\n');
    if (v->probe && (v->status == VERDICT_FAIL || v->status == VERDICT_ERROR)) print_place(out, (int)width, "at", v->probe, v->id);
    if (v->adversary_probe) print_place(out, (int)width, "found", v->adversary_probe, v->adversary_id);
  }
}

/* --- the gate --- */

void gate_print(Buf *out, const Gate *gate) {
  static const struct { const char *state, *words; } rows[] = {
      {"pass", "passes"}, {"fail", "FAILS"}, {"no_active_hard", "passes nothing: no hard contract was judged"}, {"error", "passes nothing: a check failed with an error"}};
  buf_puts(out, "  gate ");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].state, gate->state)) buf_puts(out, rows[i].words);
  if (!isnan(gate->viol_max)) buf_printf(out, ", worst violation/tolerance %.3g of at most %g", gate->viol_max, gate->threshold);
  buf_printf(out, ", vset %.12s\n", gate->vset);
}

void gate_settle(Gate *gate, const Verdict *verdicts, int n) {
  int active = 0;
  bool error = false;
  gate->viol_max = 0;
  for (int i = 0; i < n; i++) {
    const Verdict *v = &verdicts[i];
    if (!v->hard) continue;
    error |= v->status == VERDICT_ERROR;
    if (!verdict_measured(v)) continue;
    double ratio = v->violation > 0 || isnan(v->violation) ? v->violation / v->tolerance : 0;
    active += !v->automatic;
    if (!isnan(gate->viol_max) && !(ratio <= gate->viol_max)) gate->viol_max = ratio;      /* NaN stays, and passes nothing */
  }
  gate->state = error ? "error" : !active ? "no_active_hard" : gate->viol_max <= gate->threshold ? "pass" : "fail";
  if (!active) gate->viol_max = NAN;
}
