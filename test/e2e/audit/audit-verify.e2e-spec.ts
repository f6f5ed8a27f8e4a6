import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AuditVerificationService, type ChainReport } from '../../../src/modules/audit/audit-verification.service.js';
import { anEvent, recordEvents } from '../../support/audited-events.js';
import { rowsIn } from '../../support/database-rows.js';
import { DEFAULT_LIMITS } from '../../support/generous-limits.js';
import { type Ending, GatehouseProcess } from '../../support/gatehouse-process.js';
import { tamper } from '../../support/tampering.js';
import { TestApplication } from '../../support/test-application.js';
import { createTestDatabase } from '../../support/test-server.js';

// Starting processes takes its time where many of them do so at once.

const EVENTS = 6;

/** What a superuser does, and what is said of it. $1 is the organization. */
const TAMPERINGS: readonly (readonly [name: string, statement: string, kinds: readonly string[]])[] = [
  [
    'an event is changed',
    `UPDATE audit_events SET changes = '{"limit_usd": {"after": 1}}' WHERE organization_id = $1 AND target_id = '3'`,
    ['changed 3'],
  ],
  [
    'the time of an event is changed',
    `UPDATE audit_events SET created_at = created_at - interval '1 ms' WHERE organization_id = $1 AND target_id = '3'`,
    ['changed 3'],
  ],
  [
    'the address of an event is forgotten',
    `UPDATE audit_events SET address = '' WHERE organization_id = $1 AND target_id = '3'`,
    ['changed 3'],
  ],
  [
    'an event is removed',
    `DELETE FROM audit_events WHERE organization_id = $1 AND target_id = '3'`,
    ['missing_event 3'],
  ],
  [
    'an event is given to another organization',
    `UPDATE audit_events SET organization_id = 'org_elsewhere' WHERE organization_id = $1 AND target_id = '3'`,
    ['changed 3'],
  ],
  [
    'a hash is changed',
    `UPDATE audit_links SET hash = sha256(hash) WHERE organization_id = $1 AND sequence = 3`,
    ['changed 3', 'changed 4'],
  ],
  [
    'a hash is made empty',
    `UPDATE audit_links SET hash = '' WHERE organization_id = $1 AND sequence = 3`,
    ['changed 3', 'changed 4'],
  ],
  [
    'two events change places',
    `ALTER TABLE audit_links DROP CONSTRAINT uq_audit_links_event;
     UPDATE audit_links l SET event_id = other.event_id FROM audit_links other
     WHERE l.organization_id = $1 AND other.organization_id = $1 AND (l.sequence, other.sequence) IN ((3, 5), (5, 3))`,
    ['changed 3', 'changed 5'],
  ],
  [
    'a link is removed',
    'DELETE FROM audit_links WHERE organization_id = $1 AND sequence = 3',
    ['gap 4', 'unlinked_event undefined'],
  ],
  [
    'a link and its event are removed',
    `WITH gone AS (DELETE FROM audit_links WHERE organization_id = $1 AND sequence = 3 RETURNING event_id)
     DELETE FROM audit_events WHERE id IN (SELECT event_id FROM gone)`,
    ['gap 4'],
  ],
  [
    'a link and its event are removed, and the others move up',
    `DELETE FROM audit_links WHERE organization_id = $1 AND sequence = 3;
     DELETE FROM audit_events WHERE organization_id = $1 AND target_id = '3';
     UPDATE audit_links SET sequence = -sequence WHERE organization_id = $1 AND sequence > 3;
     UPDATE audit_links SET sequence = -sequence - 1 WHERE organization_id = $1 AND sequence < 0;
     UPDATE audit_heads SET sequence = 5 WHERE organization_id = $1`,
    ['changed 3', 'changed 4', 'changed 5'],
  ],
  [
    'a link is put before the beginning',
    `INSERT INTO audit_links SELECT organization_id, 0, gen_random_uuid(), hash, actor, action, target_id, created_at
     FROM audit_links WHERE organization_id = $1 AND sequence = 1`,
    ['gap 0', 'changed 1'],
  ],
  [
    'the beginning is removed',
    'DELETE FROM audit_links WHERE organization_id = $1 AND sequence <= 2',
    ['gap 3', 'unlinked_event undefined', 'unlinked_event undefined'],
  ],
  [
    'the end is cut off',
    `WITH gone AS (DELETE FROM audit_links WHERE organization_id = $1 AND sequence >= 5 RETURNING event_id)
     DELETE FROM audit_events WHERE id IN (SELECT event_id FROM gone)`,
    ['cut_off undefined'],
  ],
  [
    'all of it is removed but the head',
    `WITH gone AS (DELETE FROM audit_links WHERE organization_id = $1)
     DELETE FROM audit_events WHERE organization_id = $1`,
    ['cut_off undefined'],
  ],
  [
    'all of it is removed but the events',
    `WITH gone AS (DELETE FROM audit_links WHERE organization_id = $1) DELETE FROM audit_heads WHERE organization_id = $1`,
    ['missing_chain undefined', ...Array.from({ length: EVENTS }, () => 'unlinked_event undefined')],
  ],
  [
    'a chain is removed whole, of an organization that there is',
    `WITH links AS (DELETE FROM audit_links WHERE organization_id = $1),
       heads AS (DELETE FROM audit_heads WHERE organization_id = $1)
     DELETE FROM audit_events WHERE organization_id = $1`,
    ['missing_chain undefined'],
  ],
  ['the head is removed', 'DELETE FROM audit_heads WHERE organization_id = $1', ['missing_head undefined']],
  [
    'the head is set back',
    'UPDATE audit_heads SET sequence = 4 WHERE organization_id = $1',
    ['changed_head undefined'],
  ],
  [
    'the hash of the head is changed',
    'UPDATE audit_heads SET hash = sha256(hash) WHERE organization_id = $1',
    ['changed_head undefined'],
  ],
  [
    'an event is slipped in without a link',
    `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
     VALUES (gen_random_uuid(), $1, 'command_line', 'thing.change', 'thing', 'x', now())`,
    ['unlinked_event undefined'],
  ],
  [
    'a link says that it was somebody else',
    `UPDATE audit_links SET actor = 'user_innocent' WHERE organization_id = $1 AND sequence = 3`,
    ['changed_copy 3'],
  ],
  [
    'a link shows another action, target or time',
    `UPDATE audit_links SET action = action || CASE sequence WHEN 1 THEN 'x' ELSE '' END,
       target_id = target_id || CASE sequence WHEN 2 THEN 'x' ELSE '' END,
       created_at = created_at + CASE sequence WHEN 3 THEN interval '1 ms' ELSE interval '0' END
     WHERE organization_id = $1`,
    ['changed_copy 1', 'changed_copy 2', 'changed_copy 3'],
  ],
];

