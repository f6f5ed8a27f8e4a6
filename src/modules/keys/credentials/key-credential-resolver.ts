import { Injectable, Logger } from '@nestjs/common';
import { RIGHTS_OF_ADMINISTRATORS, ROLES } from '../../../auth/roles.js';
import {
  ClientAddressNotAllowed,
  CredentialDisabled,
  CredentialExpired,
  CredentialOfNewerRelease,
  CredentialSuspended,
  InvalidCredential,
  MemberDeactivated,
  MistypedCredential,
} from '../../../http/errors/request.errors.js';
import { CredentialResolver, type Resolution } from '../../../auth/credential-resolver.js';
import { NO_RIGHTS, permissionsWithin, type Rights } from '../../../auth/permissions.js';
import type { ApiKeyPrincipal, RequestOrigin, SessionPrincipal } from '../../../auth/principal.js';
import { AccessTokens, type ReadAccessToken } from './access-tokens.js';
import { canBeExternalApiKey, hasReservedPrefix } from './external-api-key.js';
import {
  hashSecret,
  readCredential,
  readHash,
  type SecretInOrganization,
  type SecretReference,
  statesOrganization,
} from './key-format.js';
import { CredentialsRepository } from './credentials.repository.js';
import { isAllowedAddress } from '../allowed-ranges.js';
import type { KeyOwner, PermittedKeyOwner } from './key-owner.js';

const logger = new Logger('KeyCredentialResolver');

const UNKNOWN: Resolution = { refusal: InvalidCredential };

/**
 * Reads the owner of an API key together with what else a request needs.
 *
 * @returns undefined where it was not read so
 */
export type KeyOwnerReader = (secret: SecretInOrganization) => Promise<KeyOwner | undefined>;

/** Finds the principal of a key or client secret. */
@Injectable()
export class KeyCredentialResolver extends CredentialResolver {
  constructor(
    private readonly repository: CredentialsRepository,
    private readonly accessTokens: AccessTokens,
  ) {
    super();
  }

  async resolve(credential: string, origin: RequestOrigin): Promise<Resolution> {
    return this.resolveWith(credential, origin);
  }

  async resolveOwn(session: SessionPrincipal, keyHash: string): Promise<Resolution> {
    const { organizationId, userId, credentialId, origin } = session;
    const hash = readHash(keyHash);
    const owner = hash && (await this.repository.keyOwner({ organizationId, hash }));
    if (owner?.kind !== 'api_key' || owner.user_id !== userId) return UNKNOWN;
    const principal = { ...apiKeyPrincipalOf(owner, origin!), consoleSessionId: credentialId };
    return refusalOf(owner, origin!) ?? { principal };
  }

  /** @param readOwner is asked first for the owner of an API key that states its organization */
  async resolveWith(credential: string, origin: RequestOrigin, readOwner?: KeyOwnerReader): Promise<Resolution> {
    const reference = readCredential(credential);
    if (reference === undefined) return this.resolveForeign(credential, origin);
    switch (reference.kind) {
      case 'client_secret':
        return this.resolveClient(reference, origin);
      case 'management_key':
        return this.resolveKey(reference, origin);
      case 'api_key':
        return this.resolveKey(reference, origin, readOwner);
      case 'provisioning_token':
        return this.resolveProvisioningToken(reference, origin);
    }
  }

  private async resolveClient(reference: SecretReference, origin: RequestOrigin): Promise<Resolution> {
    const client = await this.repository.clientOwner(reference);
    if (client === undefined) return UNKNOWN;
    const { id, organization_id: organizationId } = client;
    return { principal: { kind: 'client_secret', origin, organizationId, credentialId: id, connectClientId: id } };
  }

  /** Every version of these tokens states its organization. */
  private async resolveProvisioningToken(reference: SecretReference, origin: RequestOrigin): Promise<Resolution> {
    const owner = statesOrganization(reference) ? await this.repository.provisioningTokenOwner(reference) : undefined;
    if (owner === undefined) return UNKNOWN;
    if (owner.expired) return { refusal: CredentialExpired };
    const { id: credentialId, organization_id: organizationId } = owner;
    return { principal: { kind: 'provisioning_token', origin, organizationId, credentialId } };
  }

