/** Numbers that are tried one by one. */
const FEW = 16;

/** A free number from 1: the first one, unless many are taken. Thousands of pages may share a title or a file name. */
export function freeNumber(isFree: (number: number) => boolean): number {
  for (let number = 1; number < FEW; number++) if (isFree(number)) return number;
  // Exponential, then binary search.
  let high = FEW;
  while (!isFree(high)) high *= 2;
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFree(middle)) high = middle;
    else low = middle;
  }
  return high;
}
