import { defineExplainedError, defineRetryLaterError } from '../../http/errors/define-error.js';

/** A content filter refuses the request (docs/interface/content-filters.md#refusals). */
export class ContentBlocked extends defineExplainedError(403, 'content_blocked') {
  /** @param label the placeholder or label of the filter, never what it matched */
  constructor(label: string) {
    super(`Request blocked by content filter: ${label}`, { detail: { filter: label } });
  }
}

/** The request tries to override its instructions (docs/interface/content-filters.md#prompt-injection). */
export class PromptInjectionDetected extends defineExplainedError(403, 'prompt_injection_detected') {
  /** @param patterns the names of the patterns that matched, never what they matched */
  constructor(patterns: readonly string[]) {
    super('Request blocked: prompt injection patterns detected', { detail: { patterns } });
  }
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
