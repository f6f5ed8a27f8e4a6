import { Injectable } from '@nestjs/common';
import { CredentialDisabled, CredentialExpired, InvalidCredential } from '../../../api/errors/request.errors.js';
import { CredentialResolver, type Resolution } from '../../../auth/credential-resolver.js';
import type { RequestOrigin } from '../../../auth/principal.js';
import { canBeExternalApiKey } from './external-api-key.js';
import { hashSecret, readCredential } from './key-format.js';
import { type KeyOwner, CredentialsRepository } from './credentials.repository.js';

const UNKNOWN: Resolution = { refusal: InvalidCredential };

/** Finds the principal of a key or client secret. */
@Injectable()
export class KeyCredentialResolver extends CredentialResolver {
  constructor(private readonly repository: CredentialsRepository) {
    super();
  }

  async resolve(credential: string, origin: RequestOrigin): Promise<Resolution> {
    const reference = readCredential(credential);
    if (reference === undefined) return this.resolveExternal(credential, origin);
    const { kind } = reference;
    if (kind === 'client_secret') {
      const client = await this.repository.clientHolder(reference);
      if (client === undefined) return UNKNOWN;
      const { id, organization_id: organizationId } = client;
      return { principal: { kind, origin, organizationId, credentialId: id, connectClientId: id } };
    }
    const holder = await this.repository.keyHolder(reference);
    return holder === undefined ? UNKNOWN : resolutionOf(holder, origin);
  }

  /** Finds the key of an external secret. A text that cannot be one is refused without a query. */
  private async resolveExternal(credential: string, origin: RequestOrigin): Promise<Resolution> {
    if (!canBeExternalApiKey(credential)) return UNKNOWN;
    const holder = await this.repository.externalKeyHolder(hashSecret(credential));
    return holder === undefined ? UNKNOWN : resolutionOf(holder, origin);
  }
}

function resolutionOf(holder: KeyOwner, origin: RequestOrigin): Resolution {
  if (holder.disabled) return { refusal: CredentialDisabled };
  if (holder.expired) return { refusal: CredentialExpired };
  const identity = {
    origin,
    organizationId: holder.organization_id,
    credentialId: holder.id,
    userId: holder.user_id,
  };
  return holder.kind === 'management_key'
    ? { principal: { kind: 'management_key', ...identity } }
    : { principal: { kind: 'api_key', ...identity, workspaceId: holder.workspace_id } };
}
