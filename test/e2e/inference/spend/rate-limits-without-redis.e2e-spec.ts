import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import { DatabaseRates } from '../../../../src/modules/rates/database-rates.js';
import { newUuid } from '../../../../src/persistence/identifiers.js';
import { TestGateway } from '../test-gateway.js';
import { sharedGateway } from '../shared-gateway.js';

describe('limits per minute where there is no Redis', () => {
  const gateway = sharedGateway();

  const idsOf = async ({ organizationId }: NewOrganization): Promise<unknown[]> => {
    const rows = await gateway.app.rows('SELECT subject_id FROM rate_uses WHERE organization_id = $1', [
      organizationId,
    ]);
    return rows.map((row) => row['subject_id']);
  };

  it('keep no row of what does not count any more, and the others: 200', async () => {
    const organization = await gateway.app.factory.organization();
    const key = await gateway.app.factory.key(organization, { requestsPerMinute: 5 });
    expect((await gateway.ask(key)).status).toBe(200);
    const { organizationId } = organization;
    const insert = `INSERT INTO rate_uses VALUES ($1, 'key', $2, extract(epoch FROM now())::bigint - 100, '{}', '{}')`;
    await gateway.app.rows(insert, [organizationId, newUuid()]);
    await gateway.app.application.get(DatabaseRates).deleteOld();
    expect(await idsOf(organization)).toEqual([key.id]);
  });

  it('ask nothing of the database for keys without: 200', async () => {
    const organization = await gateway.app.factory.organization();
    expect((await gateway.ask(await gateway.app.factory.key(organization))).status).toBe(200);
    expect(await idsOf(organization)).toEqual([]);
  });
});

describe('limits per minute while Redis is gone', () => {
  it('are those of each process: 200, and 429 beyond them', async () => {
    const gateway = await TestGateway.start({ variables: { REDIS_URL: 'redis://127.0.0.1:1' } });
    gateway.reset();
    const key = await gateway.app.factory.key(await gateway.app.factory.organization(), {
      requestsPerMinute: 2,
      tokensPerMinute: 100,
    });
    const statuses: number[] = [];
    for (let request = 0; request < 3; request += 1) statuses.push((await gateway.ask(key)).status);
    const rows = await gateway.app.rows('SELECT FROM rate_uses');
    await gateway.stop();
    expect(statuses).toEqual([200, 200, 429]);
    expect(rows).toEqual([]);
  });
});
