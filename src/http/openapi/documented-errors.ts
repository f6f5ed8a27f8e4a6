import { STATUS_CODES } from 'node:http';
import type { ErrorKind } from '../errors/domain-error.js';
import {
  AdministratorRequired,
  BodyTooLarge,
  ClientAddressNotAllowed,
  CredentialDisabled,
  CredentialExpired,
  CredentialKindNotAllowed,
  CredentialOfNewerRelease,
  CrossSiteRequest,
  CredentialSuspended,
  DatabaseBusy,
  DatabaseUnavailable,
  INVALID_PARAMETERS,
  InvalidCredential,
  MalformedCredential,
  MemberDeactivated,
  MissingCredential,
  PermissionMissing,
  RecentSignInRequired,
  SessionMissing,
  TooManyConcurrentRequests,
  TooManyRequests,
  TooManyUnfinishedBodies,
  UnsupportedContentEncoding,
} from '../errors/request.errors.js';
import type { RequestSources } from '../validation/request-sources.js';
import { type ErrorEnvelope, errorEnvelope, errorMessageOf } from '../errors/error-envelope.js';
import { inferenceMetadata } from '../errors/error-type.js';

/** Of the limits of an organization, and of a path or a query, which may always have what is not expected. */
const OF_EVERY_REQUEST: readonly ErrorKind[] = [INVALID_PARAMETERS, TooManyRequests, TooManyConcurrentRequests];

/** Of the guard, permissions aside, which API keys need none of. */
const OF_CREDENTIALS: readonly ErrorKind[] = [
  MissingCredential,
  MalformedCredential,
  InvalidCredential,
  CredentialDisabled,
  CredentialOfNewerRelease,
  CredentialSuspended,
  MemberDeactivated,
  CredentialExpired,
  ClientAddressNotAllowed,
  CredentialKindNotAllowed,
];

/** Of the same operations where the console calls them. */
const OF_THE_CONSOLE: readonly ErrorKind[] = [SessionMissing, CrossSiteRequest];

const OF_A_BODY: readonly ErrorKind[] = [BodyTooLarge, UnsupportedContentEncoding, TooManyUnfinishedBodies];

const OF_THE_DATABASE: readonly ErrorKind[] = [DatabaseUnavailable, DatabaseBusy];

/** What of an operation decides about them. */
interface OptionsOfErrors {
  readonly unavailableStatus?: 500;
  readonly isInference?: boolean;
  readonly needsNoCredential?: boolean;
  readonly decidesIdentity?: boolean;
}

/**
 * The errors of an operation that come from what it takes, not from what it does. Every operation also has a 500, of which
 * nothing is said.
 *
 * @param options of the operation: `unavailableStatus` is 500 where it answers that while the database cannot be used
 */
export function generalErrors({ body }: RequestSources, options: OptionsOfErrors): ErrorKind[] {
  const { unavailableStatus, isInference = false, needsNoCredential = false, decidesIdentity = false } = options;
  return [
    ...OF_EVERY_REQUEST,
    ...(needsNoCredential ? [] : [...OF_CREDENTIALS, ...OF_THE_CONSOLE]),
    ...(isInference || needsNoCredential ? [] : [PermissionMissing, AdministratorRequired]),
    ...(decidesIdentity ? [RecentSignInRequired] : []),
    ...(body === undefined ? [] : OF_A_BODY),
    ...(unavailableStatus === undefined ? OF_THE_DATABASE : []),
  ];
}

/** What every operation answers to a query parameter that it does not have. */
const EXAMPLE_ISSUES = [{ path: 'unknown_parameter', message: 'is not a known field' }];

const EXAMPLE_REQUEST_ID = '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11';

const EXAMPLE_USER_ID = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

/** The statuses whose messages in the document also fit operations of inference. */
const SHARED_MESSAGES: ReadonlySet<number> = new Set([400, 401, 429, 500]);

/** The message of a status; of inference, whose errors have messages of their own, the phrase of the status. */
function messageOf(status: number, isInference: boolean): string {
  const phrase = isInference && !SHARED_MESSAGES.has(status) ? STATUS_CODES[status] : undefined;
  return phrase ?? errorMessageOf(status);
}

/**
 * The message of a status, and the reasons that its errors have. A 400 can also have the reason that all of its issues have
 * in common; there are too many of these to name.
 *
 * @param errors all errors of the operation
 */
export function errorDescription(status: number, errors: readonly ErrorKind[], isInference = false): string {
  const message = messageOf(status, isInference);
  const found = errors.flatMap((error) => (error.status === status ? [error.reason] : []));
  if (found.length === 0) return message;
  const reasons = [...new Set(found)].map((reason) => `\`${reason}\``);
  if (status === 400) reasons.push('or the reason that all of its issues have in common');
  return `${message.replace(/\.$/, '')}. ${reasons.length === 1 ? 'Reason' : 'Reasons'}: ${reasons.join(', ')}.`;
}

/**
 * A failure as the document shows it.
 *
 * @param reason undefined for a 500, which says nothing of its cause
 * @param isInference whether the operation is one of inference, whose refusals have an `error_type`
 */
export function errorExample(status: number, reason: string | undefined, isInference = false): ErrorEnvelope {
  const common = status === 400 ? { reason: INVALID_PARAMETERS.reason, issues: EXAMPLE_ISSUES } : { reason };
  const ofOperation = isInference ? inferenceMetadata(status, common) : common;
  const metadata = reason === undefined ? undefined : ofOperation;
  const userId = status === 401 ? undefined : EXAMPLE_USER_ID;
  return errorEnvelope(status, EXAMPLE_REQUEST_ID, metadata, userId, messageOf(status, isInference));
}
