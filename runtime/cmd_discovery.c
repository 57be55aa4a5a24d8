/* The hypothesis evaluation interface on the command line: status, validate, score, score-batch, history, evidence, submit, and init, which makes the
 * workspace they work in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "declared.h"
#include "eval.h"

/* ---- what they share ---- */

static const char *workspace_of(const Invocation *in) {
  const char *dir = invocation_option(in, "--run");
  return dir ? dir : ".";
}

static void may_follow(Invocation *in, const char *format, const char *word) {
  const char *dir = invocation_option(in, "--run");
  Buf text = {0};
  buf_printf(&text, format, word);
  if (dir) buf_printf(&text, " --run %s", dir);
  json_append(in->next, json_string(buf_str(&text)));
  buf_free(&text);
}

/* Budget and what may come next, of the run as it is now. */
static void close_reply(Invocation *in, Discover *d) {
  DiscoverCounts counts;
  if (!in->json || discover_counts(d, &counts)) return;
  in->budget = discover_budget_json(&counts);
  in->next = json_array();
  Json *status = discover_status_json(d);
  const char *best = status ? json_text_of(json_get(json_get(status, "best"), "id")) : NULL;
  if (!*counts.submitted) may_follow(in, "pde validate FILE%s", "");
  if (!*counts.submitted && counts.used < counts.limit) may_follow(in, "pde score FILE%s", "");
  may_follow(in, "pde history --ranked%s", "");
  if (best) may_follow(in, "pde evidence %s", best);
  if (best && !*counts.submitted) may_follow(in, "pde submit %s", best);
  json_free(status);
}

static void put_number(Buf *out, const Json *of, const char *key) {
  double x;
  if (json_number_of(json_get(of, key), &x)) buf_number(out, x);
  else buf_putc(out, '-');
}

static void put_text(Buf *out, const Json *of, const char *key) {
  const char *text = json_text_of(json_get(of, key));
  buf_puts(out, text ? text : "-");
}

/* A table of texts: columns as wide as they need. */
typedef struct Grid { char **cell; int n, columns; } Grid;

static void grid_add(Grid *grid, Buf *text) {
  grid->cell = realloc(grid->cell, (size_t)(grid->n + 1) * sizeof *grid->cell);
  grid->cell[grid->n++] = strdup(buf_str(text));
  buf_free(text);
}

static void grid_word(Grid *grid, const char *word) {
  Buf text = {0};
  buf_puts(&text, word);
  grid_add(grid, &text);
}

static void grid_number(Grid *grid, const Json *of, const char *key) {
  Buf text = {0};
  put_number(&text, of, key);
  grid_add(grid, &text);
}

static void grid_text(Grid *grid, const Json *of, const char *key) {
  Buf text = {0};
  put_text(&text, of, key);
  grid_add(grid, &text);
}

static void grid_print(Grid *grid) {
  Buf out = {0};
  for (int i = 0; i < grid->n; i++) {
    int c = i % grid->columns, width = 0;
    for (int k = c; k < grid->n; k += grid->columns) width = (int)strlen(grid->cell[k]) > width ? (int)strlen(grid->cell[k]) : width;
    if (c + 1 == grid->columns) buf_printf(&out, "%s\n", grid->cell[i]);
    else buf_printf(&out, "%-*s  ", width, grid->cell[i]);
  }
  command_print("%s", buf_str(&out));
  for (int i = 0; i < grid->n; i++) free(grid->cell[i]);
  free(grid->cell);
  buf_free(&out);
}

/* Opens the workspace, gives the reply of one function as the result and prints it. */
static ExitStatus reply(Invocation *in, Discover *d, Json *result, void (*print)(const Json *result)) {
  if (result && !in->json) print(result);
  in->result = result;
  if (d) close_reply(in, d);
  discover_close(d);
  return host_finish(in->host);
}

/* ---- init ---- */

