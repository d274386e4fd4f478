/** The upper one of the two in the middle of an even count. */
export function takeMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
