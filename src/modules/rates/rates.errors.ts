import { defineExplainedError } from '../../http/errors/define-error.js';
import type { ExceededRate } from './rate-count.js';

/** The requests of a workspace, of all its keys together, have used a limit per minute. */
export class WorkspaceRateLimitExceeded extends defineExplainedError(429, 'workspace_rate_limit_exceeded') {
  constructor(exceeded: ExceededRate) {
    super(messageOf('Workspace', exceeded), particularsOf(exceeded));
  }
}

/** The requests of a key have used a limit per minute. */
export class KeyRateLimitExceeded extends defineExplainedError(429, 'key_rate_limit_exceeded') {
  constructor(exceeded: ExceededRate) {
    super(messageOf('Key', exceeded), particularsOf(exceeded));
  }
}

/** The refusals of requests for which a limit per minute leaves no room. */
export const RATE_REFUSALS = [WorkspaceRateLimitExceeded, KeyRateLimitExceeded] as const;

/** What a request is refused with for which a limit leaves no room (docs/limits.md#rates). */
export function rateRefusalOf(exceeded: ExceededRate): WorkspaceRateLimitExceeded | KeyRateLimitExceeded {
  return exceeded.subject === 'workspace'
    ? new WorkspaceRateLimitExceeded(exceeded)
    : new KeyRateLimitExceeded(exceeded);
}

function messageOf(subject: string, { kind, limit, requested, retryAfterSeconds }: ExceededRate): string {
  const name = `${subject} rate limit of ${limit} ${kind} per minute`;
  if (requested > limit) return `${name} exceeded: the request alone has about ${requested}.`;
  return `${name} exceeded. Try again in ${retryAfterSeconds} s.`;
}

function particularsOf({ kind, limit, used, requested, retryAfterSeconds }: ExceededRate): {
  detail: Readonly<Record<string, unknown>>;
  retryAfterSeconds: number;
} {
  return { detail: { limit_name: `${kind}_per_minute`, limit, used, requested }, retryAfterSeconds };
}
