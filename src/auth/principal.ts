import { maskSecrets } from '../telemetry/logging/secret-mask.js';
import type { GatehouseRequest } from '../http/request.js';
import type { Permission } from './permissions.js';

/** The origin of a request, for the audit trail. Evaluated on demand, because most requests are not recorded. */
export class RequestOrigin {
  constructor(private readonly request: GatehouseRequest) {}

  /** The request id, as in the response, the log and the audit trail; masked as in the log. */
  get requestId(): string {
    return maskSecrets(this.request.requestId);
  }

  /** Whether the request has come whole, with its body, as far as the bytes are parsed that were received. */
  get isComplete(): boolean {
    return this.request.complete;
  }

  /** How many bytes have come on the connection of the request, parsed or not. */
  get receivedBytes(): number {
    return this.request.socket.bytesRead;
  }

  /** The address of the client, determined according to TRUST_PROXY. */
  get address(): string | null {
    return this.request.clientAddress;
  }
}

/** The prefixes of credentials, which authenticate requests as bearer tokens (docs/interface/keys-and-oauth.md#credentials). */
const CREDENTIAL_PREFIXES = {
  management_key: 'mk',
  api_key: 'sk',
  client_secret: 'cs',
  provisioning_token: 'pv',
} as const;

/** The prefixes of all secrets. They tell people and secret scanners what they have found. */
export const SECRET_PREFIXES = {
  ...CREDENTIAL_PREFIXES,
  authorization_code: 'ac',
  session: 'ss',
  sign_in_link: 'sl',
  sign_in_attempt: 'sa',
} as const;

/** The kinds of secrets. */
export type SecretKind = keyof typeof SECRET_PREFIXES;

/** The kinds of credential. */
export type CredentialKind = keyof typeof CREDENTIAL_PREFIXES;

export const CREDENTIAL_KINDS = Object.keys(CREDENTIAL_PREFIXES) as CredentialKind[];

/**
 * The authenticated caller. Every credential is resolved to one of these, and code after the guard never sees the credential
 * itself.
 */
export type Principal =
  ManagementPrincipal | ApiKeyPrincipal | ClientPrincipal | ProvisioningPrincipal | AnonymousPrincipal;

interface AnyPrincipal {
  /** The origin of the request; null when the `gatehouse` command acts for the principal. */
  readonly origin: RequestOrigin | null;
}

/** Files that are applied. */
export interface AppliedFiles {
  readonly owner: string;
  /** The id of the plan, where the request has named it. */
  readonly plan: string | null;
  /** What the files are from, as a commit. */
  readonly revision: string | null;
  /** The file of the object; null for one that no file has any more. */
  readonly file: string | null;
  /** Who applies them, if not the principal by a request of theirs. */
  readonly appliedBy?: 'command_line' | 'service';
}

interface OrganizationPrincipal extends AnyPrincipal {
  readonly organizationId: string;
  /** The id of the credential's row, by which rate limits are counted. */
  readonly credentialId: string;
}

/** A member of the organization who acts for it, as far as the permissions reach (docs/interface/permissions.md). */
interface MemberPrincipal extends OrganizationPrincipal {
  readonly userId: string;
  /** What operations may be called, {@link KeepsToOwn} aside. */
  readonly permissions: ReadonlySet<Permission>;
  /** The files that have it act, if any (docs/configuration.md); the audit trail tells them. */
  readonly files?: AppliedFiles;
  /** Whether only what is the member's own is reached; what is other people's looks as if it were missing. */
  readonly onlyOwn: boolean;
}

/** The owner of a management key. */
export interface ManagementKeyPrincipal extends MemberPrincipal {
  readonly kind: 'management_key';
}

/** A person who has signed in; `credentialId` is the id of the session's row. */
export interface SessionPrincipal extends MemberPrincipal {
  readonly kind: 'session';
  /** When the person last proved who they are; null where that is not known. */
  readonly authenticatedAt: Date | null;
}

/** Who manages an organization: the owner of a management key, or a person who has signed in. */
export type ManagementPrincipal = ManagementKeyPrincipal | SessionPrincipal;

/** The owner of an API key for inference. */
export interface ApiKeyPrincipal extends OrganizationPrincipal {
  readonly kind: 'api_key';
  readonly userId: string;
  /** The key's workspace; null is the organization's default workspace. */
  readonly workspaceId: string | null;
  /** The Connect client that made the key, with whose other keys it shares what one key may have; null or absent for none. */
  readonly connectClientId?: string | null;
  /** Whether an access token acts as the key, which is for inference and makes no further credentials. */
  readonly isOfAccessToken?: boolean;
  /** The id of the session of the console whose person, the key's owner, sends the request; absent where the key itself was shown. */
  readonly consoleSessionId?: string;
}

/** A Connect client, authenticated by its secret. */
export interface ClientPrincipal extends OrganizationPrincipal {
  readonly kind: 'client_secret';
  readonly connectClientId: string;
}

/** The directory that provisions an organization, authenticated by one of its provisioning tokens. */
export interface ProvisioningPrincipal extends OrganizationPrincipal {
  readonly kind: 'provisioning_token';
}

/** A caller without a credential, on an operation that ANONYMOUS_OPERATIONS permits. */
export interface AnonymousPrincipal extends AnyPrincipal {
  readonly kind: 'anonymous';
}

/**
 * Who has a share of what an organization may have at a time (docs/limits.md#inference): a credential, or all keys of a Connect client
 * together.
 */
export function shareIdOf(principal: Exclude<Principal, AnonymousPrincipal>): string {
  return ('connectClientId' in principal ? principal.connectClientId : null) ?? principal.credentialId;
}

/** Whether a principal manages an organization, and so has permissions. */
export function isManagement(principal: Principal): principal is ManagementPrincipal {
  return principal.kind === 'management_key' || principal.kind === 'session';
}

/** The id of the user of a principal; null if it has none. */
export function userIdOf(principal: Principal | undefined): string | null {
  return principal !== undefined && 'userId' in principal ? principal.userId : null;
}
