import { type ErrorEnvelope, errorEnvelope } from '../errors/error-envelope.js';

/** The reasons that do not depend on the operation. A 500 has none: it says nothing of its cause. */
const GENERAL_REASONS: Readonly<Record<number, string>> = {
  400: 'invalid_parameters',
  401: 'missing_credential',
  403: 'credential_kind_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_content_encoding',
  503: 'database_unavailable',
};

const ISSUES = [{ path: 'limit', message: 'must be >= 1' }];

const REQUEST_ID = '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11';

const USER_ID = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

/**
 * A failure as the document shows it.
 *
 * @param reason the operation's own reason for this status, where it has one
 * @throws Error for a status whose reason only the operation can know, when it does not say
 */
export function errorExample(status: number, reason = GENERAL_REASONS[status]): ErrorEnvelope {
  if (status === 500) return errorEnvelope(status, REQUEST_ID, undefined, USER_ID);
  if (reason === undefined) throw new Error(`what is the reason of a ${status}?`);
  const metadata = { reason, ...(status === 400 && { issues: ISSUES }) };
  return errorEnvelope(status, REQUEST_ID, metadata, status === 401 ? undefined : USER_ID);
}
