/* One HTML file: no network, no fonts, little script (sorting), which a content security policy allows by its hash alone, so that nothing that comes
 * from a record could run even if it got past the escapes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/sha256.h"
#include "chart.h"
#include "render.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#5a636e;--line:#d5dae0;--page:#fff;--band:#f4f6f8;--bad:#b3261e;--good:#18703b;"
    "--c0:#0b62b0;--c1:#c04a00;--c2:#0a7d5b;--c3:#a3307f;--c4:#7a6200;--c5:#4a4a4a}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#a3adb8;--line:#3a424c;--page:#14181d;--band:#1d232a;--bad:#ff8a80;--good:#7fd69b;"
    "--c0:#6db3f2;--c1:#ffa366;--c2:#5fd0ab;--c3:#f08fcb;--c4:#e0c95a;--c5:#c8c8c8}}"
    "*{box-sizing:border-box}body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:68rem;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}"
    "h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1.15rem;margin:2rem 0 .6rem;overflow-wrap:anywhere}"
    ".wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px}.wide:focus-visible,button:focus-visible{outline:3px solid var(--c0);outline-offset:2px}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:.35rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}"
    "tr:last-child td{border-bottom:0}thead th{background:var(--band);white-space:nowrap}tbody tr:nth-child(even){background:var(--band)}td{overflow-wrap:break-word;max-width:34rem}"
    "th.n,td.n{text-align:right;white-space:nowrap}th button{all:unset;cursor:pointer;font-weight:600}th button::after,th.n button::before{content:'';display:inline-block;width:1em;text-align:center}th.n button::after{display:none}"
    "th[aria-sort=ascending] button::after,th.n[aria-sort=ascending] button::before{content:'\\2191'}th[aria-sort=descending] button::after,th.n[aria-sort=descending] button::before{content:'\\2193'}"
    ".note{color:var(--soft);margin:.4rem 0}.fail,.error{color:var(--bad);font-weight:600}.pass{color:var(--good)}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;margin:0}dt{color:var(--soft)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}"
    "figure{margin:0}figure img{max-width:100%;height:auto;background:#fff;border-radius:6px}.chart{width:100%;max-width:44rem;height:auto;font:12px system-ui,sans-serif}"
    ".chart text{fill:var(--ink);paint-order:stroke;stroke:var(--page);stroke-width:3px}.grid{stroke:var(--line)}.axis{stroke:var(--soft);fill:none}.curve{fill:none;stroke:currentColor;stroke-width:1.6}.limit{stroke:var(--bad);stroke-dasharray:5 4}"
    ".chart circle,.chart rect{fill:currentColor}.chart circle{fill-opacity:.65}.s0{color:var(--c0)}.s1{color:var(--c1)}.s2{color:var(--c2)}.s3{color:var(--c3)}.s4{color:var(--c4)}.s5{color:var(--c5)}"
    ".pic{display:inline-block;vertical-align:top;width:100%}@media(min-width:56rem){.pic{width:49%}}.front{color:var(--c1)}math{font-size:1.1em}td math[display=block]{display:math;margin:0}td mtd{text-align:left}pre{white-space:pre-wrap;margin:0}"
    "@media(max-width:30rem){body{padding:1rem .6rem 2rem;font-size:15px}th,td{padding:.3rem .45rem}.chart{font-size:17px}dl{grid-template-columns:1fr;gap:0 .5rem}dd{margin-bottom:.5rem}}"
    "@media print{:root{color-scheme:light;--page:#fff;--ink:#000;--band:#f2f2f2;--line:#bbb;--soft:#444}body{max-width:none;padding:0}.wide{overflow:visible;border:0}th button::after,th.n button::before{content:''!important}tr,figure{break-inside:avoid}}";

/* A button in each head sorts its table: numbers by value, text by the reader's alphabet, empty cells last. */
static const char script[] =
    "for(const t of document.querySelectorAll('table.sorts')){const h=[...t.tHead.rows[0].cells];h.forEach((th,i)=>{const b=document.createElement('button');b.type='button';"
    "b.append(...th.childNodes);th.append(b);b.onclick=()=>{const d=th.getAttribute('aria-sort')==='ascending'?-1:1;for(const o of h)o.removeAttribute('aria-sort');"
    "th.setAttribute('aria-sort',d>0?'ascending':'descending');const k=r=>{const c=r.cells[i];return c.dataset.v!==undefined?+c.dataset.v:c.textContent};"
    "const rs=[...t.tBodies[0].rows];rs.sort((p,q)=>{const a=k(p),b=k(q);if(a===''||b==='')return(a==='')-(b==='');"
    "return d*(typeof a==='number'&&typeof b==='number'?a-b:String(a).localeCompare(String(b)))});t.tBodies[0].append(...rs)}})}";

