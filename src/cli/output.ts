/** Prints a result for programs: JSON on one line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints a result for people. */
export function printLines(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
