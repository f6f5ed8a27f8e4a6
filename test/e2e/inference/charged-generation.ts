import type { GenerationEntity } from '../../../src/modules/generations/entities/generation.entity.js';
import { newGenerationId } from '../../../src/modules/inference/generation-id.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Issued } from '../../../src/modules/keys/keys.service.js';

/** A record of a request of a key, in the default workspace of its organization. @param fields besides those that do not matter */
export function chargedGeneration(
  { organizationId, userId, workspaceId }: NewOrganization,
  { id: keyId }: Issued,
  fields: Partial<GenerationEntity> = {},
): GenerationEntity {
  return {
    organizationId,
    id: newGenerationId(Date.now()),
    createdAt: new Date(),
    keyId,
    userId,
    workspaceId,
    status: 200,
    model: 'acme/writer',
    provider: 'alpha',
    isByok: false,
    costUsd: '0.000000000000000001',
    promptTokens: 1,
    completionTokens: 1,
    details: {
      requestId: 'request',
      requestedModel: 'acme/writer',
      apiType: 'completions',
      streamed: false,
      cancelled: false,
      dataRegion: 'global',
      attempts: [],
      filters: [],
    },
    ...fields,
  };
}
