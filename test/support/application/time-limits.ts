/**
 * Time limits of the service that no machine meets by being slow: what every application under test has, unless the limits
 * themselves are what is tested.
 */
export const RELAXED_TIME_LIMITS = {
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  DNS_TIMEOUT_MS: '60000',
  PATTERN_TIMEOUT_MS: '600000',
  CONTENT_ANALYZER_TIMEOUT_MS: '600000',
  CONTENT_ANALYZER_TOTAL_TIMEOUT_MS: '600000',
  ANALYTICS_TIMEOUT_MS: '30000',
  UNREAD_STREAM_TIMEOUT_MS: '3600000',
  UNREAD_ANSWER_TIMEOUT_MS: '3600000',
} as const;

/** The limits of a deployment that configures none. */
export const DEFAULT_TIME_LIMITS = {
  DATABASE_STATEMENT_TIMEOUT_MS: '',
  DNS_TIMEOUT_MS: '',
  PATTERN_TIMEOUT_MS: '',
  CONTENT_ANALYZER_TIMEOUT_MS: '',
  CONTENT_ANALYZER_TOTAL_TIMEOUT_MS: '',
  ANALYTICS_TIMEOUT_MS: '',
  UNREAD_STREAM_TIMEOUT_MS: '',
  UNREAD_ANSWER_TIMEOUT_MS: '',
} as const satisfies Record<keyof typeof RELAXED_TIME_LIMITS, string>;
