/* pde search SCRIPT: the search of a discovery, run to its end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "declared.h"
#include "search.h"

static const Value *only(const Module *module, ValueKind kind, int *n) {
  const Value *found = NULL;
  *n = 0;
  for (int i = 0; module->dry_scope && i < module->dry_scope->n; i++)
    if (module->dry_scope->slots[i].value->kind == kind && (*n)++ == 0) found = module->dry_scope->slots[i].value;
  return *n == 1 ? found : NULL;
}

/* The one search, or the builtin one of the one discovery. */
static bool find(Invocation *in, const Module *module, SearchValue *out) {
  int searches, discoveries;
  const Value *search = only(module, VALUE_SEARCH, &searches), *discovery = only(module, VALUE_DISCOVERY, &discoveries);
  if (search) return *out = *search->search, true;
  if (!searches && discovery) return *out = (SearchValue){.discovery = (Value *)discovery, .policy = policy_builtin()}, true;
  diag_suggest(diag_report(&in->host->diags, E4081, (Span){0, 0}, "`%s` declares %s", in->arguments[0], searches ? "several searches" : discoveries ? "several discoveries and no search" : "no discovery"),
               "as in search s of d { seed: 1 }");
  return false;
}

static bool take_options(Invocation *in, Eval *ev, SearchValue *search) {
  const char *agent = invocation_option(in, "--agent"), *seed = invocation_option(in, "--seed");
  if (agent && !search_agent(ev, agent, (Span){0, 0}, &search->policy.spec.agent)) return false;
  if (agent) search->policy.language_model = (Span){0, 0};
  if (seed) search->policy.spec.options.seed = strtoull(seed, NULL, 10);
  if (invocation_option(in, "--no-submit")) search->policy.spec.submit = false;
  return true;
}

static void line(Buf *out, const char *what, const Json *law) {
  const char *equation = json_text_of(json_get(law, "equation"));
  double score;
  if (!equation) return;
  buf_printf(out, "%-20s  %s  ", what, json_text_of(json_get(law, "id")));
  if (json_number_of(json_get(law, "score"), &score)) buf_number(out, score);
  buf_printf(out, "  %s\n", equation);
}

static void print(const Json *r) {
  Buf out = {0};
  double evaluations = 0, sealed, ceiling;
  bool recommended = false;
  json_number_of(json_get(r, "evaluations"), &evaluations);
  json_truth_of(json_get(r, "recommended"), &recommended);
  buf_printf(&out, "%s: %g laws scored, ended by %s\n", json_text_of(json_get(r, "agent")), evaluations, strcmp(json_text_of(json_get(r, "end")), "budget") ? "trying all moves" : "its budget");
  line(&out, "least score", json_get(r, "best"));
  line(&out, "one standard error", json_get(r, "one_standard_error"));
  line(&out, recommended ? "recommended" : "not recommended", json_get(r, "choice"));
  if (json_number_of(json_get(r, "noise_ceiling"), &ceiling)) buf_puts(&out, "noise alone leaves    "), buf_number(&out, ceiling), buf_putc(&out, '\n');
  if (json_number_of(json_get(json_get(json_get(r, "submission"), "sealed"), "score"), &sealed)) buf_puts(&out, "submitted; sealed     "), buf_number(&out, sealed), buf_putc(&out, '\n');
  command_print("%s", buf_str(&out));
  buf_free(&out);
}

ExitStatus cmd_search(Invocation *in) {
  Host *host = in->host;
  Module *module = host->diags.nerrors ? NULL : command_load(in, in->arguments[0]);
  ExitStatus checked = host_execute(host, module, true);
  if (checked != EXIT_DONE || !module) return checked;
  SearchValue search;
  Eval ev = {.host = host, .module = module, .scope = module->dry_scope, .dry = true, .at_time = NAN};
  if (!find(in, module, &search) || !take_options(in, &ev, &search)) return host_finish(host);
  Status status;
  Json *result = search_run(&ev, &search, &status);
  command_progress_clear();
  if (result && !in->json) print(result);
  in->result = result;
  return host_finish(host);
}
