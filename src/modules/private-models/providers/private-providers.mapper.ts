import { entityTagOf } from '../../../http/entity-tags.js';
import type { PrivateProviderEntity } from '../../catalog/index.js';
import type { PrivateProvider } from '../dto/private-provider.dto.js';

/** A provider as the interface shows it. */
export function toPrivateProviderResponse(provider: PrivateProviderEntity): PrivateProvider {
  return { ...toAuditedProvider(provider), created_at: provider.createdAt.toISOString() };
}

/** The fields of a provider that the audit trail records, by their names in the interface. */
export function toAuditedProvider({
  slug,
  name,
  displayName,
  baseUrl,
}: Omit<PrivateProviderEntity, 'createdAt' | 'updatedAt'>): Omit<PrivateProvider, 'created_at'> {
  return { slug, name, display_name: displayName, base_url: baseUrl };
}

/** The entity tag of a provider (docs/interface/conventions.md#conditional-requests). */
export function tagOfPrivateProvider(provider: PrivateProviderEntity): string {
  return entityTagOf(provider.id, toAuditedProvider(provider));
}
