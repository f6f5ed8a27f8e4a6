import { type IssueWithReason, joinPath } from '../../http/errors/issue.js';
import { isObject } from '../../http/validation/constraints.js';
import { isLabelName, isLabelValue, LONGEST_LABEL, MOST_LABELS } from './labels.js';

/** The most names of labels that a workspace allows, and the most values of one. */
const MOST_ALLOWED = { names: 50, values: 100 } as const;

const NAME_RULE = 'must have a name of 1 to 64 letters, digits, "_", "." and "-", which begins with a letter or digit';
const VALUE_RULE = `must be a text of 1 to ${LONGEST_LABEL} characters`;

type Body = Readonly<Record<string, unknown>>;

/** The labels of a key, as requests say them. */
export const LABELS_FIELD = {
  description:
    'Labels of all requests with the key, which these cannot override; null for none. Limits and records tell requests apart by them.',
  example: { team: 'search' },
  nullable: true,
  optional: true,
} as const;

/** The labels that requests in a workspace may have, as requests say them. */
export const ALLOWED_LABELS_FIELD = {
  description:
    'The labels that requests may name, each with its values or `*` for any; null for all labels. Those of keys are not restricted.',
  example: { team: ['search', 'ads'], env: '*' },
  nullable: true,
  optional: true,
} as const;

/** What is wrong with the field `labels` of a body. */
export function labelsIssues({ labels }: Body): IssueWithReason[] {
  if (!isObject(labels)) return [];
  const entries = Object.entries(labels);
  if (entries.length > MOST_LABELS)
    return [{ path: 'labels', message: `must not have more than ${MOST_LABELS} labels` }];
  return entries.flatMap(([name, value]) => {
    const path = joinPath('labels', name);
    if (!isLabelName(name)) return [{ path, message: NAME_RULE }];
    return isLabelValue(value) ? [] : [{ path, message: VALUE_RULE }];
  });
}

/** What is wrong with the field `allowed_labels` of a body. */
export function allowedLabelsIssues({ allowed_labels: allowed }: Body): IssueWithReason[] {
  if (!isObject(allowed)) return [];
  const entries = Object.entries(allowed);
  if (entries.length > MOST_ALLOWED.names) {
    return [{ path: 'allowed_labels', message: `must not have more than ${MOST_ALLOWED.names} labels` }];
  }
  return entries.flatMap(([name, values]) => issuesOfAllowed(joinPath('allowed_labels', name), name, values));
}

function issuesOfAllowed(path: string, name: string, values: unknown): IssueWithReason[] {
  if (!isLabelName(name)) return [{ path, message: NAME_RULE }];
  if (values === '*') return [];
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_ALLOWED.values) {
    return [{ path, message: `must be "*", or a list of 1 to ${MOST_ALLOWED.values} values` }];
  }
  return values.flatMap((value: unknown, index) =>
    isLabelValue(value) ? [] : [{ path: joinPath(path, index), message: VALUE_RULE }],
  );
}
