import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { defineError, defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_KEY } from '../keys/keys.errors.js';

/** The organization has no issuer of this id. */
export class FederationIssuerNotFound extends defineError(404, 'federation_issuer_not_found') {}

/** The organization has no policy of this id. */
export class FederationPolicyNotFound extends defineError(404, 'federation_policy_not_found') {}

/** Policies name the issuer, so that it cannot be deleted. */
export class FederationIssuerInUse extends defineError(409, 'federation_issuer_in_use') {}

/** One client address has asked for as many tokens as it may in a minute. */
export class TooManyTokenExchanges extends defineRetryLaterError(429, 'token_exchange_rate') {}

/** The keys of the issuer, or its discovery document, cannot be read now. */
export class IssuerKeysUnavailable extends defineRetryLaterError(503, 'issuer_keys_unavailable') {}

/** A request names an issuer that the organization does not have. */
export const UNKNOWN_ISSUER = new IssueKind(
  'federation_issuer_not_found',
  'is not the id of an issuer of the organization',
);

/** A policy would act as a key that a Connect client has made for a person. */
export const KEY_OF_CLIENT = new IssueKind(
  'key_of_connect_client',
  'is a key that a Connect client has made, as which no policy can act',
);

/** A condition that is not accepted. */
export const INVALID_CONDITION = new IssueKind('invalid_condition', (message: string) => message);

/** An address of an issuer that is not asked. */
export const ISSUER_ADDRESS_NOT_ALLOWED = new IssueKind('address_not_allowed', (message: string) => message);

/** The grant is another one than the exchange of tokens (RFC 6749, section 5.2). */
export const UNSUPPORTED_GRANT_TYPE = new IssueKind(
  'unsupported_grant_type',
  'grant_type must be urn:ietf:params:oauth:grant-type:token-exchange',
);

/** The scope is another one than that of inference. */
export const INVALID_SCOPE = new IssueKind('invalid_scope', 'scope can only be inference');

/** The request is not one that RFC 8693 describes. */
export const INVALID_REQUEST = new IssueKind('invalid_request', (message: string) => message);

/**
 * The token is not exchanged. One text for every cause, so that no caller learns which policies there are and what they ask for
 * (docs/interface/token-exchange.md#refusals).
 */
export const INVALID_GRANT = new IssueKind(
  'invalid_grant',
  'the subject token is not valid for this federation policy',
);

/** What a violated constraint of federation means to the caller. */
export const FEDERATION_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_federation_policies_issuer: () => BadRequestError.of([UNKNOWN_ISSUER.at('issuer_id')]),
  fk_federation_policies_key: () => BadRequestError.of([UNKNOWN_KEY.at('key_hash')]),
};
