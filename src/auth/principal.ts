import type { RequestOrigin } from './request-origin.js';

/** The kinds of credential (DECISIONS.md, section 3); `anonymous` where a deployment opened the operation. */
export type CredentialKind = 'management_key' | 'api_key' | 'client_secret';

/** Who is calling: every credential becomes one of these, and nothing after the guard sees the credential itself. */
export type Principal = ManagementPrincipal | ApiKeyPrincipal | ClientPrincipal | AnonymousPrincipal;

interface AnyPrincipal {
  /** Where the request comes from; null where there is none, because the `gatehouse` command acts for the principal. */
  readonly origin: RequestOrigin | null;
}

interface OrganizationPrincipal extends AnyPrincipal {
  readonly organizationId: string;
  /** The credential's own row: what rate limits are counted by. */
  readonly credentialId: string;
}

/** The holder of a management key: acts for its organization. */
export interface ManagementPrincipal extends OrganizationPrincipal {
  readonly kind: 'management_key';
  readonly userId: string;
}

/** The holder of an API key for inference. */
export interface ApiKeyPrincipal extends OrganizationPrincipal {
  readonly kind: 'api_key';
  readonly userId: string;
  /** The key's workspace; null is the organization's default workspace. */
  readonly workspaceId: string | null;
}

/** A Connect client, known by its secret. */
export interface ClientPrincipal extends OrganizationPrincipal {
  readonly kind: 'client_secret';
  readonly connectClientId: string;
}

/** Nobody in particular, on an operation that ANONYMOUS_OPERATIONS opens. */
export interface AnonymousPrincipal extends AnyPrincipal {
  readonly kind: 'anonymous';
}

/** The user behind a principal, where there is one. */
export function userIdOf(principal: Principal | undefined): string | null {
  return principal !== undefined && 'userId' in principal ? principal.userId : null;
}
