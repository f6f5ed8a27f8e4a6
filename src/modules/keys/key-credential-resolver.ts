import { Injectable } from '@nestjs/common';
import { CredentialResolver, type Resolution } from '../../auth/credential-resolver.js';
import type { RequestOrigin } from '../../auth/request-origin.js';
import { canBeExternalApiKey } from './external-api-key.js';
import { credentialKindOf, hashSecret } from './key-format.js';
import { type KeyHolder, CredentialsRepository } from './credentials.repository.js';

const UNKNOWN: Resolution = { refusal: 'invalid_credential' };

/** Finds whom a key or a client secret belongs to. */
@Injectable()
export class KeyCredentialResolver extends CredentialResolver {
  constructor(private readonly repository: CredentialsRepository) {
    super();
  }

  async resolve(credential: string, origin: RequestOrigin): Promise<Resolution> {
    const kind = credentialKindOf(credential);
    if (kind === undefined) return this.resolveExternal(credential, origin);
    const hash = hashSecret(credential);
    if (kind === 'client_secret') {
      const client = await this.repository.clientHolder(hash);
      if (client === undefined) return UNKNOWN;
      const { id, organization_id: organizationId } = client;
      return { principal: { kind, origin, organizationId, credentialId: id, connectClientId: id } };
    }
    const holder = await this.repository.keyHolder(hash);
    return holder === undefined ? UNKNOWN : resolutionOf(holder, origin);
  }

  /** A secret that a partner brought stands for its key. What cannot be one is refused without a query. */
  private async resolveExternal(credential: string, origin: RequestOrigin): Promise<Resolution> {
    if (!canBeExternalApiKey(credential)) return UNKNOWN;
    const holder = await this.repository.externalKeyHolder(hashSecret(credential));
    return holder === undefined ? UNKNOWN : resolutionOf(holder, origin);
  }
}

function resolutionOf(holder: KeyHolder, origin: RequestOrigin): Resolution {
  if (holder.disabled) return { refusal: 'credential_disabled' };
  if (holder.expired) return { refusal: 'credential_expired' };
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
