/* pde audit: the audits of a script, or of the script that a run record holds; or one probe of them again. */
#include <sys/stat.h>

#include "command.h"
#include "store.h"
#include "value_json.h"

static Json *audits_json(const Host *host) {
  Json *result = json_object(), *verdicts = json_array(), *files = json_array();
  for (int i = 0; i < host->nverdicts; i++) json_append(verdicts, verdict_to_json(&host->verdicts[i]));
  for (int i = 0; i < host->nfiles; i++) json_append(files, json_string(host->files[i]));
  json_put(result, "verdicts", verdicts);
  json_put(result, "files", files);
  return result;
}

/* The script that a record keeps, under the name that it had: what it imports is found beside that. */
static Module *recorded_script(Invocation *in, const char *dir) {
  Store *store = NULL;
  StoreRows rows = {0};
  Buf text = {0};
  Module *module = NULL;
  if (store_open(dir, false, &in->host->diags, &store)) return NULL;
  if (!store_select(store, "SELECT path, sha256 FROM inputs WHERE role = 'script' ORDER BY n LIMIT 1", NULL, 0, &rows) && rows.nrows &&
      !store_get(store, store_cell(&rows, 0, 1)->text, &text))
    module = host_load_text(in->host, buf_str(&text), text.len, store_cell(&rows, 0, 0)->text);
  buf_free(&text);
  store_rows_free(&rows);
  store_close(store);
  return module;
}

static Module *load(Invocation *in) {
  struct stat st;
  const char *path = in->arguments[0];
  if (in->host->diags.nerrors) return NULL;
  return !stat(path, &st) && S_ISDIR(st.st_mode) ? recorded_script(in, path) : command_load(in, path);
}

ExitStatus cmd_audit(Invocation *in) {
  Host *host = in->host;
  host->replay = invocation_option(in, "--replay");
  ExitStatus status = host_execute(host, load(in), false);
  Diag *d = NULL;
  if (status == EXIT_DONE || status == EXIT_CONTRACT) {
    if (!host->audits) d = diag_suggest(diag_report(&host->diags, E3032, (Span){0, 0}, "`%s` has no audit", in->arguments[0]), "write `audit model against pack { samples: 256 }` in it");
    else if (host->replay && !host->replayed)
      d = diag_suggest(diag_report(&host->diags, E3033, (Span){0, 0}, "no audit of `%s` has a probe %s", in->arguments[0], host->replay), "ids stand after `replay` in the table of an audit");
  }
  if (d) status = host_finish(host);
  if (in->json) in->result = audits_json(host);
  return status;
}
