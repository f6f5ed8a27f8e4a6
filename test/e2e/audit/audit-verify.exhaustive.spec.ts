import { AuditVerificationService, type ChainReport } from '../../../src/modules/audit/audit-verification.service.js';
import { anEvent, CHAIN_LENGTH, recordChains, recordEvents } from '../../support/resources/audit-chain.js';
import { queryRows } from '../../support/database/test-database.js';
import { runWithoutTriggers } from '../../support/database/privileged-connections.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';

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
    ['missing_event 3'],
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
    ['missing_chain undefined', ...Array.from({ length: CHAIN_LENGTH }, () => 'unlinked_event undefined')],
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
    'a link names another actor',
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
  ['DROP TRIGGER refuse_truncation ON audit_links', 'the trigger refuse_truncation of audit_links is missing'],
  [
    `CREATE OR REPLACE TRIGGER refuse_change BEFORE UPDATE ON audit_events
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    'the trigger refuse_change of audit_events has been changed',
  ],
  [
    `CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    'the function refuse_audit_change has been changed',
  ],
];

describe('gatehouse audit verify', () => {
  const app = sharedApplication();
  let organizationId: string;

  beforeEach(async () => {
    organizationId = await recordChains(app);
  });

  const verify = (id = organizationId, { application } = app): Promise<ChainReport> =>
    application.get(AuditVerificationService).verify(id);

  const heads = (): Promise<{ organization_id: string; sequence: string; hash: string }[]> =>
    app.rows(`SELECT organization_id, sequence, encode(hash, 'hex') AS hash FROM audit_heads ORDER BY organization_id`);

  it('reports no issue for an untouched database', async () => {
    const [head] = (await heads()).filter((one) => one.organization_id === organizationId);
    expect(await verify()).toEqual({ organizationId, events: '6', hash: head!.hash, issues: [], omittedIssues: 0 });
    expect(await app.application.get(AuditVerificationService).guardIssues()).toEqual([]);
  });

  it.each(TAMPERINGS)('reports that %s', async (_, statement, kinds) => {
    await runWithoutTriggers(app, statement.replaceAll('$1', `'${organizationId}'`));

    const { issues } = await verify();

    expect(issues.map(({ kind, sequence }) => `${kind} ${sequence}`)).toEqual(kinds);
    const all = app.application.get(AuditVerificationService).organizations();
    const found: string[] = [];
    for await (const id of all) if ((await verify(id)).issues.length > 0) found.push(id);
    expect(found).toContain(organizationId);
  });

  it('names a limited number of issues and counts the rest', async () => {
    await recordEvents(
      app,
      organizationId,
      Array.from({ length: 110 }, () => anEvent()),
    );
    await runWithoutTriggers(
      app,
      `UPDATE audit_events SET address = 'elsewhere' WHERE organization_id = '${organizationId}'`,
    );

    const report = await verify();

    expect(report.issues).toHaveLength(100);
    expect(report.omittedIssues).toBe(16);
  });

  it('detects a chain that was rewritten completely when an earlier link is given as anchor', async () => {
    const before = await verify();
    const anchor = { sequence: before.events, hash: before.hash };
    await runWithoutTriggers(
      app,
      `UPDATE audit_events SET address = 'elsewhere' WHERE organization_id = '${organizationId}'`,
    );
    await runWithoutTriggers(
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
    expect((await verification.verify(organizationId)).issues).toEqual([]);
    expect((await verification.verify(organizationId, [anchor])).issues).toMatchObject([
      { kind: 'anchor', sequence: '6' },
    ]);
  });

  describe('in a database whose functions and triggers are changed', () => {
    let changed: TestApplication;

    beforeEach(async () => {
      changed = await TestApplication.start();
      organizationId = await recordChains(changed);
    });

    afterEach(() => changed.stop());

    it.each(DISARMINGS)('reports missing guards of the tables after %s', async (statement, message) => {
      await queryRows(changed.database.url, statement);
      expect(await changed.application.get(AuditVerificationService).guardIssues()).toEqual([message]);
    });

    it('reports a changed hash function, because it computes hashes without it', async () => {
      await changed.rows(`CREATE OR REPLACE FUNCTION audit_event_hash(previous bytea, sequence bigint, event audit_events)
        RETURNS bytea LANGUAGE sql STABLE AS $$ SELECT sha256('always the same') $$`);
      await recordEvents(changed, organizationId, [anEvent()]);

      expect((await verify(organizationId, changed)).issues).toMatchObject([{ kind: 'changed', sequence: '7' }]);
    });
  });
});
