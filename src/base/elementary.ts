// Logarithm, exponential and square root from + - * / alone. Math.log and Math.exp may differ in their last bits from
// one engine to another; these four operations are exact to the bit everywhere (IEEE 754), and so are the results here.

const LN2 = Math.LN2;
/** Terms of the series: enough for the full precision of a double. */
const LN_TERMS = 12;
const EXP_TERMS = 16;

/** Natural logarithm of a finite x > 0. Error below 4e-16 + 2e-15 * |ln x|. O(|log2 x|). */
export function ln(x: number): number {
  let m = x;
  let exponent = 0;
  while (m > 1.5) {
    m /= 2;
    exponent++;
  }
  while (m < 0.75) {
    m *= 2;
    exponent--;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)).
  const s = (m - 1) / (m + 1);
  const square = s * s;
  let sum = 0;
  for (let k = LN_TERMS; k >= 0; k--) sum = sum * square + 1 / (2 * k + 1);
  return exponent * LN2 + 2 * s * sum;
}

/** e^x for -700 <= x <= 700. Relative error below 1e-13. O(|x|). */
export function exp(x: number): number {
  const halvings = Math.round(x / LN2);
  const rest = x - halvings * LN2;
  let sum = 1;
  for (let k = EXP_TERMS; k >= 1; k--) sum = 1 + (rest / k) * sum;
  for (let i = 0; i < halvings; i++) sum *= 2;
  for (let i = 0; i > halvings; i--) sum /= 2;
  return sum;
}

/** Square root of a finite x >= 0 (Newton). Relative error below 1e-15. O(|log2 x|). */
export function squareRoot(x: number): number {
  if (x === 0) return 0;
  let root = Math.max(x, 1);
  for (;;) {
    const next = (root + x / root) / 2;
    if (next >= root) return root;
    root = next;
  }
}
