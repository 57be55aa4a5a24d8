/* JSON documents: built as a tree, printed with the shortest numbers that read back. The only way to the JSON library. */
#ifndef JSON_H
#define JSON_H
#include <stdbool.h>

#include "../lang/buf.h"

typedef struct cJSON Json;

/* New nodes; owned by the caller until they are put into another node. */
Json *json_object(void);
Json *json_array(void);
Json *json_string(const char *text);          /* NULL gives null; bytes that are no UTF-8 become U+FFFD */
Json *json_number(double x);                  /* NaN and infinity are printed as null, and their paths listed */
Json *json_bool(bool truth);
Json *json_null(void);

/* Both take the item; put replaces nothing: keys are put once. */
void json_put(Json *object, const char *key, Json *item);
void json_append(Json *array, Json *item);

Json *json_parse(const char *text, size_t len);              /* NULL: not JSON */
const Json *json_get(const Json *object, const char *key);   /* NULL: absent; borrowed */
int json_count(const Json *node);
const Json *json_at(const Json *array, int k);
bool json_is_object(const Json *node);
bool json_is_array(const Json *node);
const char *json_key_at(const Json *object, int k);          /* as json_at, of an object */
const char *json_text_of(const Json *node);                  /* of a string; NULL: it is none */
bool json_number_of(const Json *node, double *out);
bool json_truth_of(const Json *node, bool *out);

/* One line. nonfinite: takes an array of the paths ("result.printed[0].value") at which null stands for a number that is not finite; NULL: such a
 * number is printed as 1e999, which json_parse reads as one again. */
void json_print(Buf *out, const Json *node, Json *nonfinite);
void json_free(Json *node);

#endif