/** What the owner of the tables does to be able to change the trail, and what is said of it. */
const DISARMINGS: readonly (readonly [statement: string, message: string])[] = [
  ['DROP TRIGGER refuse_change ON audit_events', 'the trigger refuse_change of audit_events is missing'],
  ['DROP TRIGGER refuse_change ON audit_links', 'the trigger refuse_change of audit_links is missing'],
  ['DROP TRIGGER refuse_removal ON audit_heads', 'the trigger refuse_removal of audit_heads is missing'],
  ['DROP TRIGGER link_event ON audit_events', 'the trigger link_event of audit_events is missing'],
  ['DROP TRIGGER bound_changes ON audit_events', 'the trigger bound_changes of audit_events is missing'],
  [
    'ALTER TABLE audit_events DISABLE TRIGGER refuse_change',
    'the trigger refuse_change of audit_events is disabled or fires in replica mode only',
  ],
  [
    'ALTER TABLE audit_links ENABLE REPLICA TRIGGER refuse_change',
    'the trigger refuse_change of audit_links is disabled or fires in replica mode only',
  ],
  [
    `CREATE OR REPLACE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON audit_events
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    'the trigger refuse_change of audit_events has been changed',
  ],
  [
    `CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    'the function refuse_audit_change has been changed',
  ],
];

