import type { Settings } from './settings.js';

/** How often a budget begins again; null for never. */
export type Window = 'daily' | 'weekly' | 'monthly' | null;

/** US dollars for some time. */
export interface Budget {
  readonly amount: number;
  readonly window: Window;
}

const DAY = 86_400;

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: DAY, w: 7 * DAY, mo: 30 * DAY };

/** Windows with the shortest and the longest duration that is one. */
const WINDOWS = [
  ['daily', DAY, DAY],
  ['weekly', 7 * DAY, 7 * DAY],
  ['monthly', 28 * DAY, 31 * DAY],
] as const;

/** Reads a budget from two fields. One without a window of its duration is that of the next longer one, so that no more may be spent. */
export function budgetOf(settings: Settings, amountName: string, durationName: string): Budget | undefined {
  const amount = settings.number(amountName);
  const duration = settings.text(durationName);
  if (amount === undefined) return undefined;
  if (duration === undefined) return { amount, window: null };
  const [, count = '', unit = ''] = /^(\d+)(s|m|h|d|w|mo)$/.exec(duration) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) {
    settings.findings.wrong.push({ path: settings.pathOf(durationName), message: 'must be a duration, as 30d' });
    return undefined;
  }
  const found = WINDOWS.find(([, , longest]) => seconds <= longest);
  const window = found?.[0] ?? null;
  if (found === undefined || seconds < found[1]) {
    settings.toDo(
      durationName,
      `there is no window of ${duration}: the budget is ${window ?? 'for good'}, which is less`,
    );
  }
  return { amount, window };
}

/** Rates of a key or a workspace. @returns undefined for none */
export function ratesOf(settings: Settings): Readonly<Record<string, number>> | undefined {
  const rates: Record<string, number> = {};
  for (const [name, rate] of [
    ['rpm_limit', 'requests_per_minute'],
    ['tpm_limit', 'tokens_per_minute'],
  ] as const) {
    const value = settings.number(name);
    if (value === undefined) continue;
    if (value < 1) settings.leaveOut(name, 'a rate is one from 1: disable what is to send nothing');
    else rates[rate] = Math.min(Math.floor(value), 1_000_000_000);
  }
  return Object.keys(rates).length === 0 ? undefined : rates;
}
