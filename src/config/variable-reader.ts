/** Reads environment variables and collects every fault on the way, instead of stopping at the first. */
export class VariableReader {
  readonly faults: string[] = [];

  constructor(private readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** Notes a fault of a variable. */
  fault(name: string, message: string): void {
    this.faults.push(`${name} ${message}`);
  }

  optionalText(name: string): string | undefined {
    const value = this.variables[name]?.trim();
    return value === '' ? undefined : value;
  }

  text(name: string, fallback: string): string {
    return this.optionalText(name) ?? fallback;
  }

  /**
   * A whole number in decimal digits, bounds included.
   *
   * @param alternative what else the variable may say, for the fault
   */
  integer(name: string, fallback: number, minimum: number, maximum: number, alternative = ''): number {
    const text = this.optionalText(name);
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    this.fault(name, `must be a whole number from ${minimum} to ${maximum}${alternative}`);
    return fallback;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.optionalText(name);
    if (text === undefined) return fallback;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) this.fault(name, `must be one of ${choices.join(', ')}`);
    return chosen ?? fallback;
  }

  /** Values separated by commas. */
  list(name: string, fallback: readonly string[]): readonly string[] {
    const text = this.optionalText(name);
    if (text === undefined) return fallback;
    return text
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
  }

  /** A URL of one of the protocols. It may hold a password, so the fault does not repeat it. */
  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.optionalText(name);
    if (text === undefined) return undefined;
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      this.fault(name, `must be a URL that starts with ${protocols.join('// or ')}//`);
    }
    return text;
  }
}
