/** Why a check of an endpoint fails, in the words of the public interface. */
export const CHECK_REASONS = [
  'workspace_not_found',
  'model_not_found',
  'invalid_base_url',
  'no_byok_key',
  'upstream_error',
  'invalid_response',
  'invalid_stream',
  'missing_usage',
] as const;

/** Why a check of an endpoint fails. */
export type CheckReason = (typeof CHECK_REASONS)[number];
