import type { GenerationEntity } from '../../../src/modules/generations/entities/generation.entity.js';
import { timeOfGeneration } from '../../../src/modules/generations/generation-time.js';
import { newGenerationId } from '../../../src/modules/inference/generation-id.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Issued } from '../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../support/application/test-application.js';

/**
 * Makes the partition for records of a month, which the service makes only for the present and the next ones.
 *
 * @param month as YYYY-MM
 */
export async function keepRecordsOf(app: TestApplication, month: string): Promise<void> {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = new Date(first);
  next.setUTCMonth(first.getUTCMonth() + 1);
  await app.rows(`CREATE TABLE generations_${month.replace('-', '_')} PARTITION OF generations
    FOR VALUES FROM ('${first.toISOString()}') TO ('${next.toISOString()}')`);
}

/**
 * A record of a request of a key, in the default workspace of its organization.
 *
 * @param fields besides those that do not matter; the time is that of the second
 */
export function chargedGeneration(
  { organizationId, userId, workspaceId }: NewOrganization,
  { id: keyId }: Issued,
  { createdAt = new Date(), ...fields }: Partial<GenerationEntity> = {},
): GenerationEntity {
  const id = newGenerationId(createdAt.getTime());
  return {
    organizationId,
    id,
    createdAt: timeOfGeneration(id)!,
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
