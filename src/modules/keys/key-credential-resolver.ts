import { Injectable } from '@nestjs/common';
import { CredentialResolver, type Resolution } from '../../auth/credential-resolver.js';
import { credentialKindOf, hashSecret } from './key-format.js';
import { type KeyHolder, KeysRepository } from './keys.repository.js';

const UNKNOWN: Resolution = { refusal: 'invalid_credential' };

/** Finds whom a key or a client secret belongs to. */
@Injectable()
export class KeyCredentialResolver extends CredentialResolver {
  constructor(private readonly repository: KeysRepository) {
    super();
  }

  async resolve(credential: string): Promise<Resolution> {
    const kind = credentialKindOf(credential);
    if (kind === undefined) return UNKNOWN;
    const hash = hashSecret(credential);
    if (kind === 'client_secret') {
      const client = await this.repository.clientHolder(hash);
      if (client === undefined) return UNKNOWN;
      const { id, organization_id: organizationId } = client;
      return { principal: { kind, organizationId, credentialId: id, connectClientId: id } };
    }
    const holder = await this.repository.keyHolder(hash);
    return holder === undefined ? UNKNOWN : resolutionOf(holder);
  }
}

function resolutionOf(holder: KeyHolder): Resolution {
  if (holder.disabled) return { refusal: 'credential_disabled' };
  if (holder.expired) return { refusal: 'credential_expired' };
  const identity = {
    organizationId: holder.organization_id,
    credentialId: holder.id,
    userId: holder.user_id,
  };
  return holder.kind === 'management_key'
    ? { principal: { kind: 'management_key', ...identity } }
    : { principal: { kind: 'api_key', ...identity, workspaceId: holder.workspace_id } };
}
