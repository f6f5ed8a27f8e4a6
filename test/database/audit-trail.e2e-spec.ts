import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/persistence/migrate.js';
import { Statements } from '../../src/persistence/statements.js';
import { auditedStatement, auditEventOf, AuditTrail, COMMAND_LINE } from '../../src/modules/audit/audit-trail.js';
import { AuditVerificationService, type ChainReport } from '../../src/modules/audit/audit-verification.service.js';
import { created, updated } from '../../src/modules/audit/audited-event.js';
import { anEvent, recordEvents } from '../support/resources/audit-chain.js';
import { createEmptyDatabase, runOnServer, queryRows } from '../support/database/test-database.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';

const TABLES = ['audit_events', 'audit_links'] as const;

const RENAME = auditedStatement<never, [workspaceId: string, name: string | null]>(
  'test_rename',
  'UPDATE workspaces SET name = $2 WHERE id = $1',
  2,
);

describe('the audit trail', () => {
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: '10' } });
  const organization = filledBefore(beforeEach, () => app.factory.unrecordedOrganization());
  let statements: Statements;
  let trail: AuditTrail;
  let organizationId: string;

  beforeAll(() => {
    statements = new Statements(app.application.get(DataSource));
    trail = app.application.get(AuditTrail);
  });

  beforeEach(() => {
    ({ organizationId } = organization);
  });

  const record = (count = 1): Promise<void> =>
    recordEvents(
      app,
      organizationId,
      Array.from({ length: count }, () => anEvent()),
    );

  const sequences = async (id = organizationId): Promise<number[]> => {
    const rows = await app.rows<{ sequence: string }>(
      'SELECT sequence FROM audit_links WHERE organization_id = $1 ORDER BY sequence',
      [id],
    );
    return rows.map(({ sequence }) => Number(sequence));
  };

  const events = (): Promise<Record<string, unknown>[]> =>
    app.rows('SELECT * FROM audit_events WHERE organization_id = $1', [organizationId]);

  const verify = (id = organizationId): Promise<ChainReport> =>
    app.application.get(AuditVerificationService).verify(id);

  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  describe('is append-only', () => {
    beforeEach(() => record(2));

    it.each(
      TABLES.flatMap((table) => [
        `UPDATE ${table} SET organization_id = 'org_other'`,
        `UPDATE ${table} SET organization_id = organization_id WHERE false`,
        `DELETE FROM ${table}`,
        `DELETE FROM ${table} WHERE false`,
        `TRUNCATE ${table}`,
        `TRUNCATE ${table} CASCADE`,
        `MERGE INTO ${table} t USING (VALUES (1)) AS v ON true WHEN MATCHED THEN DELETE`,
      ]),
    )("and rejects a superuser's %s", async (statement) => {
      await expect(app.rows(statement)).rejects.toThrow('what the audit trail holds is never changed or removed');
      expect(await sequences()).toEqual([1, 2]);
    });

    it.each(['DELETE FROM audit_heads', 'TRUNCATE audit_heads'])("and rejects a superuser's %s", async (statement) => {
      await expect(app.rows(statement)).rejects.toThrow('never changed or removed');
      expect(await verify()).toMatchObject({ events: '2', issues: [] });
    });

    it('and rejects changes by the owner of the tables', async () => {
      const database = await createEmptyDatabase();
      const role = `gatehouse_owner_${randomBytes(8).toString('hex')}`;
      const asOwner = `${database.url}?options=${encodeURIComponent(`-c role=${role}`)}`;
      await runOnServer(database.url, `CREATE ROLE ${role}`);
      await runOnServer(database.url, `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${role}`);
      try {
        await migrate(asOwner);
        await queryRows(
          asOwner,
          `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
           VALUES (gen_random_uuid(), 'org_1', 'command_line', 'thing.change', 'thing', 'one', now())`,
        );
        const owners = await queryRows(asOwner, `SELECT tableowner FROM pg_tables WHERE tablename = 'audit_links'`);
        expect(owners).toEqual([{ tableowner: role }]);
        for (const table of TABLES) {
          for (const statement of [
            `UPDATE ${table} SET organization_id = 'x'`,
            `DELETE FROM ${table}`,
            `TRUNCATE ${table}`,
          ]) {
            await expect(queryRows(asOwner, statement)).rejects.toThrow(`permission denied for table ${table}`);
          }
        }
        expect(await queryRows(asOwner, 'SELECT sequence, action FROM audit_links')).toEqual([
          { sequence: '1', action: 'thing.change' },
        ]);
      } finally {
        await database.drop();
        await runOnServer(process.env['GATEHOUSE_TEST_SERVER_URL']!, `DROP ROLE ${role}`);
      }
    });
  });

  describe('is written in the transaction of the change', () => {
    it('and committed with it', async () => {
      await statements.transaction(async (tx) => {
        await trail.record(tx, organizationId, COMMAND_LINE, anEvent());
        await trail.record(tx, organizationId, COMMAND_LINE, anEvent());
      });
      expect(await sequences()).toEqual([1, 2]);
      expect(await verify()).toMatchObject({ events: '2', issues: [] });
    });

    it('and rolled back with it, without a gap', async () => {
      await record();
      const attempt = statements.transaction(async (tx) => {
        await trail.record(tx, organizationId, COMMAND_LINE, anEvent());
        throw new Error('on second thoughts');
      });
      await expect(attempt).rejects.toThrow('on second thoughts');
      await record();

      expect(await events()).toHaveLength(2);
      expect(await sequences()).toEqual([1, 2]);
    });

    it('in one statement with the change, or not at all when nothing changes', async () => {
      const event = (): ReturnType<typeof auditEventOf> =>
        auditEventOf(organizationId, COMMAND_LINE, anEvent({ changes: { name: { after: ['a', 1] } } }));
      const { workspaceId } = organization;

      expect(await statements.write(RENAME, RENAME.values([workspaceId, 'New name'], event()))).toBe(1);
      expect(
        await statements.write(RENAME, RENAME.values(['019aa3f0-5b1e-7c40-9d0e-000000000000', 'x'], event())),
      ).toBe(0);
      // The name must not be null.
      await expect(statements.write(RENAME, RENAME.values([workspaceId, null], event()))).rejects.toThrow('name');

      expect(await app.rows('SELECT name FROM workspaces WHERE id = $1', [workspaceId])).toEqual([
        { name: 'New name' },
      ]);
      expect(await events()).toEqual([expect.objectContaining({ changes: { name: { after: ['a', 1] } } })]);
      expect(await verify()).toMatchObject({ events: '1', issues: [] });
    });
  });

  describe('is a hash chain', () => {
    it('without gaps, when several write at the same time', async () => {
      const other = await app.factory.unrecordedOrganization();
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          statements
            .transaction(async (tx) => {
              await trail.record(tx, organizationId, COMMAND_LINE, anEvent({ targetId: String(index) }));
              if (index % 4 === 0) await trail.record(tx, other.organizationId, COMMAND_LINE, anEvent());
              if (index % 10 === 9) throw new Error('on second thoughts');
            })
            .catch((error: Error) => expect(error.message).toBe('on second thoughts')),
        ),
      );

      expect(await sequences()).toEqual(upTo(36));
      expect(await sequences(other.organizationId)).toEqual(upTo(10));
      expect(await verify()).toMatchObject({ events: '36', issues: [] });
      expect(await verify(other.organizationId)).toMatchObject({ events: '10', issues: [] });
    });

    it('that verifies whatever the values of its events are', async () => {
      await recordEvents(app, organizationId, [
        anEvent({ changes: { 'ünïcode "quoted"': { before: '🔑\n\\', after: null } } }),
        anEvent({
          changes: { number: { before: 0.1, after: 1e21 }, nested: { after: { b: [1, { a: null }], a: '' } } },
        }),
        anEvent({ targetId: '', changes: {} }),
      ]);
      expect(await verify()).toMatchObject({ events: '3', issues: [] });
    });

    it('whose hashes depend on every value', async () => {
      const columns = await app.rows<{ column_name: string }>(
        `SELECT column_name FROM information_schema.columns WHERE table_name = 'audit_events'`,
      );
      const [definition] = await app.rows<{ source: string }>(
        `SELECT prosrc AS source FROM pg_proc WHERE proname = 'audit_event_hash'`,
      );
      for (const { column_name: column } of columns) expect(definition!.source).toContain(`event.${column}`);
    });

    it('that continues after more events than one read returns', async () => {
      await app.rows(
        `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
         SELECT gen_random_uuid(), $1, 'command_line', 'thing.change', 'thing', n::text, now() + n * interval '1 ms'
         FROM generate_series(1, 2500) n`,
        [organizationId],
      );
      expect(await verify()).toMatchObject({ events: '2500', issues: [], omittedIssues: 0 });
    });
  });
});

describe('the changes of an event', () => {
  it('of a creation are the fields that are set', () => {
    expect(created({ name: 'x', empty: '', zero: 0, no: false, none: null, absent: undefined, list: [] })).toEqual({
      name: { after: 'x' },
      empty: { after: '' },
      zero: { after: 0 },
      no: { after: false },
      list: { after: [] },
    });
  });

  it('of an update are the fields that differ', () => {
    const before = { name: 'x', list: ['a', 'b'], limit: 5, gone: 'y', same: null };
    expect(updated(before, { name: 'x', list: ['b', 'a'], limit: 6, gone: null, same: null, fresh: 1 })).toEqual({
      list: { before: ['a', 'b'], after: ['b', 'a'] },
      limit: { before: 5, after: 6 },
      gone: { before: 'y', after: null },
      fresh: { before: undefined, after: 1 },
    });
    expect(updated(before, { ...before, list: ['a', 'b'] })).toEqual({});
  });
});
