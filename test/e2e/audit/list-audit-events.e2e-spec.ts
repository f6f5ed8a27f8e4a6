import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { RequestOrigin } from '../../../src/auth/principal.js';
import { Statements } from '../../../src/persistence/statements.js';
import { grantServiceRole } from '../../../src/persistence/migrate.js';
import { BoundedAuditChanges1795302000000 } from '../../../src/persistence/migrations/1795302000000-bounded-audit-changes.js';
import { OrganizationFirst1795401600000 } from '../../../src/persistence/migrations/1795401600000-organization-first.js';
import { ProviderKeys1795575000000 } from '../../../src/persistence/migrations/1795575000000-provider-keys.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import type { GatehouseRequest } from '../../../src/api/request.js';
import { type Actor, AuditTrail, COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { AuditVerificationService, type ChainReport } from '../../../src/modules/audit/audit-verification.service.js';
import type { AuditedChange, AuditedChanges } from '../../../src/modules/audit/audited-event.js';
import type { AuditEvent, ListAuditEventsResponse } from '../../../src/modules/audit/dto/audit-event.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { anEvent, recordEvents } from '../../support/resources/audit-chain.js';
import { inOwnerTransaction, runWithoutTriggers } from '../../support/database/privileged-connections.js';
import { INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';

const PATH = '/audit-events';

describe('listAuditEvents', () => {
  const app = sharedApplication();
  const organization = filledBefore(beforeEach, () => app.factory.unrecordedOrganization());

  const list = (query = ''): Promise<Answer<ListAuditEventsResponse>> =>
    app.api.get(`${PATH}${query}`, { key: organization.managementKey });

  /** The targets of what a query finds. */
  const found = async (query: string): Promise<string[]> => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body.total_count).toBe(body.data.length);
    return body.data.map(({ target }) => target.id);
  };

  const record = (...ids: readonly string[]): Promise<void> =>
    recordEvents(
      app,
      organization.organizationId,
      ids.map((id) => anEvent({ target: { type: 'thing', id } })),
    );

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
    const caller: Actor = {
      kind: 'management_key',
      origin: new RequestOrigin(request),
      organizationId: organization.organizationId,
      userId: organization.userId,
      credentialId,
    };
    const changes = { limit_usd: { before: 50, after: 100 }, description: { before: 'old' }, name: { after: 'ü\n"' } };
    const event = { action: 'thing.change', target: { type: 'thing', id: 'one' }, changes };
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

  describe('with large changes', () => {
    const changesOf = async (changes: AuditedChanges): Promise<AuditedChanges | null> => {
      await recordEvents(app, organization.organizationId, [anEvent({ changes })]);
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(body.data).toHaveLength(1);
      return body.data[0]!.changes;
    };
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

    it('answers 200 with a digest of each value of more than 16 KiB, and with all other values', async () => {
      const before = 'ü'.repeat(8_192);
      const users = Array.from({ length: 1_000 }, (_, index) => `user_${index}_of_a_thousand`);
      const listed = `[${users.map((user) => JSON.stringify(user)).join(', ')}]`;
      const kept = 'x'.repeat(16_382);

      expect(
        await changesOf({ name: { before, after: 'short' }, user_ids: { after: users }, note: { after: kept } }),
      ).toEqual({
        name: { before_digest: { sha256: sha256(JSON.stringify(before)), bytes: 16_386 }, after: 'short' },
        user_ids: { after_digest: { sha256: sha256(listed), bytes: listed.length, items: 1_000 } },
        note: { after: kept },
      });
    });

    it('answers 200 with digests of smaller values when all values together are larger than 64 KiB', async () => {
      const field = (length: number): AuditedChange => ({ after: 'x'.repeat(length) });
      const fields = (length: number): [string, AuditedChange][] =>
        Array.from({ length: 10 }, (_, index) => [`of_${length}_${index}`, field(length)]);

      const changes = await changesOf(Object.fromEntries([...fields(10_000), ...fields(1_000)]));

      expect(Object.keys(changes!)).toHaveLength(20);
      for (const [name, change] of Object.entries(changes!)) {
        expect(change).toEqual(
          name.startsWith('of_1000_') ? field(1_000) : { after_digest: expect.any(Object) as unknown },
        );
      }
    });

    it('answers 200 with one digest for all fields when the field names alone are larger than 64 KiB', async () => {
      const changes = Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, { after: index }]),
      );
      expect(await changesOf(changes)).toEqual({
        '*': { after_digest: { sha256: expect.any(String) as string, bytes: expect.any(Number) as number } },
      });
    });

    it('answers 200 for the largest possible page, within its size limit', async () => {
      const changes = Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [`field_${index}`, { after: '\u0001'.repeat(2_100) }]),
      );
      await recordEvents(
        app,
        organization.organizationId,
        Array.from({ length: 100 }, () => anEvent({ changes })),
      );

      const { status, body } = await list('?limit=100');

      expect([status, body.data.length]).toEqual([200, 100]);
      for (const event of body.data) {
        expect(event.changes).toEqual(changes);
        expect(Buffer.byteLength(JSON.stringify(event.changes))).toBeLessThanOrEqual(65_536);
      }
    });

    it('answers 200 for events stored before there was a size limit, and their chain still verifies', async () => {
      const { organizationId } = organization;
      await inOwnerTransaction(app, async (runner) => {
        // Back to the release in question, and forward again.
        await new ProviderKeys1795575000000().down(runner);
        await new OrganizationFirst1795401600000().down(runner);
        await new BoundedAuditChanges1795302000000().down(runner);
        await runner.query(
          `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, changes, created_at)
         SELECT gen_random_uuid(), $1, 'command_line', 'thing.change', 'thing', n::text,
           jsonb_build_object('name', jsonb_build_object('after', repeat('x', n))), now()
         FROM unnest(ARRAY[65000, 1000000]) AS n`,
          [organizationId],
        );
        await runner.query('SET CONSTRAINTS ALL IMMEDIATE');
        await new BoundedAuditChanges1795302000000().up(runner);
        await new OrganizationFirst1795401600000().up(runner);
        await new ProviderKeys1795575000000().up(runner);
      });
      // As the first start of this release does.
      await grantServiceRole(app.database.url, app.database.serviceUrl);
      const text = `{"name": {"after": "${'x'.repeat(1_000_000)}"}}`;
      const verify = (): Promise<ChainReport> => app.application.get(AuditVerificationService).verify(organizationId);

      for (const query of ['', '?action=thing.change']) {
        const { status, body } = await list(query);
        expect(status).toBe(200);
        expect(body.data.map(({ changes }) => changes)).toEqual([
          { name: { after: 'x'.repeat(65_000) } },
          { '*': { after_digest: { sha256: sha256(text), bytes: text.length } } },
        ]);
      }
      expect(await verify()).toMatchObject({ events: '2', issues: [] });
      await runWithoutTriggers(app, 'UPDATE audit_large_changes SET bytes = bytes + 1');
      expect(await verify()).toMatchObject({ issues: [{ kind: 'changed_copy', sequence: '2' }] });
    });
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

  describe('pagination', () => {
    it('answers 200 with the matching slice of the list for every offset and limit, with and without a filter', async () => {
      await record('1', '2', '3', '4', '5');
      await recordEvents(app, organization.organizationId, [anEvent({ action: 'other.change' })]);
      const key = organization.managementKey;
      const everything = (await list()).body.data;

      await expectEveryPage(app, { path: PATH, key }, everything);
      const filtered = everything.filter(({ action }) => action === 'thing.change');
      expect(filtered).toHaveLength(5);
      await expectEveryPage(app, { path: `${PATH}?action=thing.change`, key }, filtered);
    });

    it.each(['', '?action=thing.change', '?since=2026-01-01T00:00:00Z'])(
      'skips and repeats no event while events are being added (%s)',
      async (query) => {
        await record('1', '2', '3');
        let added = 3;
        const pages = await walkPages<AuditEvent>(app, {
          path: `${PATH}${query}`,
          key: organization.managementKey,
          limit: 2,
          betweenPages: async () => {
            if (added < 6) await record(String((added += 1)));
          },
        });

        expect(pages.flatMap(({ data }) => data.map(({ target }) => target.id))).toEqual([
          '1',
          '2',
          '3',
          '4',
          '5',
          '6',
        ]);
      },
    );

    it('answers 200 in the order of commits, also when an event began earlier', async () => {
      const statements = new Statements(app.application.get(DataSource));
      const trail = app.application.get(AuditTrail);
      await statements.transaction(async (tx) => {
        await trail.record(
          tx,
          organization.organizationId,
          COMMAND_LINE,
          anEvent({ target: { type: 'x', id: 'slow' } }),
        );
        await record('fast');
      });

      expect(await found('')).toEqual(['fast', 'slow']);
      expect(await found('?actor=command_line')).toEqual(['fast', 'slow']);
    });

    it('answers 200 with an empty page for an offset larger than any integer type', async () => {
      await record('1');
      const { body } = await list(`?offset=${'9'.repeat(30)}`);
      expect(body).toEqual({ data: [], total_count: 1 });
    });
  });

  describe('filters', () => {
    it('answer 200 with the matching events, alone and combined', async () => {
      const { organizationId } = organization;
      const user: Actor = {
        kind: 'api_key',
        origin: null,
        organizationId,
        userId: 'user_somebody',
        credentialId: newUuid(),
        workspaceId: null,
      };
      await recordEvents(app, organizationId, [
        anEvent({ action: 'a.create', target: { type: 'a', id: 'a1' } }),
        anEvent({ action: 'a.delete', target: { type: 'a', id: 'a1' } }),
        anEvent({ action: 'a.create', target: { type: 'a', id: 'a2' } }),
      ]);
      await recordEvents(app, organizationId, [anEvent({ action: 'a.create', target: { type: 'a', id: 'a3' } })], user);

      expect(await found('?action=a.create')).toEqual(['a1', 'a2', 'a3']);
      expect(await found('?target=a1')).toEqual(['a1', 'a1']);
      expect(await found('?actor=user_somebody')).toEqual(['a3']);
      expect(await found('?actor=command_line')).toEqual(['a1', 'a1', 'a2']);
      expect(await found('?action=a.create&target=a1')).toEqual(['a1']);
      expect(await found('?actor=command_line&action=a.create&target=a2')).toEqual(['a2']);
      expect(await found('?actor=user_somebody&action=a.delete')).toEqual([]);
      expect(await found('?action=a.unknown')).toEqual([]);
      expect(await found('?target=A1')).toEqual([]);
      expect(await found('?target=a1%25')).toEqual([]);
    });

    it('since and until answer 200 with events from since on and before until', async () => {
      await record('1');
      await new Promise((resolve) => setTimeout(resolve, 5));
      await record('2');
      await new Promise((resolve) => setTimeout(resolve, 5));
      await record('3');
      const [, second] = (await list()).body.data;
      const moment = second!.created_at;
      const elsewhere = encodeURIComponent(
        `${new Date(Date.parse(moment) + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`,
      );

      expect(await found(`?since=${moment}`)).toEqual(['2', '3']);
      expect(await found(`?since=${elsewhere}`)).toEqual(['2', '3']);
      expect(await found(`?until=${moment}`)).toEqual(['1']);
      expect(await found(`?since=${moment}&until=${moment}`)).toEqual([]);
      expect(await found(`?since=${moment}&target=3`)).toEqual(['3']);
      expect(await found('?since=2026-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toEqual(['1', '2', '3']);
      expect(await found('?until=0001-01-01T00:00:00Z')).toEqual([]);
    });

    it.each([
      ['since=yesterday', ['since']],
      ['since=2026-01-01', ['since']],
      ['since=0000-01-01T00:00:00%2B00:01', ['since']],
      ['until=9999-12-31T23:59:59-23:59', ['until']],
      ['since=', ['since']],
      ['since=2026-02-30T00:00:00Z', ['since']],
      ['until=1700000000', ['until']],
      ['since=2026-01-01T00:00:00Z&since=2026-01-01T00:00:00Z', ['since']],
      ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', ['until']],
      ['action=', ['action']],
      ['action=create', ['action']],
      ['action=guardrail.%25', ['action']],
      [`action=${'a'.repeat(60)}.${'b'.repeat(60)}`, ['action']],
      ['actor=', ['actor']],
      [`actor=${'x'.repeat(201)}`, ['actor']],
      ['target=', ['target']],
      ['target=%00', ['target']],
      ['target_type=guardrail', ['target_type']],
      ['actor=&action=x&since=x&limit=0', ['action', 'actor', 'limit', 'since']],
      ...INVALID_PAGE_QUERIES,
    ] as (readonly [string, readonly string[]])[])('answer 400 for ?%s', async (query, paths) => {
      const { userId } = organization;
      expectRefusal(await list(`?${query}`), { status: 400, reason: 'invalid_parameters', paths, userId });
    });
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
