import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';
import { SORTS } from '../../codecs/chat/client-request.js';

type Body = Readonly<Record<string, unknown>>;

const PRICED = ['prompt', 'completion', 'request', 'image', 'audio'];

const PERCENTILES = ['p50', 'p75', 'p90', 'p99'];

/** What the fields of `provider` by themselves cannot say (docs/interface/inference.md#providers). */
export function preferenceRules({ provider: preferences }: Body): IssueWithReason[] {
  if (!isObject(preferences)) return [];
  return [
    ...sortIssues(preferences.sort),
    ...priceIssues(preferences.max_price),
    ...['preferred_min_throughput', 'preferred_max_latency'].flatMap((name) => boundIssues(name, preferences[name])),
  ];
}

function sortIssues(sort: unknown): IssueWithReason[] {
  if (sort === undefined || sort === null || isSort(sort)) return [];
  const path = 'provider.sort';
  if (!isObject(sort)) return [{ path, message: `must be one of: ${SORTS.join(', ')}, or an object` }];
  const { by, partition } = sort;
  const issues: IssueWithReason[] = [];
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

function priceIssues(prices: unknown): IssueWithReason[] {
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

function boundIssues(name: string, bound: unknown): IssueWithReason[] {
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
