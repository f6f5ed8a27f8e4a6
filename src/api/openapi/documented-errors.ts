import type { ErrorKind } from '../errors/domain-error.js';
import {
  BodyTooLarge,
  CredentialDisabled,
  CredentialExpired,
  CredentialKindNotAllowed,
  DatabaseBusy,
  DatabaseUnavailable,
  INVALID_PARAMETERS,
  InvalidCredential,
  MalformedCredential,
  MissingCredential,
  TooManyConcurrentRequests,
  TooManyRequests,
  TooManyUnfinishedBodies,
  UnsupportedContentEncoding,
} from '../errors/request.errors.js';
import type { RequestSources } from '../validation/request-sources.js';
import { type ErrorEnvelope, errorEnvelope } from '../errors/error-envelope.js';
import { inferenceMetadata } from '../errors/error-type.js';

/** Of the guard, of the limits of an organization, and of a path or a query, which may always have what is not expected. */
const OF_EVERY_REQUEST: readonly ErrorKind[] = [
  INVALID_PARAMETERS,
  MissingCredential,
  MalformedCredential,
  InvalidCredential,
  CredentialDisabled,
  CredentialExpired,
  CredentialKindNotAllowed,
  TooManyRequests,
  TooManyConcurrentRequests,
];

const OF_A_BODY: readonly ErrorKind[] = [BodyTooLarge, UnsupportedContentEncoding, TooManyUnfinishedBodies];

const OF_THE_DATABASE: readonly ErrorKind[] = [DatabaseUnavailable, DatabaseBusy];

/**
 * The errors of an operation that come from what it takes, not from what it does. Every operation also has a 500, of which
 * nothing is said.
 *
 * @param unavailableStatus 500 where the operation answers that while the database cannot be used
 */
export function generalErrors(
  { body }: RequestSources,
  { unavailableStatus }: { readonly unavailableStatus?: 500 },
): ErrorKind[] {
  return [
    ...OF_EVERY_REQUEST,
    ...(body === undefined ? [] : OF_A_BODY),
    ...(unavailableStatus === undefined ? OF_THE_DATABASE : []),
  ];
}

const EXAMPLE_ISSUES = [{ path: 'limit', message: 'must be >= 1' }];

const EXAMPLE_REQUEST_ID = '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11';

const EXAMPLE_USER_ID = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62';

/**
 * A failure as the document shows it.
 *
 * @param reason undefined for a 500, which says nothing of its cause
 * @param isInference whether the operation is one of inference, whose refusals have an `error_type`
 */
export function errorExample(status: number, reason: string | undefined, isInference = false): ErrorEnvelope {
  const common = { reason, ...(status === 400 && { issues: EXAMPLE_ISSUES }) };
  const ofOperation = isInference ? inferenceMetadata(status, common) : common;
  const metadata = reason === undefined ? undefined : ofOperation;
  return errorEnvelope(status, EXAMPLE_REQUEST_ID, metadata, status === 401 ? undefined : EXAMPLE_USER_ID);
}
