/* The JSON envelope. */
#include "command.h"
#include "value_json.h"

void command_envelope(Invocation *in, ExitStatus status, double seconds) {
  Host *host = in->host;
  Json *envelope = json_object(), *diagnostics = json_array(), *meta = json_object(), *nonfinite = json_array();
  for (int i = 0; i < host->diags.n; i++) json_append(diagnostics, diag_to_json(host->sources, host->diags.items[i]));
  json_put(meta, "version", json_string(PDE_VERSION));
  json_put(meta, "seconds", json_number(seconds));
  json_put(envelope, "v", json_number(1));
  json_put(envelope, "command", json_string(in->row->name));
  json_put(envelope, "ok", json_bool(status == EXIT_DONE));
  json_put(envelope, "status", json_number(status));
  json_put(envelope, "result", in->result ? in->result : json_object());
  in->result = NULL;
  json_put(envelope, "diagnostics", diagnostics);
  if (in->budget) json_put(envelope, "budget", in->budget);
  if (in->charges) json_put(envelope, "charged", json_number(in->charged));
  if (in->next) json_put(envelope, "next", in->next);
  in->budget = in->next = NULL;
  Buf text = {0};
  json_print(&text, envelope, nonfinite);
  if (json_count(nonfinite)) {     /* their paths are known only once all is printed */
    json_put(envelope, "nonfinite", nonfinite);
    nonfinite = json_array();
    buf_clear(&text);
  }
  json_put(envelope, "meta", meta);
  buf_clear(&text);
  json_print(&text, envelope, nonfinite);
  buf_putc(&text, '\n');
  command_print("%s", buf_str(&text));
  buf_free(&text);
  json_free(nonfinite);
  json_free(envelope);
}
