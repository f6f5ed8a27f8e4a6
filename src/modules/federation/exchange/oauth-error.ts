import type { ErrorEnvelope } from '../../../http/errors/error-envelope.js';
import type { ErrorWriter } from '../../../http/openapi/operation.decorator.js';
import { EnumField, TextField } from '../../../http/validation/fields.js';

/** The codes of OAuth 2.0 that an exchange fails with (RFC 6749, sections 4.1.2.1 and 5.2). */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
] as const;

type OauthErrorCode = (typeof OAUTH_ERRORS)[number];

/** The body of a failure of OAuth 2.0 (RFC 6749, section 5.2). */
export class OauthErrorResponse {
  @EnumField(OAUTH_ERRORS, { description: 'What failed.', example: 'invalid_grant' })
  error: OauthErrorCode;

  @TextField({
    description: 'The same for people.',
    example: 'the subject token is not valid for this federation policy',
    optional: true,
  })
  error_description?: string;
}

interface Metadata {
  readonly reason?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

/** Writes failures as clients of OAuth 2.0 read them. */
export const OAUTH_ERROR_WRITER: ErrorWriter = { type: OauthErrorResponse, write: toOauthError };

function toOauthError({ error }: ErrorEnvelope): OauthErrorResponse {
  const { reason, issues = [] } = (error.metadata ?? {}) as Metadata;
  const description = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  return { error: codeOf(error.code, reason), error_description: inAscii(description || error.message) };
}

function codeOf(status: number, reason: string | undefined): OauthErrorCode {
  if (status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return OAUTH_ERRORS.find((code) => code === reason) ?? 'invalid_request';
}

/** Only the characters that RFC 6749 has in descriptions, which have no quotation marks and backslashes. */
function inAscii(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll(/[^ !#-[\]-~]/g, '?')
    .slice(0, 500);
}