/* --- escaping --- */

static void html_text(Buf *out, const char *s) {
  bool valid;
  for (int n; *s; s += n) {
    n = text_next(s, &valid);
    if (*s == '\n') buf_putc(out, '\n');
    else if (!valid) buf_puts(out, "\xEF\xBF\xBD");
    else if (*s == '&') buf_puts(out, "&amp;");
    else if (*s == '<') buf_puts(out, "&lt;");
    else if (*s == '>') buf_puts(out, "&gt;");
    else if (*s == '"') buf_puts(out, "&quot;");
    else if (*s == '\'') buf_puts(out, "&#39;");
    else buf_add(out, s, (size_t)n);
  }
}

static void base64(Buf *out, const void *bytes, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *s = bytes;
  for (size_t i = 0; i < n; i += 3) {
    unsigned v = (unsigned)s[i] << 16 | (i + 1 < n ? (unsigned)s[i + 1] << 8 : 0) | (i + 2 < n ? s[i + 2] : 0u);
    char four[4] = {digits[v >> 18], digits[v >> 12 & 63], i + 1 < n ? digits[v >> 6 & 63] : '=', i + 2 < n ? digits[v & 63] : '='};
    buf_add(out, four, 4);
  }
}

/* --- MathML: elements and attributes of our own printer; all else of a record becomes text --- */

static bool among(const char *word, size_t n, const char *const *list) {
  for (; *list; list++)
    if (strlen(*list) == n && !strncmp(*list, word, n)) return true;
  return false;
}

/* Length of a tag that may pass, 0: none. */
static size_t math_tag(const char *s) {
  static const char *const elements[] = {"math", "mrow", "mi", "mn", "mo", "mtext", "mfrac", "msup", "msub", "msubsup", "msqrt", "mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mspace", "mstyle", "mfenced", "mpadded", NULL};
  static const char *const attributes[] = {"display", "mathvariant", "stretchy", "columnalign", "fence", "separator", "accent", "width", "form", "xmlns", "displaystyle", "lspace", "rspace", "columnspacing", "rowspacing", "open", "close", NULL};
  const char *at = s + 1 + (s[1] == '/');
  size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
  if (!n || !among(at, n, elements)) return 0;
  at += n;
  while (*at == ' ') {
    at += strspn(at, " ");
    n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
    if (!n) break;
    if (!among(at, n, attributes) || at[n] != '=' || at[n + 1] != '"') return 0;
    at += n + 2;
    at += strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:/-()[]{},|");
    if (*at++ != '"') return 0;
  }
  if (*at == '/') at++;
  return *at == '>' ? (size_t)(at + 1 - s) : 0;
}

