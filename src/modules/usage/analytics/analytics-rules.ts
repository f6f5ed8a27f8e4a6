import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { enumMessage, FORMATS, isObject } from '../../../http/validation/constraints.js';
import type { BodyRule } from '../../../http/validation/rules.js';
import { UNKNOWN_CLASSIFIER } from '../usage.errors.js';
import { issueOfRecords, issuesOfSpan } from './analytics-range.js';
import {
  DIMENSION_NAMES,
  DIMENSION_OPERATORS,
  dimensionOf,
  FILTER_DIMENSIONS,
  FILTER_METRICS,
  type DimensionName,
  GRANULARITY_NAMES,
  isAboutFilters,
  isAboutRecords,
  isOfRecords,
  METRIC_NAMES,
  METRIC_OPERATORS,
  OPERATOR_NAMES,
  OPERATORS,
  type OperatorName,
} from './analytics-vocabulary.js';

/** The order by time. */
export const DATE = 'date';

/** How many values a filter may name. */
const MAXIMUM_VALUES = 100;

/** The longest text that is compared with a dimension, in characters. */
const MAXIMUM_VALUE_LENGTH = 300;

/** What a metric has to be where a query is about what filters did. */
const OF_FILTERS = `must be ${FILTER_METRICS.join(' or ')}, which are counted by ${FILTER_DIMENSIONS.join(', ')} and every dimension that totals have; ask for the rest in another query`;

/** Metrics and dimensions are known, and none stands twice. */
export const nameRules: BodyRule = ({ metrics, dimensions }) => [
  ...issuesOfNames('metrics', metrics, METRIC_NAMES),
  ...issuesOfNames('dimensions', dimensions, DIMENSION_NAMES),
];

/** Filters compare what there is in a way that it can be compared. */
export const filterRules: BodyRule = ({ filters }) =>
  Array.isArray(filters)
    ? filters.flatMap((filter: unknown, index) =>
        isObject(filter)
          ? issuesOfFilter(filter).map(({ path, message }) => ({
              path: joinPath(joinPath('filters', index), path),
              message,
            }))
          : [],
      )
    : [];

/** Rows are ordered by what they have. */
export const orderRules: BodyRule = ({ order_by: order, metrics, dimensions, granularity }) => {
  if (!isObject(order) || typeof order['field'] !== 'string') return [];
  const fields = [...textsOf(metrics), ...textsOf(dimensions), ...(granularity === undefined ? [] : [DATE])];
  return fields.includes(order['field'])
    ? []
    : [{ path: 'order_by.field', message: 'must be a metric or dimension of the query, or date with a granularity' }];
};

/** The time is one that totals are kept of. */
export const timeRules: BodyRule = ({ time_range: range, granularity }) => {
  if (!isObject(range) || (granularity !== undefined && !isIn(GRANULARITY_NAMES, granularity))) return [];
  const { start, end } = range;
  if (!isDateTime(start) || !isDateTime(end)) return [];
  return issuesOfSpan({ start: Date.parse(start), end: Date.parse(end) }, granularity, Date.now()).map(
    ({ field, message }) => ({ path: `time_range.${field}`, message }),
  );
};

/** What filters did is counted by metrics of its own, and for a time within which records can be read. */
export const filtersDidRules: BodyRule = (body) => {
  const all = namesOf(body);
  if (!isAboutFilters(all.map(({ name }) => name))) return [];
  const others = all.filter(
    ({ name }) =>
      ((METRIC_NAMES as readonly string[]).includes(name) && !FILTER_METRICS.includes(name)) || isOfRecords(name),
  );
  return others.map(({ path }) => ({ path, message: OF_FILTERS }));
};

/** What is read from records is read for a time within which that can be done. */
export const recordsRules: BodyRule = (body) => {
  const names = namesOf(body).map(({ name }) => name);
  if (!isAboutFilters(names) && !isAboutRecords(names)) return [];
  return issuesOfRecordedTime(body['time_range']).map((message) => ({ path: 'time_range.end', message }));
};

/** Refuses classifiers, because there are none. */
export const classifierRules: BodyRule = (body) =>
  ['classifier_dimensions', 'classifier_filters']
    .filter((field) => isObject(body[field]))
    .map((field) => UNKNOWN_CLASSIFIER.at(`${field}.classifier_id`));

