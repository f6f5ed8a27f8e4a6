/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A number with so many digits behind the point. */
export function rounded(value: number, digits: number): string {
  return value.toFixed(digits);
}
