import { BadRequestError } from '../../http/errors/bad-request-error.js';
import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineExplainedError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';
import type { AskedCounter, CompiledLimit } from './compiled-limit.js';
import type { CombinationValues, LimitKey, LimitMeasure, LimitWindow } from './limit-vocabulary.js';
import { windowEndOf } from './limit-windows.js';
import { limitWords } from './limit-words.js';

/** The organization has no limit of this id. */
export class LimitNotFound extends defineError(404, 'limit_not_found') {}

/** The limit has no exception of this id. */
export class LimitExceptionNotFound extends defineError(404, 'limit_exception_not_found') {}

/** The limit has an exception for these values already. */
export class LimitExceptionExists extends defineError(409, 'limit_exception_exists') {}

/** What a violated constraint of limits means to the caller. */
export const LIMITS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_limits_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
  uq_limit_exceptions_combination: () => new LimitExceptionExists(),
  fk_limit_exceptions_limit: () => new LimitNotFound(),
};

/** The limit that refuses a request, and of which combination of values. */
export interface RefusingCounter {
  readonly subject: 'limit';
  readonly id: string;
  readonly name: string;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  readonly values: CombinationValues;
}

/** What is said of the limit that refuses a request. */
export function refusingCounterOf({ limit: { row }, values }: Pick<AskedCounter, 'limit' | 'values'>): RefusingCounter {
  const { id, name, measure, window } = row;
  return { subject: 'limit', id, name, measure, window, values };
}

/** A limit of US dollars is met. */
export class SpendLimitExceeded extends defineExplainedError(403, 'limit_exceeded') {
  readonly limit: RefusingCounter;

  constructor(counter: AskedCounter) {
    super(`${sentenceOf(counter)} Contact your org admin.`, { detail: { limited_by: refusingCounterOf(counter) } });
    this.limit = refusingCounterOf(counter);
  }
}

/** A limit of tokens, requests, or requests at the same time is met, or leaves too little. */
export class UsageLimitExceeded extends defineExplainedError(429, 'limit_exceeded') {
  readonly limit: RefusingCounter;

  /** @param now the present time, from which the end of the window is told */
  constructor(counter: AskedCounter, now = new Date()) {
    const end = windowEndOf(counter.limit.row.window, counter.windowStart);
    const seconds = end === null ? undefined : Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
    super(sentenceOf(counter), {
      detail: { limited_by: refusingCounterOf(counter) },
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    });
    this.limit = refusingCounterOf(counter);
  }
}

/** The refusals by limits that are met, or leave too little. */
export const COUNTER_REFUSALS = [SpendLimitExceeded, UsageLimitExceeded] as const;

/** A request lacks what a limit must count by. */
export const MISSING_GROUP_VALUE = new IssueKind<[name: string]>(
  'limit_value_missing',
  (name) => `must be given: the limit "${name}" counts by it`,
);

/** The refusal of a request that lacks what a limit must count by. */
export function missingValueOf(limit: CompiledLimit, key: LimitKey): BadRequestError {
  const refusing = refusingCounterOf({ limit, values: { [key]: null } });
  return BadRequestError.of([MISSING_GROUP_VALUE.at(key, limit.row.name)], { limited_by: refusing });
}

/** The limit by condition and group that an error refuses a request by; undefined for any other error. */
export function refusingCounterIn(error: unknown): RefusingCounter | undefined {
  if (COUNTER_REFUSALS.some((refusal) => error instanceof refusal)) return (error as UsageLimitExceeded).limit;
  const isMissing = error instanceof BadRequestError && error.reason === MISSING_GROUP_VALUE.reason;
  return isMissing ? (error.metadata['limited_by'] as RefusingCounter) : undefined;
}

function sentenceOf({ limit: { row }, values }: AskedCounter): string {
  return `Limit ${limitWords({ ...row, values })} exceeded.`;
}
