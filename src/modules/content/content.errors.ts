import type { DomainError } from '../../http/errors/domain-error.js';
import { defineExplainedError, defineRetryLaterError } from '../../http/errors/define-error.js';
import type { Refusal } from './content-result.js';

/** What a filter blocks. */
type Blocked = 'Request' | 'Answer';

/** A content filter refuses the request, or the answer to it (docs/interface/content-filters.md#refusals). */
export class ContentBlocked extends defineExplainedError(403, 'content_blocked') {
  /** @param label the placeholder or label of the filter, never what it matched */
  constructor(label: string, blocked: Blocked = 'Request') {
    super(`${blocked} blocked by content filter: ${label}`, { detail: { filter: label } });
  }
}

/** The request, or the answer to it, tries to override the instructions of a model (docs/interface/content-filters.md#prompt-injection). */
export class PromptInjectionDetected extends defineExplainedError(403, 'prompt_injection_detected') {
  /** @param patterns the names of the patterns that matched, never what they matched */
  constructor(patterns: readonly string[], blocked: Blocked = 'Request') {
    super(`${blocked} blocked: prompt injection patterns detected`, { detail: { patterns } });
  }
}

/** The error of what a filter blocks. */
export function errorOfRefusal({ reason, patterns = [], label }: Refusal, blocked: Blocked): DomainError {
  return reason === 'prompt_injection_detected'
    ? new PromptInjectionDetected(patterns, blocked)
    : new ContentBlocked(label, blocked);
}

/** When a server that inspects texts may be back, in seconds: as long as an unreachable database is given. */
const RETRY_AFTER_INSPECTOR = 5;

/** A filter needs an analyzer, and there is none, or it has failed, or the classifier has (docs/interface/content-filters.md#analyzer). */
export class ContentFilterUnavailable extends defineExplainedError(503, 'content_analyzer_unavailable') {
  constructor() {
    super('Content filter unavailable', { retryAfterSeconds: RETRY_AFTER_INSPECTOR });
  }
}

/** Too many requests of the organization wait for the thread of custom patterns, for the analyzer or the classifier. */
export class TooManyContentScans extends defineRetryLaterError(429, 'too_many_content_scans') {}
