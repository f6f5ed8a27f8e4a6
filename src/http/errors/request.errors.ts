import { defineError, defineExplainedError, defineRetryLaterError } from './define-error.js';
import { IssueKind } from './issue-kind.js';

/** The reason of a request with issues that have none of their own, or different ones. */
export const INVALID_PARAMETERS = new IssueKind('invalid_parameters', (message: string) => message);

/** What was received is no HTTP that the service takes. */
export const UNREADABLE_REQUEST = new IssueKind('unreadable_request', (message: string) => message);

/** A part of the path or the query is not what RFC 3986 allows. */
export const MALFORMED_URL = new IssueKind('malformed_url', 'is not percent-encoded UTF-8');

/** The body is something else than JSON. */
export const UNSUPPORTED_CONTENT_TYPE = new IssueKind(
  'unsupported_content_type',
  (types: readonly string[]) => `the Content-Type must be ${types.join(' or ')}`,
);

/** The body is something else than a form. */
export const UNSUPPORTED_FORM_TYPE = new IssueKind(
  'unsupported_content_type',
  'the Content-Type must be application/x-www-form-urlencoded',
);

/** The body could not be read, or is no UTF-8. */
export const MALFORMED_BODY = new IssueKind('malformed_body', (message: string) => message);

/** The body is no JSON. The parser's own message is left out: it quotes the body, which may hold a secret. */
export const MALFORMED_JSON = new IssueKind('malformed_json', 'the body is not valid JSON');

/** A field that is larger as a whole than what is stored of it (docs/interface/conventions.md). */
export const FIELD_TOO_LARGE = new IssueKind(
  'field_too_large',
  (maximum: number, unit: string, size: number) => `must not have more than ${maximum} ${unit}, and has ${size}`,
);

/** There is no Authorization header. */
export class MissingCredential extends defineError(401, 'missing_credential') {}

/** The Authorization header is not one bearer token. */
export class MalformedCredential extends defineError(401, 'malformed_credential') {
  override get explanation(): string {
    return 'Malformed Authentication header: it must be one header "Authorization: Bearer <API key>".';
  }
}

/** There is no such credential. */
export class InvalidCredential extends defineError(401, 'invalid_credential') {
  override get explanation(): string {
    return 'Invalid API key: there is no such key.';
  }
}

/** What was sent has the prefix of a credential, but not its form: it may have been cut or mistyped. */
export class MistypedCredential extends InvalidCredential {
  constructor() {
    super({ particulars: 'malformed: the key has been cut or mistyped' });
  }

  override get explanation(): string {
    return 'Malformed API key: it has been cut or mistyped.';
  }
}

/** The credential is disabled. */
export class CredentialDisabled extends defineError(401, 'credential_disabled') {
  override get explanation(): string {
    return 'The API key is disabled.';
  }
}

/** The key is under rules of a newer release, which this one does not know (docs/deploy/upgrade.md#keys-of-a-newer-release). */
export class CredentialOfNewerRelease extends defineError(401, 'credential_of_newer_release') {
  override get explanation(): string {
    return 'The API key has restrictions that this release of the service does not know.';
  }
}

/** The owner of the key was taken out of its workspace, and may come back (docs/interface/keys-and-oauth.md#suspended-keys). */
export class CredentialSuspended extends defineError(401, 'credential_suspended') {
  override get explanation(): string {
    return 'The API key is suspended: its owner is no longer a member of its workspace.';
  }
}

/** The owner of the key is deactivated, and may be reactivated (docs/interface/members.md). */
export class MemberDeactivated extends defineError(401, 'member_deactivated') {
  override get explanation(): string {
    return 'The API key is suspended: its owner is deactivated in the organization.';
  }
}

/** The credential's time is over. */
export class CredentialExpired extends defineError(401, 'credential_expired') {
  override get explanation(): string {
    return 'The API key has expired.';
  }
}

/** A request of the console without the cookie of a session, or with that of one that is over (docs/interface/sign-in.md#sessions). */
export class SessionMissing extends defineError(401, 'session_missing') {}

/** A request of the console that no page of it made (docs/interface/sign-in.md#console). */
export class CrossSiteRequest extends defineError(403, 'cross_site_request') {}

