import { timeOfGeneration } from '../../../src/modules/generations/generation-time.js';
import type { NewGeneration } from '../../../src/modules/generations/generations.service.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { newUuid } from '../../../src/persistence/identifiers.js';

/** A record of an organization, of a request that cost nothing and was sent to no provider. @param fields over and above these */
export function generationSample(
  { organizationId, userId, workspaceId }: NewOrganization,
  id: string,
  fields: Partial<NewGeneration> = {},
): NewGeneration {
  return {
    organizationId,
    id,
    createdAt: timeOfGeneration(id)!,
    keyId: newUuid(),
    userId,
    workspaceId,
    status: 200,
    model: 'acme/model',
    provider: null,
    isByok: false,
    costUsd: '0',
    promptTokens: null,
    completionTokens: null,
    details: {
      requestId: 'request',
      requestedModel: 'acme/model',
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
