#!/usr/bin/env bash
# The HTML of views in a browser without a window: it loads without network and without complaint, fits a narrow screen, sorts by mouse and keyboard. Needs chromium.
set -u
. "$(dirname "$0")/common.bash"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { skip browser "no chromium"; exit 0; }

# dom PAGE WIDTH: what the page is after its scripts ran; complaints go to $WORK/log.
dom() {
  timeout -k 5 90 "$browser" --headless=new --no-sandbox --disable-gpu --no-first-run --user-data-dir="$WORK/profile" --host-resolver-rules="MAP * ~NOTFOUND" --enable-logging=stderr \
    --virtual-time-budget=4000 --window-size="$2",900 --dump-dom "file://$1" 2>"$WORK/log"
}
printf '<!DOCTYPE html><title>up</title><body>up</body>' >"$WORK/up.html"
dom "$WORK/up.html" 800 | grep -q '>up<' || { skip browser "chromium does not start here: $(grep -m 1 -i error "$WORK/log")"; exit 0; }

cat >"$WORK/warm.pde" <<'EOF'
geometry square = rectangle(x: 0..1, y: 0..1)
pde poisson on square {
  unknown u : scalar P1
  -lap(u) == 2*pi^2*sin(pi*x)*sin(pi*y)
  on all: u == 0
}
study orders = refine(poisson, exact: (u: sin(pi*x)*sin(pi*y)), cells: [4, 8, 16])
sol = solve(poisson, mesh(square, cells: [8, 8]))
peak = max(sol.u)
check sol against balance(sol), maximum_principle(sol), range_bound(sol, u, low: 0, high: 0.5)
view everything of run {
  title "<b>Poisson</b> & its orders"
  value peak, status
  table orders: h, dofs, L2, order_L2, H1, order_H1
  table verdicts
  table equations
  plot L2, H1 against h logx logy
  map fields of sol
}
EOF
"$PDE" run "$WORK/warm.pde" --record "$WORK/record" --out "$WORK/out" --quiet >"$WORK/out.txt" 2>&1
for view in everything summary verdicts events; do "$PDE" view "$WORK/record" "$view" -o "$WORK/$view.html" 2>"$WORK/err" || bad "$view" "$(head -n 1 "$WORK/err")"; done

# A page around the report asks it, in a frame of the width of a phone, what a reader would: srcdoc is of the same origin, so its elements can be touched.
ask() {
  { cat <<'EOF'
<!DOCTYPE html><meta charset="utf-8"><pre id="said"></pre><script>
addEventListener('load', () => {
  const f = document.querySelector('iframe'), d = f.contentDocument, w = f.contentWindow, said = [];
  const say = (what, good) => said.push((good ? 'yes ' : 'NO ') + what);
  say('fits its width', d.documentElement.scrollWidth <= w.innerWidth);
  say('a heading', d.querySelectorAll('h1').length === 1);
  say('a language', d.documentElement.lang === 'en');
  say('every picture has a text and is loaded', [...d.images].every(i => i.alt && i.naturalWidth > 0));
  say('no picture is wider than the page', [...d.querySelectorAll('img, svg')].every(i => i.getBoundingClientRect().right <= w.innerWidth + 1));
  say('wide tables can be reached and scrolled by keys', [...d.querySelectorAll('.wide')].every(e => e.tabIndex === 0 && e.scrollWidth >= e.clientWidth));
  const t = d.querySelector('table.sorts');
  if (t) {
    const b = t.tHead.querySelector('th.n button') || t.tHead.querySelector('button'), i = b ? b.closest('th').cellIndex : 0;
    say('heads are buttons', [...t.tHead.rows[0].cells].every(c => c.querySelector('button') && c.querySelector('button').tabIndex === 0));
    const values = () => [...t.tBodies[0].rows].map(r => r.cells[i].dataset.v ?? r.cells[i].textContent).filter(v => v !== '' && v !== 'NaN').map(v => isNaN(+v) ? v : +v);
    const rises = v => v.every((x, k) => !k || v[k - 1] <= x), falls = v => v.every((x, k) => !k || v[k - 1] >= x);
    b.focus();
    say('a head takes the focus, and shows it', d.activeElement === b && b.matches(':focus'));
    b.click();
    say('sorts upwards', rises(values()) && b.closest('th').getAttribute('aria-sort') === 'ascending');
    b.click();
    say('sorts downwards', falls(values()) && b.closest('th').getAttribute('aria-sort') === 'descending');
  }
  const body = w.getComputedStyle(d.body);
  const light = c => { const [r, g, b] = c.match(/[\d.]+/g).map(x => x/255).map(x => x <= 0.03928 ? x/12.92 : ((x + 0.055)/1.055)**2.4); return 0.2126*r + 0.7152*g + 0.0722*b };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort(); return (y + 0.05)/(x + 0.05) };
  say('text stands out', [...d.querySelectorAll('.fail, .pass, .note, dt')].every(e => contrast(w.getComputedStyle(e).color, body.backgroundColor) >= 4.5));
  document.getElementById('said').textContent = said.join('\n') + '\nEND';
});
</script>
EOF
    printf '<iframe style="border:0;width:%spx;height:800px" srcdoc="' "$2"
    sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
    printf '"></iframe>\n'; } >"$WORK/ask.html"
  dom "$WORK/ask.html" 1000 | sed -n '/id="said"/,/END/p' | sed 's/.*<pre id="said">//'
}

for view in everything summary verdicts events; do
  page=$WORK/$view.html
  [ -s "$page" ] || continue
  dom "$page" 1000 >"$WORK/dom"
  complaint=$(grep -m 1 'CONSOLE\|Refused\|net::ERR' "$WORK/log")
  if [ -n "$complaint" ]; then bad "$view: no complaints" "$complaint"; else ok "$view: no complaints"; fi
  for width in 360 1000; do
    ask "$page" "$width" >"$WORK/said"
    grep -q '^END' "$WORK/said" || bad "$view at $width" "it did not answer"
    sed -n "s/^yes \(.*\)/ok $view at $width: \1/p; s/^NO \(.*\)/not ok $view at $width: \1/p" "$WORK/said"
  done
done
# markup of a record is text
if grep -q '&lt;b&gt;Poisson&lt;/b&gt; &amp; its orders' "$WORK/everything.html"; then ok 'everything: markup is text'; else bad 'everything: markup is text' "$(grep -m 1 '<h1>' "$WORK/everything.html")"; fi