static size_t math_entity(const char *s) {
  size_t n = strspn(s + 1, "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
  return n && n < 12 && s[n + 1] == ';' ? n + 2 : 0;
}

static void html_math(Buf *out, const char *s) {
  bool valid;
  for (size_t n; *s; s += n) {
    n = *s == '<' ? math_tag(s) : *s == '&' ? math_entity(s) : 0;
    if (n) {
      buf_add(out, s, n);
      continue;
    }
    n = (size_t)text_next(s, &valid);
    char one[5] = {0};
    memcpy(one, s, n);
    html_text(out, one);
  }
}

/* --- blocks --- */

static void html_cell(Buf *out, const ProjectedColumn *c, const Cell *cell) {
  bool number = cell->kind == CELL_NUMBER && c->type != STORE_BOOL;
  const char *class = cell->kind != CELL_TEXT || strcmp(c->name, "status") ? NULL : !strcmp(cell->text, "pass") ? "pass" : !strcmp(cell->text, "fail") || !strcmp(cell->text, "error") ? "fail" : NULL;
  buf_puts(out, "<td");
  if (number && c->type != STORE_TIME) buf_puts(out, " class=\"n\"");
  else if (class) buf_printf(out, " class=\"%s\"", class);
  if (number) {
    double x = render_number(c, cell);
    buf_puts(out, " data-v=\"");
    if (x != x) buf_puts(out, "NaN");
    else if (x - x != 0) buf_puts(out, x > 0 ? "Infinity" : "-Infinity");
    else buf_number(out, x);
    buf_puts(out, "\"");
  }
  buf_putc(out, '>');
  const char *math = c->type == STORE_EQUATION && cell->kind == CELL_TEXT ? equation_mathml(cell->text) : NULL;
  if (math) html_math(out, math);
  else {
    Buf text = {0};
    render_cell(&text, c, cell);
    html_text(out, buf_str(&text));
    buf_free(&text);
  }
  buf_puts(out, "</td>");
}

static void html_note(Buf *out, const ProjectedBlock *b) {
  Buf text = {0};
  if (b->kind == PROJECTED_PLOT) chart_note(&text, b);
  else render_rows_note(&text, b);
  if (text.len) buf_printf(out, "<p class=\"note\">%s</p>\n", buf_str(&text));
  buf_free(&text);
}

static void html_table(Buf *out, const ProjectedBlock *b) {
  if (b->rows.nrows) {
    buf_puts(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    html_text(out, b->title ? b->title : "table");
    buf_puts(out, "\"><table class=\"sorts\"><thead><tr>");
    for (int c = 0; c < b->ncolumns; c++) {
      Buf head = {0};
      render_head(&head, &b->columns[c]);
      buf_puts(out, render_is_number(&b->columns[c]) ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
      html_text(out, buf_str(&head));
      buf_puts(out, "</th>");
      buf_free(&head);
    }
    buf_puts(out, "</tr></thead><tbody>\n");
    for (int r = 0; r < b->rows.nrows; r++) {
      buf_puts(out, "<tr>");
      for (int c = 0; c < b->ncolumns; c++) html_cell(out, &b->columns[c], store_cell(&b->rows, r, c));
      buf_puts(out, "</tr>\n");
    }
    buf_puts(out, "</tbody></table></div>\n");
  }
  html_note(out, b);
}

static void html_values(Buf *out, const ProjectedBlock *b) {
  buf_puts(out, "<dl>");
  for (int r = 0; r < b->rows.nrows; r++) {
    Buf value = {0};
    render_cell(&value, &(ProjectedColumn){.type = STORE_NUMBER, .scale = 1}, store_cell(&b->rows, r, 1));
    buf_puts(out, "<dt>");
    html_text(out, store_cell(&b->rows, r, 0)->text);
    buf_puts(out, "</dt><dd>");
    html_text(out, buf_str(&value));
    if (store_cell(&b->rows, r, 2)->kind == CELL_TEXT) {
      buf_putc(out, ' ');
      html_text(out, store_cell(&b->rows, r, 2)->text);
    }
    buf_puts(out, "</dd>");
    buf_free(&value);
  }
  buf_puts(out, "</dl>\n");
}

/* Pictures stand in img, where an SVG runs no script. */
static void html_picture(Buf *out, const ProjectedBlock *b) {
  if (!b->picture.len || !strncmp(b->media, "text/", 5)) {
    buf_puts(out, "<p class=\"note\">");
    html_text(out, b->note ? b->note : "not drawn");
    buf_puts(out, "</p>\n");
    return;
  }
  buf_printf(out, "<figure><img alt=\"");
  html_text(out, b->title ? b->title : "picture");
  buf_printf(out, "\" src=\"data:%s;base64,", b->media);
  base64(out, b->picture.text, b->picture.len);
  buf_puts(out, "\"></figure>\n");
}

static void html_head(Buf *out, const Projection *p) {
  Sha256 sha;
  uint8_t digest[32];
  sha256_start(&sha);
  sha256_add(&sha, script, sizeof script - 1);
  sha256_end(&sha, digest);
  buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-");
  base64(out, digest, sizeof digest);
  buf_puts(out, "'\">\n<title>");
  html_text(out, p->title);
  buf_printf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
  html_text(out, p->title);
  buf_puts(out, "</h1>\n");
}

void render_html(Buf *out, const Projection *p, const RenderOptions *o) {
  (void)o;
  html_head(out, p);
  for (int i = 0; i < p->nblocks; i++) {
    const ProjectedBlock *b = &p->blocks[i];
    buf_puts(out, b->kind == PROJECTED_PICTURE ? "<section class=\"pic\">\n" : "<section>\n");
    if (b->title) {
      buf_puts(out, "<h2>");
      html_text(out, b->title);
      buf_puts(out, "</h2>\n");
    }
    switch (b->kind) {
      case PROJECTED_TABLE: html_table(out, b); break;
      case PROJECTED_PLOT:
        if (b->rows.nrows) {
          buf_puts(out, "<figure>");
          chart_svg(out, b);
          buf_puts(out, "</figure>\n");
        }
        html_note(out, b);
        break;
      case PROJECTED_PICTURE: html_picture(out, b); break;
      case PROJECTED_VALUES: html_values(out, b); break;
    }
    buf_puts(out, "</section>\n");
  }
  buf_printf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n", script);
}
