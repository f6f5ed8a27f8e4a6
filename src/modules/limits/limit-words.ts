import type { CombinationValues, LimitMeasure, LimitWindow } from './limit-vocabulary.js';

const UNITS: Readonly<Record<LimitMeasure, string>> = {
  usd: 'US dollars',
  tokens: 'tokens',
  requests: 'requests',
  concurrent: 'requests at the same time',
};

/** What is said of a limit to people. */
interface NamedLimit {
  readonly name: string;
  readonly amount: number;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  /** Of one combination. */
  readonly values: CombinationValues;
}

/** A limit in words, such as `"Agents" of 5 US dollars (daily) for user ada`. */
export function limitWords({ name, amount, measure, window, values }: NamedLimit): string {
  const ofValues = Object.entries(values).map(([key, value]) => `${key} ${value ?? 'none'}`);
  const by = ofValues.length === 0 ? '' : ` for ${ofValues.join(', ')}`;
  return `"${name}" of ${amount} ${UNITS[measure]}${window === null ? '' : ` (${window})`}${by}`;
}
