import { answered, api } from './client';
import type { Schema } from './types';

/** A row of analytics: its fields are those of the query. */
export type AnalyticsRow = Readonly<Record<string, unknown>>;

/** The rows of a query. */
export async function analyticsRows(
  body: Schema<'AnalyticsQueryRequest'>,
  signal: AbortSignal,
): Promise<readonly AnalyticsRow[]> {
  const { data } = await answered(api.POST('/api/v1/analytics/query', { body, signal }));
  return data.data;
}

const DAY_MS = 86_400_000;

/** The time range of the last days, up to now. */
export function lastDays(days: number): { readonly start: string; readonly end: string } {
  const now = Date.now();
  return { start: new Date(now - days * DAY_MS).toISOString(), end: new Date(now).toISOString() };
}

/** A metric of a row; 0 where there is none. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