static void print_init(const Json *r) {
  Buf out = {0};
  const Json *snapshots = json_get(r, "snapshots"), *grid = json_get(r, "grid");
  buf_printf(&out, "workspace    %s\ndiscovery    %s of %s, ", json_text_of(json_get(r, "workspace")), json_text_of(json_get(r, "discovery")), json_text_of(json_get(r, "state")));
  put_number(&out, grid, "nx");
  if (json_get(grid, "ny")) buf_puts(&out, " x "), put_number(&out, grid, "ny");
  buf_puts(&out, " nodes\nsnapshots    ");
  static const char *const uses[] = {" to fit, ", " to choose, ", " to score\n"};
  for (int k = 0; k < TRAJECTORY_SEALED; k++) {
    double n = 0;
    json_number_of(json_at(snapshots, k), &n);
    buf_printf(&out, "%g%s", n, uses[k]);
  }
  const char *times = json_text_of(json_get(r, "times"));
  double missing[2] = {0};
  for (int k = 0; k < 2; k++) json_number_of(json_at(json_get(r, "missing"), k), &missing[k]);
  if (missing[0] > 0 || missing[1] > 0) buf_printf(&out, "missing      %g and %g values\n", missing[0], missing[1]);
  if (!strcmp(times, "nonuniform")) buf_puts(&out, "times        in unequal steps\n");
  buf_puts(&out, "budget       ");
  put_number(&out, json_get(json_get(r, "counters"), "unique_evals"), "limit");
  buf_printf(&out, " unique evaluations\nsealed       the last quarter; SHA-256 %s\n", json_text_of(json_get(r, "commitment")));
  command_print("%s", buf_str(&out));
  buf_free(&out);
}

/* The one discovery of a script. */
static const Value *only_discovery(Invocation *in, const Module *module) {
  const Value *found = NULL;
  int n = 0;
  for (int i = 0; module->dry_scope && i < module->dry_scope->n; i++)
    if (module->dry_scope->slots[i].value->kind == VALUE_DISCOVERY && n++ == 0) found = module->dry_scope->slots[i].value;
  if (n == 1) return found;
  diag_suggest(diag_report(&in->host->diags, E4050, (Span){0, 0}, "`%s` declares %s", in->arguments[0], n ? "several discoveries" : "no discovery"), "as in discovery d { state u(x, y, t); trajectories: \"a.h5\", \"b.h5\"; budget: 64 }");
  return NULL;
}

/* The views of the script, for `pde view DIR NAME`. */
static Status keep_views(Host *host, Store *store, const Scope *scope) {
  for (int i = 0; i < scope->n; i++) {
    const Slot *slot = &scope->slots[i];
    const Source *source = slot->value->kind == VALUE_VIEW && slot->decl ? source_of(host->sources, slot->decl->span) : NULL;
    if (!source) continue;
    char *text = strndup(source->text + (slot->decl->span.start - source->base), slot->decl->span.end - slot->decl->span.start);
    Cell row[RECORD_views_COLUMNS] = {cell_text(slot->name), cell_text(text)};
    Status status = store_append(store, RECORD_views, row, RECORD_views_COLUMNS);
    free(text);
    TRY(status);
  }
  return 0;
}

static Json *make_workspace(Invocation *in, Module *module, Discover **out) {
  Host *host = in->host;
  const Value *discovery = only_discovery(in, module);
  WorkspaceSpec spec;
  Json *result = NULL;
  if (!discovery) return NULL;
  Eval ev = {.host = host, .module = module, .scope = module->dry_scope, .dry = true, .at_time = NAN};
  if (declared_spec(&ev, discovery, &spec)) {
    const char *run = invocation_option(in, "--run");
    Buf dir = {0};
    if (run) buf_puts(&dir, run);
    else buf_printf(&dir, "%s.run", spec.discovery);
    if (!workspace_make(host, &spec, buf_str(&dir)) && !discover_open(host, buf_str(&dir), out) && !keep_views(host, discover_workspace(*out)->store, module->dry_scope)) {
      result = discover_status_json(*out);
      if (result) json_put(result, "workspace", json_string(buf_str(&dir)));
    }
    buf_free(&dir);
    declared_spec_free(&spec);
  }
  return result;
}

