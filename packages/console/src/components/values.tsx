import type { ReactNode } from 'react';
import { linesOf, textOfPairs } from './lines';

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const WITH_SECONDS = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const PRECISE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const NUMBER = new Intl.NumberFormat();
const CENTS = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
/** What costs less than a cent is shown as far as it says something. */
const FRACTIONS = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });

interface TimeProps {
  readonly at: string | null | undefined;
  /** Whether seconds are shown. */
  readonly isExact?: boolean;
}

/** A point in time in the time zone of the browser; the exact one when pointed at. */
export function Time({ at, isExact = false }: TimeProps): ReactNode {
  if (at == null) return null;
  const date = new Date(at);
  return (
    <time dateTime={at} title={PRECISE.format(date)}>
      {(isExact ? WITH_SECONDS : DATE_TIME).format(date)}
    </time>
  );
}

/** An amount of US dollars. */
export function usd(amount: number): string {
  return amount !== 0 && Math.abs(amount) < 0.01 ? FRACTIONS.format(amount) : CENTS.format(amount);
}

/** A count. */
export function count(value: number): string {
  return NUMBER.format(value);
}

/** A time span. @param ms in milliseconds */
export function duration(ms: number): string {
  return ms < 1_000 ? `${NUMBER.format(Math.round(ms))} ms` : `${NUMBER.format(Math.round(ms / 100) / 10)} s`;
}

/** The labels of a key or a request. */
export function Labels({ labels }: { readonly labels: Readonly<Record<string, unknown>> }): ReactNode {
  return <code>{linesOf(textOfPairs(labels)).join(', ')}</code>;
}

/** What a state means for the reader: nothing, well, worth a look, or wrong. */
export type Tone = 'neutral' | 'good' | 'warning' | 'bad';

/** A word for a state; the tone is in its colour and never there alone. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** How much of a limit is used, as a bar beside the numbers. @param isGood whether it is the better the more it is */
export function Meter({
  used,
  limit,
  label,
  isGood = false,
}: {
  readonly used: number;
  readonly limit: number;
  readonly label: string;
  readonly isGood?: boolean;
}): ReactNode {
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  return <meter aria-label={label} min={0} max={1} low={0.8} high={0.95} optimum={isGood ? 1 : 0} value={share} />;
}
