/* pde test */
#include <string.h>

#include "command.h"
#include "mutate.h"
#include "value_json.h"

static ExitStatus graver(ExitStatus a, ExitStatus b) { return a > b ? a : b; }

/* Every file has the host for itself. */
static ExitStatus run_file(Invocation *in, const char *path, int mutation, Buf *what) {
  Host *host = in->host;
  host_forget(host);
  host_begin(host);
  host->uses_units = false;
  host->nunits = 0;
  host->tests_passed = host->tests_failed = 0;
  Module *module = command_load(in, path);
  if (module && mutation >= 0 && !mutate_apply(module->program, mutation, what)) return EXIT_DONE;
  return host_execute(host, module, false);
}

static Json *file_json(const Host *host, const char *path) {
  Json *node = json_object(), *diagnostics = json_array();
  for (int i = 0; i < host->diags.n; i++) json_append(diagnostics, diag_to_json(host->sources, host->diags.items[i]));
  json_put(node, "file", json_string(path));
  json_put(node, "passed", json_number(host->tests_passed));
  json_put(node, "failed", json_number(host->tests_failed));
  json_put(node, "diagnostics", diagnostics);
  return node;
}

/* Every mutant in turn, silently; one that no test notices is reported. */
static Json *mutate_file(Invocation *in, const char *path, int *killed, int *missed) {
  Host *host = in->host;
  void (*on_output)(void *, const char *, size_t) = host->on_output;
  void (*on_message)(void *, int, const char *) = host->on_message;
  Json *list = json_array();
  host->on_output = NULL;
  host->on_message = NULL;
  for (int k = 0; !host->interrupt; k++) {
    Buf what = {0};
    ExitStatus status = run_file(in, path, k, &what);
    bool more = what.len > 0;
    if (more && status != EXIT_DONE) ++*killed;
    if (more && status == EXIT_DONE) {
      ++*missed;
      json_append(list, json_string(buf_str(&what)));
      if (!in->json) command_print("missed: %s\n", buf_str(&what));
    }
    buf_free(&what);
    if (!more) break;
  }
  host->on_output = on_output;
  host->on_message = on_message;
  return list;
}

ExitStatus cmd_test(Invocation *in) {
  Host *host = in->host;
  ExitStatus status = EXIT_DONE;
  bool mutate = invocation_option(in, "--mutate") != NULL;
  int passed = 0, failed = 0, killed = 0, missed = 0;
  Json *files = json_array();
  host->run_tests = true;
  host->test_filter = invocation_option(in, "--filter");
  for (int i = 0; i < in->narguments && !host->interrupt; i++) {
    const char *path = in->arguments[i];
    if (in->narguments > 1 && !in->json) command_print("%s\n", path);
    ExitStatus own = run_file(in, path, -1, NULL);
    Json *node = file_json(host, path);
    passed += host->tests_passed;
    failed += host->tests_failed;
    if (mutate && own == EXIT_DONE && host->tests_passed) json_put(node, "missed", mutate_file(in, path, &killed, &missed));
    json_append(files, node);
    status = graver(status, own);
  }
  if (missed) status = graver(status, EXIT_CONTRACT);
  in->result = json_object();
  json_put(in->result, "passed", json_number(passed));
  json_put(in->result, "failed", json_number(failed));
  if (mutate) {
    json_put(in->result, "mutants_noticed", json_number(killed));
    json_put(in->result, "mutants_missed", json_number(missed));
    if (!in->json) command_print("%d mutants noticed, %d missed\n", killed, missed);
  }
  json_put(in->result, "files", files);
  if (!in->json) command_print("%d passed, %d failed\n", passed, failed);
  if (in->json) diags_clear(&host->diags);     /* they stand with their files */
  if (status == EXIT_DONE && !host->interrupt && host->test_filter && !passed && !failed) {
    diag_report(&host->diags, E0565, (Span){0, 0}, "no test has `%s` in its name", host->test_filter);
    if (!in->json) host_flush_diags(host);
    status = EXIT_CONTRACT;
  }
  return host->interrupt ? EXIT_INTERRUPT : status;
}
