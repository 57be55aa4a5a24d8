#include "json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

Json *json_object(void) { return cJSON_CreateObject(); }
Json *json_array(void) { return cJSON_CreateArray(); }
Json *json_number(double x) { return cJSON_CreateNumber(x); }
Json *json_bool(bool truth) { return cJSON_CreateBool(truth); }
Json *json_null(void) { return cJSON_CreateNull(); }

/* Length of the UTF-8 sequence at s, 0: there is none. */
static int sequence(const unsigned char *s) {
  int n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) return 0;
  if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))) return 0;
  return n;
}

Json *json_string(const char *text) {
  if (!text) return cJSON_CreateNull();
  Buf clean = {0};
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    int n = sequence(s);
    if (n) buf_add(&clean, (const char *)s, (size_t)n);
    else buf_puts(&clean, "\xEF\xBF\xBD");
    s += n ? n : 1;
  }
  Json *node = cJSON_CreateString(buf_str(&clean));
  buf_free(&clean);
  return node;
}

void json_put(Json *object, const char *key, Json *item) { cJSON_AddItemToObject(object, key, item); }
void json_append(Json *array, Json *item) { cJSON_AddItemToArray(array, item); }

Json *json_parse(const char *text, size_t len) { return cJSON_ParseWithLengthOpts(text, len, NULL, 0); }
const Json *json_get(const Json *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }
int json_count(const Json *node) { return cJSON_GetArraySize(node); }
const Json *json_at(const Json *array, int k) { return cJSON_GetArrayItem(array, k); }
bool json_is_object(const Json *node) { return cJSON_IsObject(node); }
bool json_is_array(const Json *node) { return cJSON_IsArray(node); }
const char *json_key_at(const Json *object, int k) { return cJSON_GetArrayItem(object, k)->string; }
const char *json_text_of(const Json *node) { return cJSON_IsString(node) ? node->valuestring : NULL; }

bool json_number_of(const Json *node, double *out) {
  if (!cJSON_IsNumber(node)) return false;
  *out = node->valuedouble;
  return true;
}

bool json_truth_of(const Json *node, bool *out) {
  if (!cJSON_IsBool(node)) return false;
  *out = cJSON_IsTrue(node);
  return true;
}

static void print_string(Buf *out, const char *text) {
  buf_putc(out, '"');
  for (const char *s = text; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') buf_printf(out, "\\%c", c);
    else if (c == '\n') buf_puts(out, "\\n");
    else if (c == '\t') buf_puts(out, "\\t");
    else if (c < 0x20 || c == 0x7F) buf_printf(out, "\\u%04x", c);
    else buf_putc(out, *s);
  }
  buf_putc(out, '"');
}

static void print_number(Buf *out, double x, const Buf *path, Json *nonfinite) {
  if (isfinite(x)) buf_number(out, x);
  else if (!nonfinite) buf_puts(out, x < 0 ? "-1e999" : "1e999");
  else {
    buf_puts(out, "null");
    cJSON_AddItemToArray(nonfinite, cJSON_CreateString(buf_str(path)));
  }
}

/* path: where node is; it is as long after the call as before. */
static void print_node(Buf *out, const Json *node, Buf *path, Json *nonfinite) {
  if (cJSON_IsNumber(node)) print_number(out, node->valuedouble, path, nonfinite);
  else if (cJSON_IsString(node)) print_string(out, node->valuestring);
  else if (cJSON_IsBool(node)) buf_puts(out, cJSON_IsTrue(node) ? "true" : "false");
  else if (!cJSON_IsArray(node) && !cJSON_IsObject(node)) buf_puts(out, "null");
  if (!cJSON_IsArray(node) && !cJSON_IsObject(node)) return;
  bool object = cJSON_IsObject(node);
  size_t here = path->len;
  int k = 0;
  buf_putc(out, object ? '{' : '[');
  for (const Json *item = node->child; item; item = item->next, k++) {
    if (k) buf_putc(out, ',');
    if (object) {
      print_string(out, item->string);
      buf_putc(out, ':');
      buf_printf(path, "%s%s", here ? "." : "", item->string);
    } else {
      buf_printf(path, "[%d]", k);
    }
    print_node(out, item, path, nonfinite);
    path->len = here;
    if (path->text) path->text[here] = 0;
  }
  buf_putc(out, object ? '}' : ']');
}

void json_print(Buf *out, const Json *node, Json *nonfinite) {
  Buf path = {0};
  print_node(out, node, &path, nonfinite);
  buf_free(&path);
}

void json_free(Json *node) { cJSON_Delete(node); }