ExitStatus cmd_init(Invocation *in) {
  Host *host = in->host;
  Module *module = host->diags.nerrors ? NULL : command_load(in, in->arguments[0]);
  Discover *d = NULL;
  ExitStatus status = host_execute(host, module, true);
  if (status != EXIT_DONE || !module) return status;
  Json *result = make_workspace(in, module, &d);
  return reply(in, d, result, print_init);
}

/* ---- status ---- */

static void print_status(const Json *r) {
  const Json *counters = json_get(r, "counters"), *evals = json_get(counters, "unique_evals"), *best = json_get(r, "best");
  const char *submitted = json_text_of(json_get(r, "submitted"));
  Buf out = {0};
  buf_printf(&out, "discovery           %s of %s, ", json_text_of(json_get(r, "discovery")), json_text_of(json_get(r, "state")));
  put_number(&out, json_get(r, "grid"), "nx");
  if (json_get(json_get(r, "grid"), "ny")) buf_puts(&out, " x "), put_number(&out, json_get(r, "grid"), "ny");
  buf_puts(&out, " nodes\nunique evaluations  ");
  put_number(&out, evals, "used");
  buf_puts(&out, " of ");
  put_number(&out, evals, "limit");
  buf_puts(&out, " used\ncandidates          ");
  put_number(&out, counters, "scored");
  buf_puts(&out, " scored, ");
  put_number(&out, counters, "failed");
  buf_puts(&out, " not fitted, ");
  put_number(&out, counters, "invalid");
  buf_puts(&out, " invalid\nbest                ");
  if (json_text_of(json_get(best, "id"))) {
    put_text(&out, best, "id");
    buf_puts(&out, "  ");
    put_number(&out, best, "score");
    buf_puts(&out, "  ");
    put_text(&out, best, "equation");
  } else buf_puts(&out, "none yet");
  buf_printf(&out, "\nsubmitted           %s\nsealed              SHA-256 %s\n", submitted ? submitted : "no", json_text_of(json_get(r, "commitment")));
  command_print("%s", buf_str(&out));
  buf_free(&out);
}

ExitStatus cmd_status(Invocation *in) {
  Discover *d;
  return discover_open(in->host, workspace_of(in), &d) ? host_finish(in->host) : reply(in, d, discover_status_json(d), print_status);
}

/* ---- validate, score ---- */

static bool read_candidate(Invocation *in, Discover *d, const char *path, DiscoverCandidate *out) {
  size_t len;
  char *text = command_read(in->host, path, &len);
  if (!text) return false;
  discover_read(d, text, len, strcmp(path, "-") ? path : "<stdin>", out);
  free(text);
  return true;
}

static void print_validate(const Json *r) {
  Buf out = {0};
  bool valid = false;
  json_truth_of(json_get(r, "valid"), &valid);
  if (valid) {
    put_text(&out, r, "id");
    buf_puts(&out, "  ");
    put_text(&out, r, "canonical");
    const Json *declared = json_get(r, "declared");
    for (int k = 0; k < json_count(declared); k++) {
      const Json *field = json_at(declared, k);
      const char *is = json_text_of(json_get(field, "is")), *name = json_text_of(json_get(field, "name")), *fate = json_text_of(json_get(field, "fate"));
      if (is && strcmp(is, name)) buf_printf(&out, "\n  %s is %s there", name, is);
      else if (!is) buf_printf(&out, "\n  %s is %s", name, !strcmp(fate, "dropped") ? "not in it: other fields do all that it could" : "not determined alone: only sums with other fields are");
    }
    buf_putc(&out, '\n');
  }
  command_print("%s", buf_str(&out));
  buf_free(&out);
}

ExitStatus cmd_validate(Invocation *in) {
  Discover *d;
  DiscoverCandidate candidate;
  Json *result = NULL;
  if (discover_open(in->host, workspace_of(in), &d)) return host_finish(in->host);
  if (read_candidate(in, d, in->arguments[0], &candidate)) {
    result = discover_validate_json(&candidate);
    DiscoverAnswer answer = {.code = candidate.law ? DIAG_CODES : candidate.fault->code};
    if (!candidate.law) discover_report(d, &candidate, &answer);
  }
  return reply(in, d, result, print_validate);
}

