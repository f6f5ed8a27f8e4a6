import { Fragment, type ReactNode } from 'react';
import type { Schema } from '../../api/types';
import { KeyValue, nameOfKey } from '../../components/limit-values';
import { count, usd } from '../../components/values';

export type Limit = Schema<'Limit'>;
export type Measure = Limit['measure'];
export type Window = NonNullable<Limit['window']>;

/** A condition of a limit. */
export interface Condition {
  readonly key: string;
  readonly values: readonly string[] | '*';
  readonly excludes?: readonly string[];
}

/** The conditions of a limit: the document has them as objects of any fields. */
export function conditionsOf({ conditions }: Limit): readonly Condition[] {
  return conditions as unknown as readonly Condition[];
}

/** What limits count, and how the form calls it. */
export const MEASURES: Readonly<Record<Measure, string>> = {
  usd: 'US dollars',
  tokens: 'Tokens of prompts and answers',
  requests: 'Requests',
  concurrent: 'Requests at the same time',
};

const UNITS: Readonly<Record<Exclude<Measure, 'usd'>, string>> = {
  tokens: 'tokens',
  requests: 'requests',
  concurrent: 'requests at the same time',
};

/** After what time counters begin anew, and how the form calls it. */
export const WINDOWS: Readonly<Record<Window, string>> = {
  minute: 'a minute',
  hour: 'an hour',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
  lifetime: 'in all',
  session: 'a session',
};

/** What becomes of requests that lack what is grouped by. */
export const ON_MISSING: Readonly<Record<Limit['on_missing'], string>> = {
  none: 'Do not count',
  shared: 'Share one counter',
  refuse: 'Are refused',
};

/** An amount of what a limit counts, without its name where it stands beside others of the same. */
export function amountOf(measure: Measure, amount: number): string {
  return measure === 'usd' ? usd(amount) : count(amount);
}

/** How much a limit lets through, and in what time. */
export function amountSentence({ measure, amount, window }: Limit): string {
  const unit = measure === 'usd' ? '' : ` ${UNITS[measure]}`;
  return `${amountOf(measure, amount)}${unit}${window === null ? '' : ` ${WINDOWS[window]}`}`;
}

/** What a limit groups by, in words. */
export function groupSentence({ group_by: keys }: Limit): string {
  return keys.length === 0 ? 'All requests together' : `Each ${keys.map(nameOfKey).join(' and ')}`;
}

/** How many values of a condition are shown where many limits are. */
const FEW = 3;

interface ConditionsProps {
  readonly limit: Limit;
  /** Whether only some of many values are shown. */
  readonly isShort?: boolean;
}

/** Which requests a limit counts. */
export function Conditions({ limit, isShort = false }: ConditionsProps): ReactNode {
  const conditions = conditionsOf(limit);
  if (conditions.length === 0) return <span className="quiet">All requests</span>;
  return (
    <ul className="plain-list">
      {conditions.map(({ key, values, excludes = [] }) => (
        <li key={key}>
          {nameOfKey(key)}: {values === '*' ? 'any' : <Values of={key} values={values} isShort={isShort} />}
          {excludes.length > 0 && (
            <>
              {' '}
              but not <Values of={key} values={excludes} isShort={isShort} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Values({
  of,
  values,
  isShort,
}: {
  readonly of: string;
  readonly values: readonly string[];
  readonly isShort: boolean;
}): ReactNode {
  const shown = isShort ? values.slice(0, FEW) : values;
  return (
    <>
      {shown.map((value, index) => (
        <Fragment key={value}>
          {index > 0 && ', '}
          <KeyValue of={of} value={value} />
        </Fragment>
      ))}
      {shown.length < values.length && ` and ${values.length - shown.length} more`}
    </>
  );
}

interface CombinationProps {
  readonly limit: Limit;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The values that a counter or an exception is for. */
export function Combination({ limit, values }: CombinationProps): ReactNode {
  if (limit.group_by.length === 0) return 'All requests';
  if (Object.keys(values).length === 0) return 'Further combinations together';
  return (
    <ul className="plain-list">
      {limit.group_by.map((key) => {
        const value = values[key];
        return (
          <li key={key}>
            {nameOfKey(key)}:{' '}
            {typeof value === 'string' ? <KeyValue of={key} value={value} /> : <span className="quiet">none</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** The values of a combination in one line, for names of buttons and meters. */
export function combinationText({ limit, values }: CombinationProps): string {
  if (Object.keys(values).length === 0) return 'all together';
  return limit.group_by
    .map((key) => `${nameOfKey(key)} ${typeof values[key] === 'string' ? values[key] : 'none'}`)
    .join(', ');
}
