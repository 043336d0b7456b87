// Exact products that do not fit a double, as the kernel's 64-bit arithmetic makes them.

const TWO_21 = 2 ** 21;
const TWO_32 = 2 ** 32;

/**
 * floor(delta * factor / 2^32), exact.
 *
 * @param delta integer, 0 <= delta < 2^42 (an hour in ns)
 * @param factor integer, 0 <= factor < 2^42
 * Source: mul_u64_u32_shr as used by __calc_delta (kernel/sched/fair.c, v6.1). Its shift of `fact` loses
 * no bit here, since factor is a multiple of 1024 whenever it exceeds 32 bits.
 */
export function mulShift32(delta: number, factor: number): number {
  const factorHi = Math.floor(factor / TWO_32);
  const factorLo = factor - factorHi * TWO_32;
  const deltaHi = Math.floor(delta / TWO_21);
  const deltaLo = delta - deltaHi * TWO_21;
  const high = factorLo * deltaHi;
  const highQuotient = Math.floor(high / 2048);
  const highRest = high - highQuotient * 2048;
  const low = factorLo * deltaLo;
  const lowQuotient = Math.floor(low / TWO_32);
  const lowRest = low - lowQuotient * TWO_32;
  return delta * factorHi + highQuotient + lowQuotient + Math.floor((highRest * TWO_21 + lowRest) / TWO_32);
}
