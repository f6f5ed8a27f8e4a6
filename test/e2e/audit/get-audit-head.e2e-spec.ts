import type { ListAuditEventsResponse } from '../../../src/modules/audit/dto/audit-event.dto.js';
import type { GetAuditHeadResponse } from '../../../src/modules/audit/dto/audit-head.dto.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('getAuditHead', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const head = async (): Promise<GetAuditHeadResponse['data']> => {
    const { status, body } = await app.api.get<GetAuditHeadResponse>('/audit-events/head', {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    return body.data;
  };

  it('answers 200 with the last event of the chain, and moves on with the next one (201)', async () => {
    const { managementKey: key } = organization;
    const before = await head();
    expect((await app.api.post('/guardrails', { key, json: { name: 'One more' } })).status).toBe(201);
    const after = await head();
    const list = await app.api.get<ListAuditEventsResponse>('/audit-events?limit=100', { key });
    const last = list.body.data.at(-1)!;

    expect(after).toEqual({ sequence: last.sequence, hash: last.hash, recorded_at: last.created_at });
    expect(last.action).toBe('guardrail.create');
    expect(list.body.data.find(({ sequence }) => sequence === before.sequence)!.hash).toBe(before.hash);
    expect(after.sequence).toBe(before.sequence + 1);
  });
});