static void grid_answer(Grid *grid, const Json *r) {
  bool cached = false;
  Buf score = {0};
  json_truth_of(json_get(r, "cached"), &cached);
  grid_text(grid, r, "hypothesis");
  grid_text(grid, r, "id");
  put_number(&score, r, "score");
  grid_add(grid, &score);
  grid_number(grid, r, "error_ab");
  grid_number(grid, r, "error_ba");
  grid_number(grid, r, "fields");
  grid_number(grid, r, "stability");
  grid_number(grid, r, "rank");
  grid_word(grid, json_text_of(json_get(r, "code")) ? json_text_of(json_get(r, "code")) : cached ? "cached" : "new");
}

static void grid_heads(Grid *grid, const char *const *heads, int n) {
  grid->columns = n;
  for (int k = 0; k < n; k++) grid_word(grid, heads[k]);
}

static const char *const score_heads[] = {"hypothesis", "id", "score", "A to B", "B to A", "fields", "stability", "rank", ""};
enum { SCORE_COLUMNS = sizeof score_heads / sizeof *score_heads };

static void print_budget(const Json *answer) {
  const Json *evals = json_get(json_get(answer, "counters"), "unique_evals");
  Buf out = {0};
  put_number(&out, evals, "used");
  buf_puts(&out, " of ");
  put_number(&out, evals, "limit");
  buf_puts(&out, " unique evaluations used\n");
  command_print("%s", buf_str(&out));
  buf_free(&out);
}

static void print_score(const Json *r) {
  Grid grid = {0};
  grid_heads(&grid, score_heads, SCORE_COLUMNS);
  grid_answer(&grid, r);
  grid_print(&grid);
  print_budget(r);
}

static void print_scores(const Json *r) {
  const Json *answers = json_get(r, "answers");
  Grid grid = {0};
  grid_heads(&grid, score_heads, SCORE_COLUMNS);
  for (int k = 0; k < json_count(answers); k++) grid_answer(&grid, json_at(answers, k));
  grid_print(&grid);
  print_budget(json_at(answers, 0));
}

/* All of them, in order; what is no hypothesis is an answer too. NULL after a report. */
static Json *score_all(Invocation *in, Discover *d, bool batch) {
  DiscoverCandidate candidate[DISCOVER_BATCH];
  DiscoverAnswer answer[DISCOVER_BATCH];
  DiscoverCounts counts;
  int n = in->narguments;
  in->charges = true;
  if (n > DISCOVER_BATCH) {
    discover_score(d, n, NULL, false, NULL);      /* reports the limit */
    return NULL;
  }
  for (int k = 0; k < n; k++)
    if (!read_candidate(in, d, in->arguments[k], &candidate[k])) return NULL;
  if (discover_score(d, n, candidate, false, answer) || discover_counts(d, &counts)) return NULL;
  Json *answers = json_array();
  for (int k = 0; k < n; k++) {
    in->charged += answer[k].charged;
    if (!answer[k].valid) discover_report(d, &candidate[k], &answer[k]);
    if (!batch) json_free(answers), answers = discover_answer_json(&candidate[k], &answer[k], &counts);
    else json_append(answers, discover_answer_json(&candidate[k], &answer[k], &counts));
  }
  if (!batch) return answers;
  Json *result = json_object();
  json_put(result, "answers", answers);
  return result;
}

ExitStatus cmd_score(Invocation *in) {
  Discover *d;
  return discover_open(in->host, workspace_of(in), &d) ? host_finish(in->host) : reply(in, d, score_all(in, d, false), print_score);
}

ExitStatus cmd_score_batch(Invocation *in) {
  Discover *d;
  return discover_open(in->host, workspace_of(in), &d) ? host_finish(in->host) : reply(in, d, score_all(in, d, true), print_scores);
}

/* ---- history ---- */