  private async resolveKey(
    reference: SecretReference,
    origin: RequestOrigin,
    readOwner?: KeyOwnerReader,
  ): Promise<Resolution> {
    const read = statesOrganization(reference) ? await readOwner?.(reference) : undefined;
    if (read !== undefined) return resolutionOfApiKey(read, origin);
    return resolutionOf(await this.repository.keyOwner(reference), origin);
  }

  /** Resolves what we have not made as a key: an access token, or a secret that a partner has brought. */
  private async resolveForeign(credential: string, origin: RequestOrigin): Promise<Resolution> {
    const token = await this.accessTokens.read(credential);
    if (token === undefined) return this.resolveExternal(credential, origin);
    return token === 'expired' ? { refusal: CredentialExpired } : this.resolveToken(token, origin);
  }

  /** The key that an access token acts as, in the state that it has now. */
  private async resolveToken({ organizationId, keyId }: ReadAccessToken, origin: RequestOrigin): Promise<Resolution> {
    const owner = await this.repository.keyOwnerById(organizationId, keyId);
    if (owner?.kind !== 'api_key') return UNKNOWN;
    return refusalOf(owner, origin) ?? { principal: { ...apiKeyPrincipalOf(owner, origin), isOfAccessToken: true } };
  }

  /** Finds the key of an external secret. A text that cannot be one is refused without a query. */
  private async resolveExternal(credential: string, origin: RequestOrigin): Promise<Resolution> {
    if (hasReservedPrefix(credential)) return { refusal: MistypedCredential };
    if (!canBeExternalApiKey(credential)) return UNKNOWN;
    const owner = await this.repository.externalKeyOwner(hashSecret(credential));
    return owner === undefined ? UNKNOWN : resolutionOfApiKey(owner, origin);
  }
}

function resolutionOf(owner: PermittedKeyOwner | undefined, origin: RequestOrigin): Resolution {
  if (owner === undefined) return UNKNOWN;
  if (owner.kind === 'api_key') return resolutionOfApiKey(owner, origin);
  const identity = identityOf(owner, origin);
  return refusalOf(owner, origin) ?? { principal: { kind: 'management_key', ...identity, ...rightsOf(owner) } };
}

function resolutionOfApiKey(owner: KeyOwner, origin: RequestOrigin): Resolution {
  return refusalOf(owner, origin) ?? { principal: apiKeyPrincipalOf(owner, origin) };
}

/** Why a key is not accepted from where it is sent; undefined if it is. */
function refusalOf(owner: KeyOwner, origin: RequestOrigin): Resolution | undefined {
  if (owner.disabled) return { refusal: CredentialDisabled };
  if (owner.owner_deactivated) return { refusal: MemberDeactivated };
  if (owner.suspended) return { refusal: CredentialSuspended };
  if (owner.expired) return { refusal: CredentialExpired };
  if (owner.newer) return ofNewerRelease(owner);
  if (!isAllowedAddress(owner.allowed_addresses, origin.address)) {
    return { refused: new ClientAddressNotAllowed(origin.address) };
  }
  return undefined;
}

/** Operators are told, because it ends when all replicas are new, and not before. */
function ofNewerRelease({ id }: KeyOwner): Resolution {
  logger.warn(`key ${id} has restrictions of a newer release, and is refused (docs/deploy/upgrade.md)`);
  return { refusal: CredentialOfNewerRelease };
}

function identityOf(
  owner: KeyOwner,
  origin: RequestOrigin,
): Pick<ApiKeyPrincipal, 'origin' | 'organizationId' | 'credentialId' | 'userId'> {
  return { origin, organizationId: owner.organization_id, credentialId: owner.id, userId: owner.user_id };
}

function apiKeyPrincipalOf(owner: KeyOwner, origin: RequestOrigin): ApiKeyPrincipal {
  const { workspace_id: workspaceId, connect_client_id: connectClientId } = owner;
  return { kind: 'api_key', ...identityOf(owner, origin), workspaceId, connectClientId };
}

/** What a management key may do: its permissions, as far as its owner's role has them now (docs/interface/permissions.md#management-keys). */
function rightsOf({ scopes, follows_owner_role: followsRole, owner_role: role }: PermittedKeyOwner): Rights {
  if (role === null) return NO_RIGHTS;
  const rights = followsRole ? ROLES[role].rights : RIGHTS_OF_ADMINISTRATORS;
  return { ...rights, permissions: permissionsWithin(rights, scopes) };
}
