import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { anEvent, recordChains, recordEvents } from '../../support/resources/audit-chain.js';
import { createTestDatabase, queryRows } from '../../support/database/test-database.js';
import { type Ending, GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';
import { DEFAULT_TIME_LIMITS } from '../../support/application/time-limits.js';
import { runWithoutTriggers } from '../../support/database/privileged-connections.js';
import { TestApplication } from '../../support/application/test-application.js';

describe('gatehouse audit verify', () => {
  let app: TestApplication;
  let organizationId: string;

  beforeEach(async () => {
    app = await TestApplication.start();
    organizationId = await recordChains(app);
  });

  afterEach(() => app.stop());

  afterAll(() => GatehouseProcess.killAll());

  const variables = (): Record<string, string> => ({
    DATABASE_URL: app.database.url,
    ENCRYPTION_KEY: '11'.repeat(32),
    ...DEFAULT_TIME_LIMITS,
  });

  const run = (...words: string[]): Promise<Ending> => runCommand(['audit', 'verify', ...words], variables());

  const heads = (): Promise<{ organization_id: string; sequence: string; hash: string }[]> =>
    app.rows(`SELECT organization_id, sequence, encode(hash, 'hex') AS hash FROM audit_heads ORDER BY organization_id`);

  it('reports every organization, and an anchor for the next run', async () => {
    const lines = (await heads()).map(({ organization_id: id, sequence, hash }) => {
      return `${id}: ${sequence} events, ${sequence}:${hash}, intact`;
    });

    const ending = { code: 0, signal: null, stdout: `${lines.join('\n')}\n`, stderr: '' };
    expect(await run()).toEqual(ending);
    expect(await GatehouseProcess.command(['audit', 'verify'], variables())).toEqual(ending);
  });

  it('prints JSON with --json', async () => {
    const [head] = (await heads()).filter((one) => one.organization_id === organizationId);
    const { code, stdout } = await run('--json', '--organization', organizationId);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      intact: true,
      unguarded: [],
      signs_of_removed_chains: [],
      organizations: [{ organization_id: organizationId, events: 6, hash: head!.hash, issues: [], omitted_issues: 0 }],
    });
  });

  it('exits with 1 and names what is wrong', async () => {
    await runWithoutTriggers(
      app,
      `DELETE FROM audit_events WHERE organization_id = '${organizationId}' AND target_id = '3'`,
    );

    const [text, json] = [await run(), await run('--json')];

    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.stdout).toMatch(/^ {2}missing_event at 3 \([0-9a-f-]{36}\): the event is missing$/m);
    expect(text.stderr).toBe('The audit trail is not intact: 1 of 2 organizations.\n');
    const { intact, organizations } = JSON.parse(json.stdout) as {
      intact: boolean;
      organizations: { organization_id: string; issues: object[] }[];
    };
    expect(intact).toBe(false);
    expect(organizations.find((one) => one.organization_id === organizationId)!.issues).toEqual([
      { kind: 'missing_event', sequence: 3, event_id: expect.any(String) as string, message: 'the event is missing' },
    ]);
  });

  it('exits with 1 when a guard trigger is disabled, and names it', async () => {
    await queryRows(app.database.url, 'ALTER TABLE audit_events DISABLE TRIGGER refuse_change');

    const [text, json] = [await run(), await run('--json')];

    expect([text.code, json.code]).toEqual([1, 1]);
    const message = 'the trigger refuse_change of audit_events is disabled or fires in replica mode only';
    expect(text.stdout).toContain(`The tables are not guarded: ${message}\n`);
    expect(text.stderr).toBe('The audit trail is not intact.\n');
    expect(JSON.parse(json.stdout)).toMatchObject({ intact: false, unguarded: [message] });
  });

  it('exits with 1 when all chains are deleted, and names every organization', async () => {
    await runWithoutTriggers(app, 'DELETE FROM audit_links; DELETE FROM audit_heads; DELETE FROM audit_events');

    const { code, stdout, stderr } = await run();

    expect([code, stderr]).toEqual([1, 'The audit trail is not intact: 2 of 2 organizations.\n']);
    expect(stdout.match(/missing_chain: the organization has no chain/g)).toHaveLength(2);
  });

  it.each([
    ['heads of chains were written to the log', `UPDATE audit_head_log SET logged_at = now()`],
    ['the row of audit_head_log that the migrations make is missing', 'DELETE FROM audit_head_log'],
    ['there are users', `INSERT INTO users SELECT * FROM kept_users`],
    ['rows of organizations were counted in list_counts', 'INSERT INTO list_counts SELECT * FROM kept_counts'],
  ])('exits with 1 when all chains and organizations are deleted, and %s', async (sign, statement) => {
    await queryRows(
      app.database.url,
      `CREATE TEMPORARY TABLE kept_users AS SELECT * FROM users;
       CREATE TEMPORARY TABLE kept_counts AS SELECT * FROM list_counts;
       SET session_replication_role = replica;
       TRUNCATE audit_links, audit_heads, audit_events, organizations, users, list_counts CASCADE;
       ${statement}`,
    );

    const [text, json] = [await run(), await run('--json')];

    expect([text.code, text.stderr]).toEqual([1, 'The audit trail is not intact.\n']);
    expect(text.stdout).toMatch(new RegExp(`^All chains and organizations are gone: ${sign}.*\n$`));
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({
      intact: false,
      unguarded: [],
      signs_of_removed_chains: [expect.stringContaining(sign)],
      organizations: [],
    });
  });

  it('exits with 1 when one chain cannot be checked, names it with the cause, and checks the others', async () => {
    // The hash covers this time, which has no number of milliseconds.
    await runWithoutTriggers(
      app,
      `UPDATE audit_events SET created_at = 'infinity' WHERE organization_id = '${organizationId}'`,
    );

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

  it('waits for a table lock without the time limit of requests', async () => {
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

  it('compares a chain with the anchor of an earlier run', async () => {
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
    ['an unknown organization', ['--organization', 'org_nobody'], 'There is no org_nobody.'],
    ['an anchor without organization', ['--expect', `1:${'0'.repeat(64)}`], '--expect needs --organization'],
    ['an anchor of another form', ['--organization', 'x', '--expect', '0:abc'], 'a sequence, a colon and a hash'],
  ])('exits with an error for %s', async (_, words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
  });

  it('exits with 0 and reports that there is no organization yet', async () => {
    const empty = await createTestDatabase();
    const { code, stdout } = await runCommand(['audit', 'verify'], {
      DATABASE_URL: empty.url,
      ENCRYPTION_KEY: '11'.repeat(32),
    });
    await empty.drop();
    expect([code, stdout]).toEqual([0, 'There is no organization yet.\n']);
  });
});
