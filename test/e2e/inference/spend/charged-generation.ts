import type { NewGeneration } from '../../../../src/modules/generations/generations.service.js';
import { newGenerationId } from '../../../../src/modules/inference/pipeline/request/generation-id.js';
import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { generationSample } from '../../../support/resources/generation-sample.js';

/**
 * Makes the partitions for records of a month and what they used, which the service makes only for the present and the next ones.
 *
 * @param month as YYYY-MM
 */
export async function keepRecordsOf(app: TestApplication, month: string): Promise<void> {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = new Date(first);
  next.setUTCMonth(first.getUTCMonth() + 1);
  const [from, to, name] = [first.toISOString(), next.toISOString(), month.replace('-', '_')];
  await app.rows(
    `CREATE TABLE IF NOT EXISTS generations_${name} PARTITION OF generations FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
  for (const period of ['minute', 'hour']) {
    await app.rows(`CREATE TABLE IF NOT EXISTS usage_${period}s_${name} PARTITION OF usage_totals
      FOR VALUES FROM ('${period}', '${from}') TO ('${period}', '${to}')`);
  }
}

/**
 * A record of a request of a key, in the default workspace of its organization.
 *
 * @param fields besides those that do not matter; the time is that of the second
 */
export function chargedGeneration(
  organization: NewOrganization,
  { id: keyId }: IssuedCredential,
  { createdAt = new Date(), ...fields }: Partial<NewGeneration> = {},
): NewGeneration {
  return generationSample(organization, newGenerationId(createdAt.getTime()), {
    keyId,
    costUsd: '0.000000000000000001',
    ...fields,
  });
}
