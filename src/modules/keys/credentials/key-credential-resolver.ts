import { Injectable } from '@nestjs/common';
import {
  CredentialDisabled,
  CredentialExpired,
  CredentialSuspended,
  InvalidCredential,
  MemberDeactivated,
  MistypedCredential,
} from '../../../http/errors/request.errors.js';
import { CredentialResolver, type Resolution } from '../../../auth/credential-resolver.js';
import { RIGHTS_OF_ADMINISTRATORS } from '../../../auth/permissions.js';
import type { RequestOrigin } from '../../../auth/principal.js';
import { AccessTokens, type ReadAccessToken } from './access-tokens.js';
import { canBeExternalApiKey, hasReservedPrefix } from './external-api-key.js';
import {
  hashSecret,
  readCredential,
  type SecretInOrganization,
  type SecretReference,
  statesOrganization,
} from './key-format.js';
import { CredentialsRepository } from './credentials.repository.js';
import type { KeyOwner } from './key-owner.js';

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
    const owner = read ?? (await this.repository.keyOwner(reference));
    return owner === undefined ? UNKNOWN : resolutionOf(owner, origin);
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
    const resolution = owner === undefined ? UNKNOWN : resolutionOf(owner, origin);
    if ('refusal' in resolution || resolution.principal.kind !== 'api_key') return resolution;
    return { principal: { ...resolution.principal, isOfAccessToken: true } };
  }

  /** Finds the key of an external secret. A text that cannot be one is refused without a query. */
  private async resolveExternal(credential: string, origin: RequestOrigin): Promise<Resolution> {
    if (hasReservedPrefix(credential)) return { refusal: MistypedCredential };
    if (!canBeExternalApiKey(credential)) return UNKNOWN;
    const owner = await this.repository.externalKeyOwner(hashSecret(credential));
    return owner === undefined ? UNKNOWN : resolutionOf(owner, origin);
  }
}

function resolutionOf(owner: KeyOwner, origin: RequestOrigin): Resolution {
  if (owner.disabled) return { refusal: CredentialDisabled };
  if (owner.owner_deactivated) return { refusal: MemberDeactivated };
  if (owner.suspended) return { refusal: CredentialSuspended };
  if (owner.expired) return { refusal: CredentialExpired };
  const identity = {
    origin,
    organizationId: owner.organization_id,
    credentialId: owner.id,
    userId: owner.user_id,
  };
  switch (owner.kind) {
    case 'management_key':
      return { principal: { kind: 'management_key', ...identity, ...RIGHTS_OF_ADMINISTRATORS } };
    case 'api_key':
      return {
        principal: {
          kind: 'api_key',
          ...identity,
          workspaceId: owner.workspace_id,
          connectClientId: owner.connect_client_id,
        },
      };
  }
}
