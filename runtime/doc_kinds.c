#include "doc_kinds.h"

#include <string.h>

#include "doc.h"

#define ROD \
  "geometry rod = interval(0, 1)\n" \
  "pde conduct(q = 1.0) on rod {\n" \
  "  unknown T : scalar P2\n" \
  "  -lap(T) == q\n" \
  "  on left, right: T == 0\n" \
  "}\n"
#define SLAB \
  "map slab {\n" \
  "  input q in 0..1\n" \
  "  output T from solve(conduct(q), mesh(rod, cells: [8]))\n" \
  "}\n"

const KindPage kind_pages[] = {
    {"map",
     "What goes in, in which ranges, and which fields come out of a solve: what data are sampled from and models are audited on. Called by hand, `slab(q: 0.5)`, it is the solution for those inputs.",
     {{"input q in 0..1, k in 1..2", "numbers with their ranges, which carry units"},
      {"input u(t), v(t) from bank B", "functions of time: B is a list of functions of t, of several inputs a record of lists, or the name of a data file"},
      {"output T from solve(...)", "an unknown of the solution; inputs are names in the call, and what does not depend on them is made once"},
      {"output T(t) from solve(..., time: a..b, step: h)", "the same over all times"},
      {"mixture: balanced", "histories may be combined with weights of sizes that add up to at most 1; `convex`: weights that add up to 1; `none`: as they stand in the bank"},
      {"continuous: true", "histories do not jump, so a glued one that does is outside of the domain"}},
     ROD SLAB "print(max(slab(q: 0.5).T))\n"},
    {"model",
     "A predictor of a map: a formula, a program, a shared object or a table of recorded cases. Contracts judge all alike. A formula can be called by hand, `guess(q: 0.5)(0.25)`.",
     {{"model M(q, k) for MAP { T = ... }", "every output as a formula of the inputs in their order, x y z and t; a vector whole or component by component"},
      {"u at (t - 0.1), u at 0", "in a formula: a history before or after the time itself, and at the beginning"},
      {"process: \"python3 predict.py\"", "a program that is asked over its standard input: docs/predictors.md"},
      {"timeout: 30 [s], memory: 2e9", "limits of a process: for one batch, in bytes"},
      {"library: \"./p.so\"", "a shared object with the functions of pde_predict.h"},
      {"file: \"cases.h5\"", "recorded cases: it predicts at their inputs alone"}},
     ROD SLAB "model guess(q) for slab { T = q*x*(1 - x)/2 }\nprint(guess(q: 0.5)(0.25))\n"},
    {"audit",
     "Judges a model, or the map itself, over the whole domain of its inputs: `audit MODEL against PACK, ... { options }`. It prints a verdict for each contract and the gate, which passes where all hard contracts do; "
     "a gate without a pass ends the run with status 2. `v = audit ...` keeps it: v.passed, v.gate, v.worst, v.viol_max, v.vset, v.checks, v.failures. Beside the contracts it asks whether the model responds at all.",
     {{"samples: 256", "probes drawn from the domain for each contract"},
      {"seed: 1", "of the sampling; the same seed gives the same probes"},
      {"threshold: 1", "the largest violation/tolerance that passes, at most 1"},
      {"adversary { starts: 16; steps: 200 }", "a search for the largest violation, by exact gradients where there are any; reported, never part of the gate"},
      {"calibrate: 8", "measures every violation on so many solves of the map, and warns of tolerances below three times of it"},
      {"bank: \"failures.json\"", "a file of probes that violated, which are judged first and kept for later audits"}},
     ROD SLAB "model guess(q) for slab { T = q*x*(1 - x)/2 }\n"
     "contracts linear(m: model) {\n"
     "  hard superposition(m, loads: q)\n"
     "  soft trace(m, T == 0, part: left)\n"
     "}\n"
     "v = audit guess against linear { samples: 32; adversary { starts: 2; steps: 20 } }\n"
     "print(v.passed, v.gate)\n"},
    {"dataset",
     "Cases of a map from a file: inputs and fields that were sampled or measured, from HDF5, .npz of NumPy or, numbers alone, .csv. `d.count` is how many, `d.NAME` the list of a column's numbers or histories.",
     {{"file: \"cases.h5\"", "its name, beside the script"},
      {"inputs: q, k", "the columns that are inputs; left out, all that the file says are"},
      {"outputs: T", "the columns that are fields"}},
     "u = histories(3, 0..1 by 0.25, kind: ramp, amplitude: 2, seed: 4)\n"
     "export((load: u), \"bank.npz\")\n"
     "dataset bank { file: \"bank.npz\" }\n"
     "print(bank.count)\n"},
    {"view",
     "What of a run record is shown, and to whom: `view V of run`, or of one subject. The same view becomes text for the terminal, Markdown, HTML, JSON or CSV: `pde run SCRIPT --record DIR`, then `pde view DIR V`. "
     "What is hidden is for the view as if it were not there. `pde doc records` lists tables and columns.",
     {{"title \"TEXT\"", "the head of the page"},
      {"value A, B", "single values by name: numbers of the script, settings, `status`"},
      {"table T: a, b [sort a descending] [where C] [limit N]", "rows of a table or study with these columns; a column may carry a format, `v \".3g\"`, or a unit, `h to [mm]`"},
      {"plot y, .. against x [logx] [logy] [front]", "curves or points; without `against` a histogram; against t a history"},
      {"map FIELDS of SUBJECT", "pictures of recorded fields, by name or role"},
      {"show a; hide b", "what is visible at all"}},
     ROD "view report of run {\n"
     "  title \"Conduction\"\n"
     "  table verdicts: contract, v, tolerance, status\n"
     "}\n"
     "sol = solve(conduct, mesh(rod, cells: [8]))\n"
     "check sol against balance(sol)\n"},
    {"contract",
     "A typed physics check: a subject, a violation without dimension that is at least 0, a tolerance. It passes where violation/tolerance is at most 1. Over a model it is judged at probes, and its gradient is known.",
     {{"contract c(m: model, loads: inputs, k = 2) { ... }", "parameters by type: solution, study, model, output(s), input(s), boundary, region, condition, field, real, list; defaults as in functions"},
      {"probe z, w in domain(m) [where C]", "inputs that are drawn"},
      {"needs C else \"why\"", "where it does not hold the check is skipped, and says why"},
      {"name = E", "definitions; functions of results are at hand: norm integral mean max min history residual scale ..."},
      {"violation = E", "relative to a size that the candidate does not choose: .../max(norm(m(z)), 1e-2*scale(m))"},
      {"tolerance = 0.05", "what a right answer may reach"},
      {"severity = soft", "a failure is a remark; without it the contract is hard"}},
     "contract small(a: real) {\n  violation = abs(a)\n  tolerance = 0.1\n}\ntest \"small\" {\n  accept small(0.05) v 0.05\n  reject small(1)\n}\n"},
    {"test",
     "Statements that `pde test` runs, and nothing else does. `pde test --mutate` changes the formulas of contracts one at a time and reports the changes that no test notices.",
     {{"accept CALL [v X] [within 1%]", "the contract or pack must pass, with that violation"},
      {"reject CALL [v X] [within 1%]", "it must fail"},
      {"skip CALL", "it must find that it does not apply"},
      {"assert C, \"message\"", "as everywhere"}},
     "fn double(a) = 2*a\ntest \"double\" { assert double(2) == 4 }\n"},
    {NULL, NULL, {{NULL}}, NULL},
};

void doc_kind(Buf *out, const char *word) {
  const KindPage *page = kind_pages;
  while (page->word && strcmp(page->word, word)) page++;
  if (!page->word) return;
  buf_putc(out, '\n');
  doc_fill(out, page->text);
  buf_putc(out, '\n');
  for (int i = 0; page->clauses[i][0]; i++) buf_printf(out, "  %s\n      %s\n", page->clauses[i][0], page->clauses[i][1]);
  buf_puts(out, "\nExample\n");
  for (const char *line = page->example; *line;) {
    size_t n = strcspn(line, "\n");
    buf_printf(out, "  %.*s\n", (int)n, line);
    line += n + (line[n] == '\n');
  }
}
