import { SchemaExample } from '../../http/validation/dto-fields.js';
import { IntegerField } from '../../http/validation/fields.js';

/** The largest limit: far more than a deployment answers. */
const MAXIMUM_RATE = 1_000_000_000;

const REQUESTS = {
  description: 'The maximum number of inference requests within any 60 seconds; null for no limit.',
  example: 600,
  minimum: 1,
  maximum: MAXIMUM_RATE,
  nullable: true,
} as const;

const TOKENS = {
  description: 'The maximum number of tokens of prompts and answers within any 60 seconds; null for no limit.',
  example: 200_000,
  minimum: 1,
  maximum: MAXIMUM_RATE,
  nullable: true,
} as const;

/** The limits of a key or of a workspace (docs/limits.md#rates). */
export class RateLimits {
  @IntegerField(REQUESTS)
  requests_per_minute: number | null;

  @IntegerField(TOKENS)
  tokens_per_minute: number | null;
}

/** What a request says about them. */
@SchemaExample({ requests_per_minute: 600, tokens_per_minute: 200_000 })
export class RateLimitsInput {
  @IntegerField({ ...REQUESTS, optional: true })
  requests_per_minute?: number | null;

  @IntegerField({ ...TOKENS, optional: true })
  tokens_per_minute?: number | null;
}

/** The field of answers. */
export const SHOWN_RATE_LIMITS = {
  description: 'The limits on inference requests and their tokens per minute; null for none.',
  nullable: true,
} as const;

/** The field of requests. */
export const RATE_LIMITS_INPUT = {
  description:
    'The limits on inference requests and their tokens per minute. null removes a limit, or both. If a limit is absent, it stays as it is, which in a new object means unlimited.',
  optional: true,
  nullable: true,
} as const;

/** The columns of whatever has such limits. Null is no limit. */
export interface StoredRateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** What has no limits. */
export const NO_RATE_LIMITS: StoredRateLimits = { requestsPerMinute: null, tokensPerMinute: null };

/** Whether there is a limit. */
export function hasRateLimits({ requestsPerMinute, tokensPerMinute }: StoredRateLimits): boolean {
  return requestsPerMinute !== null || tokensPerMinute !== null;
}

/** Limits as the interface shows them; null without any. */
export function toRateLimits(limits: StoredRateLimits): RateLimits | null {
  const { requestsPerMinute, tokensPerMinute } = limits;
  return hasRateLimits(limits) ? { requests_per_minute: requestsPerMinute, tokens_per_minute: tokensPerMinute } : null;
}

/** Applies what a request says to limits: null removes, absent stays. */
export function changedRateLimits(
  { requestsPerMinute, tokensPerMinute }: StoredRateLimits,
  input: RateLimitsInput | null | undefined,
): StoredRateLimits {
  if (input === null) return NO_RATE_LIMITS;
  const { requests_per_minute: requests = requestsPerMinute, tokens_per_minute: tokens = tokensPerMinute } =
    input ?? {};
  return { requestsPerMinute: requests, tokensPerMinute: tokens };
}
