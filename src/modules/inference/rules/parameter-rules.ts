import { joinPath, type ReasonedIssue } from '../../../api/errors/issue.js';
import { isObject } from '../../../api/validation/constraints.js';
import { SORTS } from '../dto/provider-preferences.dto.js';

type Body = Readonly<Record<string, unknown>>;

const MAXIMUM_STOPS = 4;

const MAXIMUM_BIAS = 100;

const METADATA = { entries: 16, name: 64, value: 512 } as const;

const PRICED = ['prompt', 'completion', 'request', 'image', 'audio'];

const PERCENTILES = ['p50', 'p75', 'p90', 'p99'];

/** What fields by themselves cannot say (docs/interface/inference.md#parameters). */
export function parameterRules(body: Body): ReasonedIssue[] {
  return [
    ...stopIssues(body.stop),
    ...biasIssues(body.logit_bias),
    ...metadataIssues(body.metadata),
    ...effortIssues(body),
    ...(isObject(body.provider) ? preferenceIssues(body.provider) : []),
  ];
}

function stopIssues(stop: unknown): ReasonedIssue[] {
  const isList = Array.isArray(stop) && stop.length <= MAXIMUM_STOPS && stop.every((text) => typeof text === 'string');
  if (stop === undefined || stop === null || typeof stop === 'string' || isList) return [];
  return [{ path: 'stop', message: `must be a text, or a list of at most ${MAXIMUM_STOPS} texts` }];
}

function biasIssues(bias: unknown): ReasonedIssue[] {
  if (!isObject(bias)) return [];
  return Object.entries(bias)
    .filter(([, value]) => typeof value !== 'number' || !(Math.abs(value) <= MAXIMUM_BIAS))
    .map(([token]) => ({
      path: joinPath('logit_bias', token),
      message: `must be a number from -${MAXIMUM_BIAS} to ${MAXIMUM_BIAS}`,
    }));
}

function metadataIssues(metadata: unknown): ReasonedIssue[] {
  if (!isObject(metadata)) return [];
  const entries = Object.entries(metadata);
  if (entries.length > METADATA.entries) {
    return [{ path: 'metadata', message: `must not have more than ${METADATA.entries} entries` }];
  }
  return entries.flatMap(([name, value]) => {
    const path = joinPath('metadata', name);
    if (name.length > METADATA.name || /[[\]]/.test(name)) {
      return [{ path, message: `must have a name of at most ${METADATA.name} characters, without brackets` }];
    }
    const isText = typeof value === 'string' && value.length <= METADATA.value;
    return isText ? [] : [{ path, message: `must be a text of at most ${METADATA.value} characters` }];
  });
}

function effortIssues({ reasoning_effort: effort, reasoning }: Body): ReasonedIssue[] {
  if (!isObject(reasoning) || typeof effort !== 'string' || typeof reasoning.effort !== 'string') return [];
  return effort === reasoning.effort ? [] : [{ path: 'reasoning_effort', message: 'contradicts reasoning.effort' }];
}

function preferenceIssues(preferences: Body): ReasonedIssue[] {
  return [
    ...sortIssues(preferences.sort),
    ...priceIssues(preferences.max_price),
    ...['preferred_min_throughput', 'preferred_max_latency'].flatMap((name) => boundIssues(name, preferences[name])),
  ];
}

function sortIssues(sort: unknown): ReasonedIssue[] {
  if (sort === undefined || sort === null || isSort(sort)) return [];
  const path = 'provider.sort';
  if (!isObject(sort)) return [{ path, message: `must be one of: ${SORTS.join(', ')}, or an object` }];
  const { by, partition } = sort;
  const issues: ReasonedIssue[] = [];
  if (by !== undefined && by !== null && !isSort(by)) {
    issues.push({ path: `${path}.by`, message: `must be one of: ${SORTS.join(', ')}` });
  }
  if (partition !== undefined && partition !== null && partition !== 'model' && partition !== 'none') {
    issues.push({ path: `${path}.partition`, message: 'must be one of: model, none' });
  }
  return issues;
}

function isSort(value: unknown): boolean {
  return typeof value === 'string' && (SORTS as readonly string[]).includes(value);
}

function priceIssues(prices: unknown): ReasonedIssue[] {
  if (!isObject(prices)) return [];
  return Object.entries(prices).flatMap(([name, price]) => {
    const path = joinPath('provider.max_price', name);
    if (!PRICED.includes(name)) return [{ path, message: 'is not a known field' }];
    const isPrice = (typeof price === 'number' && price >= 0) || (typeof price === 'string' && isDecimal(price));
    return isPrice ? [] : [{ path, message: 'must be a price in USD, 0 or more' }];
  });
}

function isDecimal(text: string): boolean {
  return /^\d{1,15}(\.\d{1,15})?$/.test(text);
}

function boundIssues(name: string, bound: unknown): ReasonedIssue[] {
  if (bound === undefined || bound === null || isPositive(bound)) return [];
  const path = `provider.${name}`;
  if (!isObject(bound)) return [{ path, message: 'must be a number above 0, or one for each percentile' }];
  return Object.entries(bound)
    .filter(([percentile, value]) => !PERCENTILES.includes(percentile) || !isPositive(value))
    .map(([percentile]) => ({
      path: joinPath(path, percentile),
      message: `must be a number above 0 of ${PERCENTILES.join(', ')}`,
    }));
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
