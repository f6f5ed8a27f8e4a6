import type { IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';
import { RECORDED_TYPES } from '../../../telemetry/operations.js';
import { isLabelName } from '../../labels/labels.js';
import { labelIn } from '../limit-attributes.js';
import { CANDIDATE_KEYS, LABEL_PREFIX, type LimitMeasure, REQUEST_KEYS, TOOL_KEYS } from '../limit-vocabulary.js';

export const MOST_CONDITIONS = 20;
export const MOST_GROUP_KEYS = 5;

const MOST_VALUES = 100;
const LONGEST_VALUE = 256;

/** The decimals of a US dollar that are calculated with. */
const DECIMALS = 18;

type Body = Readonly<Record<string, unknown>>;

/** What is wrong with a new limit besides the types of its fields (docs/interface/limits.md#fields). */
export function issuesOfLimit(body: Body): IssueWithReason[] {
  return [...issuesOfConditions(body), ...issuesOfGroups(body), ...issuesOfWindow(body), ...issuesOfMeasure(body)];
}

/** What is wrong with conditions: unknown keys, too many values, and conditions that no request can meet. */
export function issuesOfConditions(body: Body): IssueWithReason[] {
  const { conditions, workspace_id: workspace } = body;
  if (!Array.isArray(conditions)) return [];
  const seen = new Set<unknown>();
  return conditions.flatMap((condition: unknown, index) => {
    if (!isObject(condition)) return [];
    const path = `conditions[${index}]`;
    const { key, values, excludes } = condition;
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...unknownFieldsOf(condition, path),
      ...issuesOfKey(key, `${path}.key`),
      ...(isRepeated ? [{ path: `${path}.key`, message: 'stands in another condition already' }] : []),
      ...(values === '*' ? [] : issuesOfValues(values, `${path}.values`)),
      ...(excludes === undefined ? [] : issuesOfValues(excludes, `${path}.excludes`)),
      ...contradictionsOf({ values, excludes }, path),
      ...(key === 'operation' ? unknownOperationsOf(values, `${path}.values`) : []),
      ...(key === 'workspace' && typeof workspace === 'string' && Array.isArray(values) && !values.includes(workspace)
        ? [{ path: `${path}.values`, message: 'contradicts workspace_id' }]
        : []),
    ];
  });
}

function unknownFieldsOf(condition: Body, path: string): IssueWithReason[] {
  const known = new Set(['key', 'values', 'excludes']);
  return Object.keys(condition)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `${path}.${name}`, message: 'must NOT be given: there is no such field' }));
}

function issuesOfKey(key: unknown, path: string): IssueWithReason[] {
  const known: readonly unknown[] = [...REQUEST_KEYS, ...CANDIDATE_KEYS, ...TOOL_KEYS];
  if (known.includes(key) || (typeof key === 'string' && isLabelName(labelIn(key)))) return [];
  return [{ path, message: `must be one of ${known.join(', ')}, or ${LABEL_PREFIX} and the name of a label` }];
}

function issuesOfValues(values: unknown, path: string): IssueWithReason[] {
  if (!Array.isArray(values)) return [{ path, message: 'must be array, or "*"' }];
  if (values.length === 0 || values.length > MOST_VALUES)
    return [{ path, message: `must have 1 to ${MOST_VALUES} values` }];
  return values.flatMap((value: unknown, index) => issuesOfValue(value, `${path}[${index}]`));
}

/** What is wrong with the values of a combination that a request names by their keys. */
export function issuesOfNamedValues({ values }: Body): IssueWithReason[] {
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([key, value]) => issuesOfValue(value, `values.${key}`));
}

function issuesOfValue(value: unknown, path: string): IssueWithReason[] {
  const isValue = typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE;
  return isValue ? [] : [{ path, message: `must be a text of 1 to ${LONGEST_VALUE} characters` }];
}

function contradictionsOf({ values, excludes }: Body, path: string): IssueWithReason[] {
  if (!Array.isArray(values) || !Array.isArray(excludes)) return [];
  const left = new Set<unknown>(values);
  const both = excludes.filter((value) => left.has(value));
  return both.length === 0
    ? []
    : [{ path: `${path}.excludes`, message: 'names what values names: it contradicts them' }];
}

function unknownOperationsOf(values: unknown, path: string): IssueWithReason[] {
  if (!Array.isArray(values)) return [];
  const known: ReadonlySet<unknown> = new Set(RECORDED_TYPES);
  return values.flatMap((value: unknown, index) =>
    known.has(value) ? [] : [{ path: `${path}[${index}]`, message: `must be one of ${RECORDED_TYPES.join(', ')}` }],
  );
}

function issuesOfGroups({ group_by: groups }: Body): IssueWithReason[] {
  if (!Array.isArray(groups)) return [];
  const seen = new Set<unknown>();
  return groups.flatMap((key: unknown, index) => {
    const path = `group_by[${index}]`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return [...issuesOfKey(key, path), ...(isRepeated ? [{ path, message: 'is named already' }] : [])];
  });
}

function issuesOfWindow({ measure, window = null, group_by: groups }: Body): IssueWithReason[] {
  const keys: readonly unknown[] = Array.isArray(groups) ? groups : [];
  if (measure === 'concurrent')
    return window === null ? [] : [{ path: 'window', message: 'must NOT be given for requests at the same time' }];
  if (window === null) return [{ path: 'window', message: 'must be given for this measure' }];
  if (window === 'session' && !keys.includes('session'))
    return [{ path: 'window', message: 'must be another one, or group_by must have session' }];
  const invented = ['user', 'session'].find((key) => keys.includes(key));
  return window === 'lifetime' && invented !== undefined
    ? [{ path: 'window', message: `must be another one where group_by has ${invented}: its counters would never end` }]
    : [];
}

function issuesOfMeasure({ measure, amount }: Body): IssueWithReason[] {
  return typeof amount === 'number' ? issuesOfAmount(measure as LimitMeasure, amount) : [];
}

/** What is wrong with an amount of a measure. */
export function issuesOfAmount(measure: LimitMeasure, amount: number): IssueWithReason[] {
  if (measure !== 'usd' && !Number.isInteger(amount))
    return [{ path: 'amount', message: 'must be a whole number of tokens or requests' }];
  return amount > 0 && amount < 10 ** -DECIMALS
    ? [{ path: 'amount', message: `must have at most ${DECIMALS} decimals` }]
    : [];
}
