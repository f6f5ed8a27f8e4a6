import { median, rounded } from '../support/statistics.js';

/** The headings of the table of the gateway. */
export const GATEWAY_HEADINGS = ['what', 'service', 'beside', 'result', 'goal'];

/** A row of that table. */
export type GatewayRow = readonly [what: string, service: string, beside: string, result: string, goal: string];

/** How much to measure. */
export interface GatewayOptions {
  readonly rounds: number;
  /** Of each round of each server. */
  readonly seconds: number;
}

/** The median of numbers, with the least and the greatest. */
export function withSpread(values: readonly number[], digits: number): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return `${rounded(median(values), digits)} (${rounded(least, digits)} to ${rounded(greatest, digits)})`;
}

/** The value below which so large a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