interface PlacedName {
  readonly path: string;
  readonly name: string;
}

/** All metrics and dimensions of a query, those of its filters included, with where they stand. */
function namesOf({ metrics, dimensions, filters }: Readonly<Record<string, unknown>>): PlacedName[] {
  const compared = (Array.isArray(filters) ? filters : []).map((filter: unknown, index) => ({
    path: `filters[${index}].field`,
    name: isObject(filter) ? filter['field'] : undefined,
  }));
  return [...named('metrics', metrics), ...compared, ...named('dimensions', dimensions)].filter(
    (each): each is PlacedName => typeof each.name === 'string',
  );
}

function named(field: string, names: unknown): { readonly path: string; readonly name: unknown }[] {
  return (Array.isArray(names) ? names : []).map((name: unknown, index) => ({ path: joinPath(field, index), name }));
}

function issuesOfRecordedTime(range: unknown): string[] {
  if (!isObject(range) || !isDateTime(range['start']) || !isDateTime(range['end'])) return [];
  const issue = issueOfRecords({ start: Date.parse(range['start']), end: Date.parse(range['end']) });
  return issue === undefined ? [] : [issue];
}

function issuesOfNames(field: string, names: unknown, known: readonly string[]): IssueWithReason[] {
  if (!Array.isArray(names)) return [];
  return names.flatMap((name: unknown, index) => {
    if (typeof name !== 'string') return [];
    const path = joinPath(field, index);
    if (!known.includes(name)) return [{ path, message: enumMessage(known) }];
    return names.indexOf(name) < index ? [{ path, message: 'must not be repeated' }] : [];
  });
}

function issuesOfFilter({
  field,
  operator,
  value,
  include_unset: includeUnset,
}: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (typeof field !== 'string') return [];
  if (!isIn(OPERATOR_NAMES, operator)) return [];
  if (isIn(DIMENSION_NAMES, field)) return issuesOfDimension(field, operator, value, includeUnset);
  if (!(METRIC_NAMES as readonly string[]).includes(field)) {
    return [{ path: 'field', message: enumMessage([...DIMENSION_NAMES, ...METRIC_NAMES]) }];
  }
  return [
    ...(Object.hasOwn(METRIC_OPERATORS, operator)
      ? []
      : [{ path: 'operator', message: `${enumMessage(Object.keys(METRIC_OPERATORS))} for a metric` }]),
    ...(Number.isFinite(value) ? [] : [{ path: 'value', message: 'must be number for a metric' }]),
    ...(includeUnset === undefined ? [] : [{ path: 'include_unset', message: 'must be left out for a metric' }]),
  ];
}

function issuesOfDimension(
  name: DimensionName,
  operator: OperatorName,
  value: unknown,
  includeUnset: unknown,
): IssueWithReason[] {
  const isList = OPERATORS[operator] === 'array';
  const issues: IssueWithReason[] = isIn(DIMENSION_OPERATORS, operator)
    ? issuesOfValue(value, isList)
    : [{ path: 'operator', message: `${enumMessage(DIMENSION_OPERATORS)} for a dimension` }];
  if (includeUnset !== undefined && !isList) {
    issues.push({ path: 'include_unset', message: 'must be left out unless the operator is in or not_in' });
  } else if (includeUnset === true && !dimensionOf(name).canBeUnset) {
    issues.push({ path: 'include_unset', message: `must be left out for ${name}, which every request has` });
  }
  return issues;
}

function issuesOfValue(value: unknown, isList: boolean): IssueWithReason[] {
  if (!isList) return messagesOfText(value).map((message) => ({ path: 'value', message }));
  if (!Array.isArray(value) || value.length === 0 || value.length > MAXIMUM_VALUES) {
    return [{ path: 'value', message: `must be array of 1 to ${MAXIMUM_VALUES} strings for this operator` }];
  }
  return value.flatMap((item: unknown, index) =>
    messagesOfText(item).map((message) => ({ path: joinPath('value', index), message })),
  );
}

function messagesOfText(value: unknown): string[] {
  return typeof value === 'string' && value.length > 0 && value.length <= MAXIMUM_VALUE_LENGTH
    ? []
    : [`must be string of 1 to ${MAXIMUM_VALUE_LENGTH} characters for a dimension`];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isIn<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return (names as readonly unknown[]).includes(value);
}

function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && FORMATS['date-time'](value);
}
