import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { nameOfMember, useKeys, useMembers, useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import type { Option } from '../../components/fields';
import { MODELS, PROVIDERS, type Suggestions, valuesOfLabel } from '../../components/suggestions';
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

/** What stands before the name of a label. */
export const LABEL_PREFIX = 'label.';

/** What limits tell requests apart by besides labels, and how people call it. */
export const KEYS: readonly Option[] = [
  ['api_key', 'Key'],
  ['workspace', 'Workspace'],
  ['member', 'Member'],
  ['operation', 'Operation'],
  ['user', 'End user'],
  ['session', 'Session'],
  ['model', 'Model'],
  ['author', 'Author of the model'],
  ['provider', 'Provider'],
  ['server', 'MCP server'],
  ['tool', 'Tool'],
];

const KEY_NAMES: ReadonlyMap<string, string> = new Map(KEYS);

/** How people call a key that limits tell requests apart by. */
export function nameOfKey(key: string): string {
  return key.startsWith(LABEL_PREFIX) ? `Label ${key.slice(LABEL_PREFIX.length)}` : (KEY_NAMES.get(key) ?? key);
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

/** What can be chosen as value of a key whose values are not typed, with names; undefined for other keys. */
export function useChoices(key: string): readonly Option[] | undefined {
  const workspaces = useWorkspaces();
  const members = useMembers();
  const keys = useKeys(key === 'api_key');
  switch (key) {
    case 'api_key':
      return keys.map(({ hash, name, label }) => [hash, `${name} (${label})`]);
    case 'workspace':
      return workspaces.map(({ id, name }) => [id, name]);
    case 'member':
      return members.map((member) => [member.id, nameOfMember(member)]);
    default:
      return undefined;
  }
}

/** What is suggested for the values of a key; undefined where nothing is known of them. */
export function suggestionsOf(key: string): Suggestions | undefined {
  if (key === 'model') return MODELS;
  if (key === 'provider') return PROVIDERS;
  return key.startsWith(LABEL_PREFIX) && key !== LABEL_PREFIX
    ? valuesOfLabel(key.slice(LABEL_PREFIX.length))
    : undefined;
}

/** A value of a key: by its name, where it is the id of something. */
function KeyValue({ of, value }: { readonly of: string; readonly value: string }): ReactNode {
  const choices = useChoices(of);
  const name = choices?.find(([choice]) => choice === value)?.[1];
  if (of === 'api_key') return <Link href={`/keys/${value}`}>{name ?? `key ${value.slice(0, 8)}…`}</Link>;
  return choices === undefined ? <code>{value}</code> : (name ?? <code>{value}</code>);
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
