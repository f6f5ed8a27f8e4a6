import { parsesAsUrl } from './parses-as-url.js';
/** The configuration is invalid. The message lists every issue on a line of its own. */
export class ConfigurationError extends Error {
  constructor(readonly issues: readonly string[]) {
    super(`The configuration has ${issues.length} issue${issues.length === 1 ? '' : 's'}:\n- ${issues.join('\n- ')}`);
    this.name = 'ConfigurationError';
  }
}

const UNITS = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** Reads environment variables, and collects all issues instead of stopping at the first. */
export class VariableReader {
  readonly issues: string[] = [];

  constructor(private readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** Records an issue of a variable. @param message the rest of a sentence that starts with the variable's name */
  issue(name: string, message: string): void {
    this.issues.push(`${name} ${message}`);
  }

  names(): readonly string[] {
    return Object.keys(this.variables);
  }

  /** The value without surrounding white space; an empty value counts as absent. */
  optionalText(name: string): string | undefined {
    const value = this.variables[name]?.trim();
    return value === '' ? undefined : value;
  }

  text(name: string, fallback: string): string {
    return this.optionalText(name) ?? fallback;
  }

  /** A whole number in decimal digits, bounds included. */
  integer(name: string, fallback: number, minimum: number, maximum: number): number {
    const text = this.optionalText(name);
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    this.issue(name, `must be a whole number from ${minimum} to ${maximum}`);
    return fallback;
  }

  /** As {@link integer}, for a variable without a default. */
  optionalInteger(name: string, minimum: number, maximum: number): number | undefined {
    return this.optionalText(name) === undefined ? undefined : this.integer(name, minimum, minimum, maximum);
  }

  /**
   * An amount of memory, bounds included: a whole number of KiB, MiB or GiB.
   *
   * @returns bytes, as the fallback and the bounds are
   */
  memory(name: string, fallback: number, minimum: number, maximum: number): number {
    const text = this.optionalText(name);
    if (text === undefined) return fallback;
    const [, amount, unit] = /^(\d{1,9}) ?(KiB|MiB|GiB)$/.exec(text) ?? [];
    const value = amount === undefined ? Number.NaN : Number(amount) * UNITS[unit as keyof typeof UNITS];
    if (value >= minimum && value <= maximum) return value;
    this.issue(name, `must be an amount of memory such as 20MiB, from ${inUnits(minimum)} to ${inUnits(maximum)}`);
    return fallback;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.optionalText(name);
    if (text === undefined) return fallback;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) this.issue(name, `must be one of ${choices.join(', ')}`);
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

  /** A URL of one of the protocols. It may hold a password, so the issue does not repeat it. */
  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.optionalText(name);
    if (text === undefined) return undefined;
    if (!parsesAsUrl(text) || !protocols.includes(new URL(text).protocol)) {
      this.issue(name, `must be a URL that starts with ${protocols.join('// or ')}//`);
    }
    return text;
  }
}

function inUnits(bytes: number): string {
  const [unit = 'KiB', size = UNITS.KiB] = Object.entries(UNITS).findLast(([, of]) => bytes % of === 0) ?? [];
  return `${bytes / size}${unit}`;
}
