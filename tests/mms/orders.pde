# Imported by the scripts beside it: an observed order of the last two levels, compared with the theory.
fn expect(s, l2, h1, what) {
  a = observed_order(s, L2)
  b = observed_order(s, H1)
  assert abs(a - l2) < 0.15, f"{what}: L2 order {a:.3f}, expected {l2}"
  assert abs(b - h1) < 0.15, f"{what}: H1 order {b:.3f}, expected {h1}"
  print(f"ok {what}: orders {a:.2f} in L2, {b:.2f} in H1")
}
