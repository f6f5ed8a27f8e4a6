import type { PrivateProviderEntity } from '../../catalog/entities/private-provider.entity.js';
import type { PrivateProvider } from '../dto/private-provider.dto.js';
import { PRIVATE_PROVIDERS } from './private-providers.repository.js';

/** A provider as the interface shows it, which names it by its slug. */
export function toPrivateProviderResponse(provider: PrivateProviderEntity): PrivateProvider {
  const { id: _id, ...fields } = PRIVATE_PROVIDERS.shown(provider);
  return { ...fields, created_at: provider.createdAt.toISOString() };
}