static void print_history(const Json *r) {
  static const char *const heads[] = {"evaluation", "id", "status", "score", "A to B", "B to A", "fields", "stability", "rank", "equation"};
  const Json *candidates = json_get(r, "candidates");
  int n = json_count(candidates);
  if (!n) {
    command_print("nothing was scored yet\n");
    return;
  }
  Grid grid = {0};
  grid_heads(&grid, heads, sizeof heads / sizeof *heads);
  for (int k = 0; k < n; k++) {
    const Json *c = json_at(candidates, k);
    const char *code = json_text_of(json_get(c, "code"));
    grid_number(&grid, c, "evaluation");
    grid_text(&grid, c, "id");
    if (code) grid_word(&grid, code);
    else grid_text(&grid, c, "status");
    grid_number(&grid, c, "score");
    grid_number(&grid, c, "error_ab");
    grid_number(&grid, c, "error_ba");
    grid_number(&grid, c, "fields");
    grid_number(&grid, c, "stability");
    grid_number(&grid, c, "rank");
    grid_text(&grid, c, "equation");
  }
  grid_print(&grid);
  double total = 0;
  json_number_of(json_get(r, "total"), &total);
  if (total > n) command_print("%d of %g candidates; --offset and --limit show the others\n", n, total);
}

static bool count_option(Invocation *in, const char *name, int fallback, int *out) {
  const char *text = invocation_option(in, name);
  char *end = NULL;
  long n = text ? strtol(text, &end, 10) : fallback;
  *out = (int)n;
  if (!text || (*text && !*end && n >= 0 && n < 1000000000)) return true;
  diag_report(&in->host->diags, E0960, (Span){0, 0}, "%s %s: a number was expected", name, text);
  return false;
}

ExitStatus cmd_history(Invocation *in) {
  Discover *d;
  int offset, limit;
  if (!count_option(in, "--offset", 0, &offset) || !count_option(in, "--limit", 50, &limit)) return host_finish(in->host);
  if (discover_open(in->host, workspace_of(in), &d)) return host_finish(in->host);
  return reply(in, d, discover_history_json(d, invocation_option(in, "--ranked") != NULL, offset, limit), print_history);
}

/* ---- evidence ---- */

static const char *yes_no(const Json *of, const char *key) {
  bool truth = false;
  json_truth_of(json_get(of, key), &truth);
  return truth ? "yes" : "no";
}

static void print_evidence(const Json *r) {
  static const char *const heads[] = {"field", "of", "smoothness", "freedom", "stability", "uncertainty", "revealed", "identifiable", "file"};
  const Json *fields = json_get(r, "fields");
  Buf out = {0};
  put_text(&out, r, "id");
  buf_puts(&out, "  score ");
  put_number(&out, r, "score");
  buf_puts(&out, " +- ");
  put_number(&out, r, "standard_error");
  buf_puts(&out, "  (A to B ");
  put_number(&out, r, "error_ab");
  buf_puts(&out, ", B to A ");
  put_number(&out, r, "error_ba");
  buf_puts(&out, ")\nnoise alone leaves ");
  put_number(&out, r, "noise_ceiling");
  bool explained = false;
  json_truth_of(json_get(r, "explained"), &explained);
  buf_puts(&out, explained ? ": the law explains the data\n" : ": the law does not explain the data\n");
  bool blown = false;
  json_truth_of(json_get(r, "rollout_blown"), &blown);
  buf_puts(&out, "solved forward over interval 3: ");
  if (blown) buf_puts(&out, "it blows up\n");
  else put_number(&out, r, "rollout"), buf_puts(&out, " of the error of a state that stays as it was\n");
  if (json_count(fields)) buf_puts(&out, "condition of the fit "), put_number(&out, r, "condition"), buf_putc(&out, '\n');
  command_print("%s", buf_str(&out));
  buf_free(&out);
  if (!json_count(fields)) return;
  Grid grid = {0};
  grid_heads(&grid, heads, sizeof heads / sizeof *heads);
  for (int k = 0; k < json_count(fields); k++) {
    const Json *f = json_at(fields, k);
    grid_text(&grid, f, "name");
    grid_text(&grid, f, "dims");
    grid_number(&grid, f, "lambda");
    grid_number(&grid, f, "dof");
    grid_number(&grid, f, "stability");
    grid_number(&grid, f, "uncertainty");
    grid_number(&grid, f, "revealed");
    grid_word(&grid, yes_no(f, "identifiable"));
    grid_text(&grid, f, "file");
  }
  grid_print(&grid);
}

