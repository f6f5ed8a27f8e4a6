import { administratorOf } from '../../support/resources/administrators.js';
import { RequestOrigin } from '../../../src/auth/principal.js';
import type { ListAuditEventsResponse } from '../../../src/modules/audit/dto/audit-event.dto.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import type { GatehouseRequest } from '../../../src/http/request.js';
import type { Actor } from '../../../src/modules/audit/audit-trail.js';
import { anEvent, recordEvents } from '../../support/resources/audit-chain.js';
import { inOwnerTransaction } from '../../support/database/privileged-connections.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { auditEventLists, PATH } from './audit-event-lists.js';

describe('listAuditEvents', () => {
  const { app, organization, list, found, record } = auditEventLists();

  it('answers 200 with an empty page for an organization without events', async () => {
    expect((await list()).body).toEqual({ data: [], total_count: 0 });
    expect((await list('?action=thing.change')).body).toEqual({ data: [], total_count: 0 });
  });

  it('stores no credential that a caller has sent as X-Request-Id of a 201', async () => {
    const { managementKey: key } = organization;
    const headers = { 'x-request-id': key };
    const { status } = await app.api.post('/guardrails', { key, json: { name: 'Recorded' }, headers });
    expect(status).toBe(201);

    expect((await list()).body.data).toMatchObject([
      { action: 'guardrail.create', request_id: 'mk-gate-v2-[redacted]' },
    ]);
    expect(JSON.stringify(await app.rows('SELECT * FROM audit_events'))).not.toContain(key);
  });

  it('answers 200 with actor, action, target, time, address, request id and changes of each event', async () => {
    const request = { requestId: 'req-1', clientAddress: '203.0.113.7' } as unknown as GatehouseRequest;
    const credentialId = newUuid();
    const { organizationId, userId } = organization;
    const caller: Actor = administratorOf(organizationId, userId, credentialId, new RequestOrigin(request));
    const changes = { limit_usd: { before: 50, after: 100 }, description: { before: 'old' }, name: { after: 'ü\n"' } };
    const event = { action: 'thing.change', targetId: 'one', changes };
    await recordEvents(app, organization.organizationId, [event], caller);
    await recordEvents(app, organization.organizationId, [anEvent({ action: 'thing.delete' })]);

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(UUID_V7) as string,
      sequence: 1,
      action: 'thing.change',
      actor: { kind: 'management_key', id: organization.userId, credential_id: credentialId },
      target: { type: 'thing', id: 'one' },
      changes,
      request_id: 'req-1',
      address: '203.0.113.7',
      created_at: expect.stringMatching(TIMESTAMP) as string,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(body.data[1]).toMatchObject({
      sequence: 2,
      actor: { kind: 'command_line', id: null, credential_id: null },
      changes: null,
      request_id: null,
      address: null,
    });
    expect(body.total_count).toBe(2);
  });

  it('answers 200 with the hashes of the chain links', async () => {
    await record('one', 'two');

    const { body } = await list();

    const rows = await app.rows<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM audit_links WHERE organization_id = $1 ORDER BY sequence`,
      [organization.organizationId],
    );
    expect(body.data.map(({ hash }) => hash)).toEqual(rows.map(({ hash }) => hash));
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
  });

  it('answers 200 with the field names of the public dialect, and the same hashes in both', async () => {
    const { managementKey: key } = organization;
    const { api } = await app.replica({ API_DIALECT: 'public' });
    const made = await api.post<{ data: { id: string } }>('/guardrails', {
      key,
      json: { name: 'Zero', enforce_zdr_anthropic: true, limit_usd: 5, reset_interval: 'daily' },
    });
    const path = `/guardrails/${made.body.data.id}`;
    expect((await api.patch(path, { key, json: { enforce_zdr_openai: false } })).status).toBe(200);
    expect((await app.api.delete(path, { key })).status).toBe(200);

    const [stored, shown] = [await list(), await api.get<ListAuditEventsResponse>(PATH, { key })];

    const names = [
      ['vendor_a', 'anthropic'],
      ['vendor_b', 'openai'],
    ] as const;
    expect(stored.body.data.map(({ changes }) => changes)).toMatchObject([
      { enforce_zdr_vendor_a: { after: true }, limit_usd: { after: 5 } },
      { enforce_zdr_vendor_b: { before: null, after: false } },
      null,
    ]);
    const renamed = names.reduce((text, [vendor, name]) => text.replaceAll(`_${vendor}"`, `_${name}"`), stored.text);
    expect(shown.body).toEqual(JSON.parse(renamed));
  });

  it('answers 200 with the id of a Connect client as actor, and null for an anonymous caller', async () => {
    const { organizationId } = organization;
    const client = {
      kind: 'client_secret',
      origin: null,
      organizationId,
      connectClientId: 'client',
      credentialId: newUuid(),
    };
    await recordEvents(app, organizationId, [anEvent()], client as Actor);
    await recordEvents(app, organizationId, [anEvent()], { kind: 'anonymous', origin: null });

    const { data } = (await list()).body;

    expect(data.map(({ actor }) => actor)).toEqual([
      { kind: 'client_secret', id: 'client', credential_id: client.credentialId },
      { kind: 'anonymous', id: null, credential_id: null },
    ]);
    expect(await found('?actor=client')).toEqual(['one']);
    expect(await found('?actor=anonymous')).toEqual(['one']);
    expect(await found('?actor=command_line')).toEqual([]);
  });

  it('answers 200 without events for an actor or target of another organization, as for one that does not exist', async () => {
    const other = await app.factory.unrecordedOrganization();
    await recordEvents(app, other.organizationId, [anEvent()]);

    for (const query of ['', '?target=one', '?actor=command_line', '?since=2026-01-01T00:00:00Z']) {
      expect((await list(query)).body).toEqual({ data: [], total_count: 0 });
    }
  });

  it('answers 200 with the events of deleted objects, also of a deleted organization', async () => {
    await record('gone');
    await app.rows('DELETE FROM workspaces WHERE organization_id = $1', [organization.organizationId]);
    expect(await found('')).toEqual(['gone']);

    await app.rows('DELETE FROM organizations WHERE id = $1', [organization.organizationId]);
    const kept = await app.rows('SELECT 1 FROM audit_events WHERE organization_id = $1', [organization.organizationId]);
    expect(kept).toHaveLength(1);
  });

  it('reads total and page of a long trail from the sequence, without counting rows', async () => {
    await record('1', '2', '3');
    const { organizationId } = organization;
    const plans = await inOwnerTransaction(app, async (runner): Promise<{ 'QUERY PLAN': string }[]> => {
      // A table that is as small as this one is read whole otherwise.
      await runner.query('SET LOCAL enable_seqscan = off');
      return (await runner.query(
        `EXPLAIN SELECT count(*) FROM audit_links WHERE organization_id = '${organizationId}' AND action = 'thing.change'`,
      )) as { 'QUERY PLAN': string }[];
    });
    expect(plans.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index/);
    // The head alone says how many there are.
    await app.rows('UPDATE audit_heads SET sequence = 1000000 WHERE organization_id = $1', [organizationId]);
    expect((await list('?limit=1')).body.total_count).toBe(1_000_000);
  });
});