/** The key is bound to addresses, and the client has another one (docs/interface/keys-and-oauth.md#client-addresses). */
export class ClientAddressNotAllowed extends defineError(403, 'client_address_not_allowed') {
  /** @param address as `TRUST_PROXY` tells it; null where it is not known any more */
  constructor(private readonly address: string | null) {
    super({ client_address: address });
  }

  override get explanation(): string {
    return `The API key must not be used from the address ${this.address ?? 'of this client'}.`;
  }
}

/** The operation does not take credentials of this kind. */
export class CredentialKindNotAllowed extends defineError(403, 'credential_kind_not_allowed') {
  /** @param accepted the kinds of credential that the operation takes */
  constructor(private readonly accepted: readonly string[]) {
    super();
  }

  /** The message of the status would send the holder of a management key in circles. */
  override get shownMessage(): string | undefined {
    return this.accepted.includes('management_key') ? undefined : 'Only API keys can perform this operation';
  }
}

/**
 * The caller's key or role does not permit the operation, or what the request asks of it; `metadata.required` names the permissions
 * that do (docs/interface/permissions.md).
 */
export class PermissionMissing extends defineError(403, 'permission_missing') {
  /** @param required the permissions that the request needs, all of them */
  constructor(required: readonly string[]) {
    super({ required });
  }
}

/**
 * Only an administrator of the organization may do this, and the caller's role is another one, so that no permission would help: the
 * operation, or what the request asks of it, whose fields `metadata.fields` names (docs/interface/permissions.md#roles).
 */
export class AdministratorRequired extends defineError(403, 'administrator_required') {
  /** @param fields of the request; none where the whole operation is for administrators */
  constructor(fields?: readonly string[]) {
    super(fields && { fields });
  }
}

/** A person has signed in too long ago for what they ask, and has to sign in again. */
export class RecentSignInRequired extends defineError(403, 'recent_sign_in_required') {
  /** @param maximumAgeSeconds how long ago the sign-in may be at most */
  constructor(maximumAgeSeconds: number) {
    super({ max_age_seconds: maximumAgeSeconds });
  }
}

/** No operation has this method and path. */
export class RouteNotFound extends defineError(404, 'route_not_found') {}

/** The operation has no WebSocket. */
export class WebSocketNotServed extends defineError(426, 'websocket_not_served') {}

/** The request did not arrive in time. */
export class RequestTimedOut extends defineError(408, 'unreadable_request') {}

/** The body is larger than what is read. */
export class BodyTooLarge extends defineError(413, 'body_too_large') {}

/** The extensions of the chunks are larger than what is read. */
export class ChunkExtensionsTooLarge extends defineError(413, 'unreadable_request') {}

/** The body comes in an encoding that is not undone here. */
export class UnsupportedContentEncoding extends defineError(415, 'unsupported_content_encoding') {}

/** The head of the request is larger than what is read. */
export class RequestHeadTooLarge extends defineError(431, 'unreadable_request') {}

/** The organization has sent as many requests in this minute as it may. */
export class TooManyRequests extends defineRetryLaterError(429, 'organization_request_rate') {}

/** The organization has as many requests in progress as its share allows, and as many wait as may. */
export class TooManyConcurrentRequests extends defineRetryLaterError(429, 'too_many_concurrent_requests') {}

/** To translate, filter or write the request would take far more work than its size allows (docs/limits.md#work). */
export class RequestTooComplex extends defineExplainedError(400, 'request_too_complex') {
  constructor() {
    super(
      'The request is too complex: what it would be translated to is many times as large as it. Make the schemas of its tools and of its format simpler.',
    );
  }
}

/** Too many bodies of this sender are incomplete, or of all senders together. */
export class TooManyUnfinishedBodies extends defineRetryLaterError(429, 'too_many_unfinished_bodies') {}

/** The database cannot be reached, or takes no writes. */
export class DatabaseUnavailable extends defineRetryLaterError(503, 'database_unavailable') {}

/** The connections to the database, or rows in it, were in use for too long. */
export class DatabaseBusy extends defineRetryLaterError(503, 'database_busy') {}
