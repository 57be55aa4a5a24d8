/* pde doc */
#include "command.h"
#include "doc.h"

ExitStatus cmd_doc(Invocation *in) {
  Host *host = in->host;
  Buf text = {0};
  ExprStyle style = invocation_option(in, "--latex") ? EXPR_LATEX : invocation_option(in, "--mathml") ? EXPR_MATHML : EXPR_UNICODE;
  const char *kind = doc_print(host, &text, in->arguments[0], style);
  if (!kind) doc_report_unknown(host, in->arguments[0]);
  if (in->json && kind) {
    in->result = json_object();
    json_put(in->result, "name", json_string(in->arguments[0]));
    json_put(in->result, "kind", json_string(kind));
    json_put(in->result, "text", json_string(buf_str(&text)));
  } else if (!in->json) {
    command_print("%s", buf_str(&text));
  }
  buf_free(&text);
  return host_finish(host);
}