describe('gatehouse audit verify', () => {
  let app: TestApplication;
  let organizationId: string;

  beforeEach(async () => {
    app = await TestApplication.start();
    ({ organizationId } = await app.factory.unrecordedOrganization());
    const { organizationId: other } = await app.factory.unrecordedOrganization();
    await recordEvents(
      app,
      organizationId,
      Array.from({ length: EVENTS }, (_, index) => anEvent({ target: { type: 'thing', id: String(index + 1) } })),
    );
    await recordEvents(app, other, [anEvent()]);
  });

  afterEach(() => app.stop());

  afterAll(() => GatehouseProcess.killAll());

  const verify = (id = organizationId): Promise<ChainReport> =>
    app.application.get(AuditVerificationService).verify(id);

  const run = (...words: string[]): Promise<Ending> =>
    GatehouseProcess.command(['audit', 'verify', ...words], {
      DATABASE_URL: app.database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      ...DEFAULT_LIMITS,
    });

  const heads = (): Promise<{ organization_id: string; sequence: string; hash: string }[]> =>
    app.rows(`SELECT organization_id, sequence, encode(hash, 'hex') AS hash FROM audit_heads ORDER BY organization_id`);

  it('finds nothing where there is nothing to find', async () => {
    const [head] = (await heads()).filter((one) => one.organization_id === organizationId);
    expect(await verify()).toEqual({ organizationId, events: '6', hash: head!.hash, faults: [], omittedFaults: 0 });
    expect(await app.application.get(AuditVerificationService).guardFaults()).toEqual([]);
  });

  it.each(DISARMINGS)('finds that the tables are no longer guarded after %s', async (statement, message) => {
    await rowsIn(app.database.url, statement);
    expect(await app.application.get(AuditVerificationService).guardFaults()).toEqual([message]);
  });

  it.each(TAMPERINGS)('finds that %s', async (_, statement, kinds) => {
    await tamper(app, statement.replaceAll('$1', `'${organizationId}'`));

    const { faults } = await verify();

    expect(faults.map(({ kind, sequence }) => `${kind} ${sequence}`)).toEqual(kinds);
    const all = app.application.get(AuditVerificationService).organizations();
    const found: string[] = [];
    for await (const id of all) if ((await verify(id)).faults.length > 0) found.push(id);
    expect(found).toContain(organizationId);
  });

  it('finds a hash function that has been changed, for it does not ask it', async () => {
    await app.rows(`CREATE OR REPLACE FUNCTION audit_event_hash(previous bytea, sequence bigint, event audit_events)
      RETURNS bytea LANGUAGE sql STABLE AS $$ SELECT sha256('always the same') $$`);
    await recordEvents(app, organizationId, [anEvent()]);

    expect((await verify()).faults).toMatchObject([{ kind: 'changed', sequence: '7' }]);
  });

  it('names so many faults, and counts the others', async () => {
    await recordEvents(
      app,
      organizationId,
      Array.from({ length: 110 }, () => anEvent()),
    );
    await tamper(app, `UPDATE audit_events SET address = 'elsewhere' WHERE organization_id = '${organizationId}'`);

    const report = await verify();

    expect(report.faults).toHaveLength(100);
    expect(report.omittedFaults).toBe(16);
  });

  it('cannot be deceived by a chain that is rewritten as a whole, once a link is anchored', async () => {
    const before = await verify();
    const anchor = { sequence: before.events, hash: before.hash };
    await tamper(app, `UPDATE audit_events SET address = 'elsewhere' WHERE organization_id = '${organizationId}'`);
    await tamper(
      app,
      `WITH RECURSIVE chain AS (
         SELECT l.sequence, audit_event_hash('', l.sequence, e) AS hash FROM audit_links l JOIN audit_events e ON e.id = l.event_id
         WHERE l.organization_id = '${organizationId}' AND l.sequence = 1
         UNION ALL
         SELECT l.sequence, audit_event_hash(chain.hash, l.sequence, e) FROM chain
         JOIN audit_links l ON l.organization_id = '${organizationId}' AND l.sequence = chain.sequence + 1
         JOIN audit_events e ON e.id = l.event_id
       ), links AS (
         UPDATE audit_links l SET hash = chain.hash FROM chain
         WHERE l.organization_id = '${organizationId}' AND l.sequence = chain.sequence
       )
       UPDATE audit_heads h SET hash = chain.hash FROM chain
       WHERE h.organization_id = '${organizationId}' AND h.sequence = chain.sequence`,
    );

    const verification = app.application.get(AuditVerificationService);
    expect((await verification.verify(organizationId)).faults).toEqual([]);
    expect((await verification.verify(organizationId, [anchor])).faults).toMatchObject([
      { kind: 'anchor', sequence: '6' },
    ]);
  });

  describe('as a command', () => {
    it('tells of every organization, and of an anchor for the next time', async () => {
      const lines = (await heads()).map(({ organization_id: id, sequence, hash }) => {
        return `${id}: ${sequence} events, ${sequence}:${hash}, intact`;
      });

      expect(await run()).toEqual({ code: 0, signal: null, stdout: `${lines.join('\n')}\n`, stderr: '' });
    });

    it('tells a program', async () => {
      const [head] = (await heads()).filter((one) => one.organization_id === organizationId);
      const { code, stdout } = await run('--json', '--organization', organizationId);

      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({
        intact: true,
        unguarded: [],
        organizations: [
          { organization_id: organizationId, events: 6, hash: head!.hash, faults: [], omitted_faults: 0 },
        ],
      });
    });

    it('ends with 1 and names what is wrong', async () => {
      await tamper(app, `DELETE FROM audit_events WHERE organization_id = '${organizationId}' AND target_id = '3'`);

      const [text, json] = [await run(), await run('--json')];

      expect([text.code, json.code]).toEqual([1, 1]);
      expect(text.stdout).toMatch(/^ {2}missing_event at 3 \([0-9a-f-]{36}\): the event is gone$/m);
      expect(text.stderr).toBe('The audit trail is not intact: 1 of 2 organizations.\n');
      const { intact, organizations } = JSON.parse(json.stdout) as {
        intact: boolean;
        organizations: { organization_id: string; faults: object[] }[];
      };
      expect(intact).toBe(false);
      expect(organizations.find((one) => one.organization_id === organizationId)!.faults).toEqual([
        { kind: 'missing_event', sequence: 3, event_id: expect.any(String) as string, message: 'the event is gone' },
      ]);
    });

    it('ends with 1 when a guard trigger is disabled, and names it', async () => {
      await rowsIn(app.database.url, 'ALTER TABLE audit_events DISABLE TRIGGER refuse_change');

      const [text, json] = [await run(), await run('--json')];

      expect([text.code, json.code]).toEqual([1, 1]);
      const message = 'the trigger refuse_change of audit_events is disabled or fires in replica mode only';
      expect(text.stdout).toContain(`The tables are not guarded: ${message}\n`);
      expect(text.stderr).toBe('The audit trail is not intact.\n');
      expect(JSON.parse(json.stdout)).toMatchObject({ intact: false, unguarded: [message] });
    });

    it('ends with 1 when all chains are gone, and names every organization', async () => {
      await tamper(app, 'DELETE FROM audit_links; DELETE FROM audit_heads; DELETE FROM audit_events');

      const { code, stdout, stderr } = await run();

      expect([code, stderr]).toEqual([1, 'The audit trail is not intact: 2 of 2 organizations.\n']);
      expect(stdout.match(/missing_chain: the organization has no chain/g)).toHaveLength(2);
    });

    it('ends with 1 when a chain cannot be checked, names it with the cause, and checks the others', async () => {
      // No number of milliseconds can be made of this time, which the hash has.
      await tamper(app, `UPDATE audit_events SET created_at = 'infinity' WHERE organization_id = '${organizationId}'`);

      const [text, json] = [await run(), await run('--json')];

      expect(text.stdout).toMatch(new RegExp(`^${organizationId}: could not be checked: cannot convert infinity`, 'm'));
      expect(text.stdout).toMatch(/: 1 events, 1:[0-9a-f]{64}, intact$/m);
      expect([text.code, text.stderr]).toEqual([
        1,
        'The audit trail is not intact: 1 of 2 organizations (1 could not be checked).\n',
      ]);
      const { organizations } = JSON.parse(json.stdout) as { organizations: Record<string, unknown>[] };
      expect(organizations.find((one) => one['organization_id'] === organizationId)).toEqual({
        organization_id: organizationId,
        unchecked: expect.stringContaining('infinity') as string,
      });
    });

    it('waits for a lock for as long as it takes: it is under no limit of requests', async () => {
      const blocker = new pg.Client({ connectionString: app.database.url });
      await blocker.connect();
      await blocker.query('BEGIN; LOCK TABLE audit_links IN ACCESS EXCLUSIVE MODE');
      const ending = run();
      // Longer than the time that any request has with these limits.
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND clock_timestamp() - query_start > interval '2 s'`;
      while ((await app.rows(waits)).length === 0) await delay(50);
      await blocker.query('ROLLBACK');
      await blocker.end();

      expect(await ending).toMatchObject({ code: 0, stderr: '' });
    });

    it('holds a chain against what an earlier run has said', async () => {
      const [head] = (await heads()).filter((one) => one.organization_id === organizationId);
      const of = ['--organization', organizationId];
      await recordEvents(app, organizationId, [anEvent()]);

      expect((await run(...of, '--expect', `6:${head!.hash}`)).code).toBe(0);
      const other = await run(...of, '--expect', `6:${head!.hash.toUpperCase()}`, '--expect', `5:${head!.hash}`);
      expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('anchor at 5: the anchored hash is')]);
      const beyond = await run(...of, '--expect', `8:${head!.hash}`);
      expect([beyond.code, beyond.stdout]).toEqual([1, expect.stringContaining('anchor at 8: the link')]);
    });

    it.each([
      ['an organization that nobody knows', ['--organization', 'org_nobody'], 'There is no org_nobody.'],
      ['an anchor of nobody', ['--expect', `1:${'0'.repeat(64)}`], '--expect needs --organization'],
      ['an anchor of another form', ['--organization', 'x', '--expect', '0:abc'], 'A sequence, a colon and a hash'],
    ])('refuses %s', async (_, words, message) => {
      const { code, stdout, stderr } = await run(...words);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
    });

    it('ends with 0 and says so where there is no organization yet', async () => {
      const empty = await createTestDatabase();
      const { code, stdout } = await GatehouseProcess.command(['audit', 'verify'], {
        DATABASE_URL: empty.url,
        ENCRYPTION_KEY: '11'.repeat(32),
      });
      await empty.drop();
      expect([code, stdout]).toEqual([0, 'There is no organization yet.\n']);
    });
  });
});