ExitStatus cmd_evidence(Invocation *in) {
  Discover *d;
  return discover_open(in->host, workspace_of(in), &d) ? host_finish(in->host) : reply(in, d, discover_evidence_json(d, in->arguments[0]), print_evidence);
}

/* ---- submit ---- */

static void put_forward(Buf *out, const Json *forward) {
  const char *code = json_text_of(json_get(forward, "code"));
  buf_puts(out, "forward    ");
  if (code) buf_printf(out, "%s at t = ", code);
  put_number(out, forward, code ? "blown_at" : "error");
  buf_puts(out, code ? "\n" : " of the error of no change\n");
}

static void put_list(Buf *out, const Json *structure, const char *key, const char *what) {
  const Json *list = json_get(structure, key);
  for (int k = 0; k < json_count(list); k++) buf_printf(out, "           %s %s\n", what, json_text_of(json_at(list, k)));
}

static void put_structure(Buf *out, const Json *structure) {
  const Json *fields = json_get(structure, "fields");
  buf_printf(out, "truth      %s: %s\n", json_text_of(json_get(structure, "relation")), json_text_of(json_get(structure, "text")));
  if (json_get(structure, "not_compared")) buf_printf(out, "           %s\n", json_text_of(json_get(structure, "not_compared")));
  put_list(out, structure, "extra", "extra");
  put_list(out, structure, "missing", "missing");
  put_list(out, structure, "split", "split");
  put_list(out, structure, "missing_dependence", "lacks a dependence");
  for (int k = 0; k < json_count(fields); k++) {
    const Json *f = json_at(fields, k);
    buf_printf(out, "  %-8s r ", json_text_of(json_get(f, "name")));
    put_number(out, f, "correlation");
    buf_puts(out, ", relative L2 ");
    put_number(out, f, "relative_l2");
    buf_puts(out, " where the data tell it, share ");
    put_number(out, f, "told");
    buf_puts(out, "; everywhere r ");
    put_number(out, f, "correlation_everywhere");
    buf_puts(out, ", relative L2 ");
    put_number(out, f, "relative_l2_everywhere");
    buf_putc(out, '\n');
  }
}

static void print_submit(const Json *r) {
  const Json *sealed = json_get(r, "sealed");
  Buf out = {0};
  buf_puts(&out, "submitted  ");
  put_text(&out, r, "id");
  buf_puts(&out, "  ");
  put_text(&out, r, "canonical");
  buf_puts(&out, "\nscore      ");
  put_number(&out, r, "score");
  buf_puts(&out, "\nsealed     ");
  put_number(&out, sealed, "score");
  buf_puts(&out, " +- ");
  put_number(&out, sealed, "standard_error");
  buf_puts(&out, "  (A to B ");
  put_number(&out, sealed, "error_ab");
  buf_puts(&out, ", B to A ");
  put_number(&out, sealed, "error_ba");
  buf_printf(&out, ")\nopened     SHA-256 %s, salt %s\n", json_text_of(json_get(json_get(r, "commitment"), "sha256")), json_text_of(json_get(json_get(r, "commitment"), "salt")));
  if (json_get(r, "forward")) put_forward(&out, json_get(r, "forward"));
  if (json_get(r, "structure")) put_structure(&out, json_get(r, "structure"));
  command_print("%s", buf_str(&out));
  buf_free(&out);
}

ExitStatus cmd_submit(Invocation *in) {
  Discover *d;
  if (discover_open(in->host, workspace_of(in), &d)) return host_finish(in->host);
  return reply(in, d, discover_submit_json(d, in->arguments[0], invocation_option(in, "--reason"), invocation_option(in, "--truth")), print_submit);
}
