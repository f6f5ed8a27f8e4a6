import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { parse } from 'yaml';
import { LOCK_OWNER } from '../../../src/modules/configuration/configuration.repository.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { type Ending, GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';
import { configurationInterface } from './configuration-interface.js';

const HEAD = 'apiVersion: gatehouse/v1\nowner: platform\n';

const GUARDRAILS = `${HEAD}guardrails:
  - name: Checkout
    allowed_models: [gatehouse/echo]
  - name: Support
`;

const INSPECTOR = `${HEAD}inspectors:
  - name: Guard
    url: https://guard.example.com
    api_key: { env: GUARD_KEY }
`;

const KEY = `${HEAD}keys:
  - name: ci
    secret_to: { file: ci.key }
`;

/** What waits for the lock of the table. */
const WAITING = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%managed_objects%'
`;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20);
}

describe.each(['on the database', 'over HTTP'])('the commands on configuration files %s', (mode) => {
  const { app, organization, send } = configurationInterface();
  let directory: string;

  beforeAll(() => app.factory.starterCatalog());

  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-files-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const inFile = async (text: string, name = 'gatehouse.yaml'): Promise<void> => {
    await writeFile(path.join(directory, name), text);
  };

  const isRemote = mode === 'over HTTP';

  const wordsOf = (words: readonly string[]): readonly string[] =>
    isRemote ? words : [...words, '--organization', organization.organizationId];

  const variablesOf = (): Record<string, string> => ({
    INIT_CWD: directory,
    ...(isRemote
      ? { GATEHOUSE_URL: app.origin, GATEHOUSE_KEY: organization.managementKey }
      : { DATABASE_URL: app.database.serviceUrl, ENCRYPTION_KEY: '11'.repeat(32) }),
  });

  const gatehouse = (words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Ending> =>
    runCommand(wordsOf(words), { ...variablesOf(), ...variables });

  const onFile = (command: string, ...words: string[]): Promise<Ending> =>
    gatehouse([command, '-f', 'gatehouse.yaml', ...words]);

  const managed = async (): Promise<string[]> => {
    const { body } = await send<{ data: { section: string; name: string }[] }>('GET', '/configuration/objects');
    return body.data.map(({ section, name }) => `${section} ${name}`).sort();
  };

  it('diff exits with 2 for differences, apply makes them, and then diff exits with 0', async () => {
    await inFile(GUARDRAILS);
    const differs = await onFile('diff');
    expect(differs).toMatchObject({ code: 2, stderr: '' });
    expect(differs.stdout).toContain('+ create guardrails default/Checkout (gatehouse.yaml)\n');
    expect(differs.stdout).toContain('    allowed_models: ["gatehouse/echo-1"]\n');
    expect(await managed()).toEqual([]);

    expect(await onFile('apply', '--revision', '3f8a1c2')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/\nApplied\.\n$/) as string,
    });
    expect(await managed()).toEqual(['guardrails Checkout', 'guardrails Support']);
    const same = await onFile('diff', '--json');
    expect(same.code).toBe(0);
    expect(JSON.parse(same.stdout)).toMatchObject({ changes: [], unchanged: 2 });

    const { body } = await send<{ data: { section: string; id: string }[] }>('GET', '/configuration/objects');
    const [event] = await auditEventsOf(app, body.data[0]!.id);
    expect(event).toMatchObject({ actor_kind: isRemote ? 'management_key' : 'command_line' });
  });

  it('names a wrong line by file and line, from the checks without a database and from operations', async () => {
    await inFile(`${GUARDRAILS}    allowed_modles: []\n`);
    const wrong = {
      code: 1,
      stdout: '',
      stderr: 'gatehouse.yaml:7: guardrails[1].allowed_modles is not a known field\n',
    };
    expect(await runCommand(['validate', '-f', 'gatehouse.yaml'], { INIT_CWD: directory })).toEqual({
      ...wrong,
      signal: null,
    });
    expect(await onFile('diff')).toMatchObject(wrong);
    expect(await onFile('apply')).toMatchObject(wrong);

    await inFile(`${GUARDRAILS}    assigned_keys:\n      - nobody\n`);
    expect(await runCommand(['validate', '-f', 'gatehouse.yaml'], { INIT_CWD: directory })).toMatchObject({ code: 0 });
    expect(await onFile('apply')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^gatehouse\.yaml:[78]: guardrails\[1\]\.assigned_keys\S* /) as string,
    });

    await inFile(`${GUARDRAILS}  - name: "Checkout\n`);
    expect((await onFile('diff')).stderr).toMatch(/^gatehouse\.yaml:\d+: /);
    expect(await managed()).toEqual([]);
  });

  it('reads directories, and variables from another file', async () => {
    await mkdir(path.join(directory, 'all'));
    await inFile(`${HEAD}guardrails:\n  - name: { var: NAME }\n`, 'all/b.yml');
    await inFile('{"apiVersion":"gatehouse/v1","owner":"platform","presets":[]}', 'all/a.json');
    await inFile('NAME: Production\n', 'production.yaml');

    expect(await gatehouse(['apply', '-f', 'all'])).toMatchObject({
      code: 1,
      stderr: 'all/b.yml:4: guardrails[0].name names the variable NAME, which has no value\n',
    });
    expect(await gatehouse(['apply', '-f', 'all', '--vars', 'production.yaml'])).toMatchObject({ code: 0 });
    expect(await managed()).toEqual(['guardrails Production']);
  });

  it('names all secrets that are missing before it changes anything, and shows none', async () => {
    await inFile(`${INSPECTOR}  - name: Other\n    url: https://other.example.com\n    api_key: { file: key.txt }\n`);
    expect(await onFile('apply')).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'gatehouse.yaml:6: inspectors[0].api_key has no value: env:GUARD_KEY\n' +
        'gatehouse.yaml:9: inspectors[1].api_key has no value: file:key.txt\n',
    });
    await inFile('other-key-0123456789\n', 'key.txt');
    const variables = { GUARD_KEY: 'guard-key-0123456789' };
    const applied = await gatehouse(['apply', '-f', 'gatehouse.yaml'], variables);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).not.toContain('key-0123456789');
    expect(await managed()).toEqual(['inspectors Guard', 'inspectors Other']);
    expect(await gatehouse(['diff', '-f', 'gatehouse.yaml'], variables)).toMatchObject({ code: 0 });
  });

  it('writes the secret of a new key to its file, which only its owner reads, and never over another', async () => {
    await inFile(`${HEAD}keys:\n  - name: ci\n    secret_to: { file: ci.key }\n  - name: other\n`);
    const file = path.join(directory, 'ci.key');
    await inFile('mine', 'ci.key');
    expect(await onFile('apply')).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') as string });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await managed()).toEqual([]);

    await rm(file);
    const { code, stdout } = await onFile('apply');
    expect(code).toBe(0);
    const secret = await readFile(file, 'utf8');
    expect(secret).toMatch(/^sk-gate-v2-/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(stdout).not.toContain(secret);
    expect(stdout).toMatch(/New key default\/other: sk-gate-v2-/);
    const { body } = await app.api.send<{ data: { name: string } }>('GET', '/key', { key: secret });
    expect(body.data).toMatchObject({ organization_id: organization.organizationId });
    expect(await onFile('apply')).toMatchObject({ code: 0 });
  });

  it('takes the secret (200) that an apply has left which was killed before its change, and no other one', async () => {
    const { organizationId } = organization;
    await inFile(`${HEAD}keys:\n  - name: ci\n    secret_to: { file: ci.key }\n`);
    const file = path.join(directory, 'ci.key');
    const { plaintext } = issueSecret('api_key', organizationId);
    await writeFile(file, plaintext, { mode: 0o644 });
    expect(await onFile('apply')).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') as string });
    await chmod(file, 0o600);
    expect(await onFile('apply')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(plaintext);
    expect((await app.api.send('GET', '/key', { key: plaintext })).status).toBe(200);

    // A key that there is has this one.
    const used = (await app.factory.key(organization)).plaintext;
    await inFile(`${HEAD}keys:\n  - name: ci\n  - name: other\n    secret_to: { file: other.key }\n`);
    await writeFile(path.join(directory, 'other.key'), used, { mode: 0o600 });
    expect((await onFile('apply')).code).toBe(1);
    expect(await readFile(path.join(directory, 'other.key'), 'utf8')).toBe(used);
  });

  describe('while another applies files of the owner', () => {
    let other: pg.Client;

    beforeEach(async () => {
      other = new pg.Client({ connectionString: app.database.url });
      await other.connect();
      await other.query('BEGIN');
    });

    afterEach(() => other.end());

    it('apply is refused, does nothing, and leaves no secret of a new key', async () => {
      await inFile(KEY);
      await other.query(LOCK_OWNER.text, [organization.organizationId, 'platform']);
      expect(await onFile('apply')).toMatchObject({
        code: 1,
        stderr: 'It is refused: 409 configuration_being_applied.\n',
      });
      expect(await readdir(directory)).toEqual(['gatehouse.yaml']);
      expect(await managed()).toEqual([]);

      await other.query('ROLLBACK');
      expect(await onFile('apply')).toMatchObject({ code: 0 });
      expect(await readdir(directory)).toEqual(['ci.key', 'gatehouse.yaml']);
    });

    const waitingApply = async (): Promise<GatehouseProcess> => {
      await inFile(KEY);
      // Holds up what is written last.
      await other.query('LOCK TABLE managed_objects IN EXCLUSIVE MODE');
      const running = GatehouseProcess.startedCommand(wordsOf(['apply', '-f', 'gatehouse.yaml']), variablesOf());
      await until(async () => (await app.rows(WAITING)).length > 0);
      return running;
    };

    const keysOf = (): Promise<object[]> =>
      app.rows('SELECT FROM api_keys WHERE name = $1 AND organization_id = $2', ['ci', organization.organizationId]);

    it('apply has the secret of a new key in its file before anything is committed', async () => {
      const running = await waitingApply();
      expect(await readFile(path.join(directory, 'ci.key'), 'utf8')).toMatch(/^sk-gate-v2-/);
      expect(await keysOf()).toEqual([]);
      await other.query('ROLLBACK');
      expect(await running.end()).toMatchObject({ code: 0 });
      expect(await keysOf()).toHaveLength(1);
    });
  });

  if (!isRemote) {
    describe('apply that is killed', () => {
      const EVERYTHING = `${HEAD}workspaces:
  - slug: team
    name: Team
    budgets: { daily: 5 }
keys:
  - name: nightly
    secret_to: { file: nightly.key }
  - name: ci
    secret_to: { file: ci.key }
guardrails:
  - name: Checkout
    workspace: team
    assigned_keys: [ci]
limits:
  - { name: Few, measure: requests, window: daily, amount: 5, group_by: [user], exceptions: [{ values: { user: ada }, amount: 9 }] }
`;
      const OBJECTS = ['guardrails Checkout', 'keys ci', 'keys nightly', 'limits Few', 'workspaces team'];

      let other: pg.Client;
      let secret: string;
      let running: GatehouseProcess;

      /** Where the second secret is to go: the command waits there, when it has planned and has flushed the first one. */
      const fifo = (): string => path.join(directory, 'ci.key');

      /** Lets the command take the second secret as one that was left, and go on. @returns false while it is not there yet */
      const goOn = async (): Promise<boolean> => {
        const pipe = await open(fifo(), constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
        await pipe?.writeFile(secret);
        await pipe?.close();
        return pipe !== undefined;
      };

      const isThere = async (file: string): Promise<boolean> =>
        (await readFile(path.join(directory, file), 'utf8').catch(() => '')).startsWith('sk-gate-v2-');

      const isWaitingFor = async (table: string): Promise<boolean> => {
        const waiting = await other.query('SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted', [
          table,
        ]);
        return waiting.rowCount! > 0;
      };

      const killed = async (): Promise<void> => {
        running.signal('SIGKILL');
        expect(await running.end()).toMatchObject({ signal: 'SIGKILL' });
      };

      /** Nothing was changed, and once more everything is made, with the secrets that were left. */
      const isMadeOnceMore = async (): Promise<void> => {
        const left = await readFile(path.join(directory, 'nightly.key'), 'utf8').catch(() => '');
        const { organizationId } = organization;
        expect(await managed()).toEqual([]);
        expect(
          await app.rows(
            `SELECT name FROM api_keys WHERE organization_id = $1 AND kind = 'api_key'
              UNION ALL SELECT name FROM workspaces WHERE organization_id = $1 AND NOT is_default
              UNION ALL SELECT name FROM limits WHERE organization_id = $1
              UNION ALL SELECT owner FROM applied_plans WHERE organization_id = $1`,
            [organizationId],
          ),
        ).toEqual([]);
        await rm(fifo(), { force: true });
        expect(await onFile('apply')).toMatchObject({ code: 0, stderr: '' });
        expect(await managed()).toEqual(OBJECTS);
        const made = await readFile(path.join(directory, 'nightly.key'), 'utf8');
        if (left !== '') expect(made).toBe(left);
        expect((await app.api.send('GET', '/key', { key: made })).status).toBe(200);
      };

      beforeEach(async () => {
        secret = issueSecret('api_key', organization.organizationId).plaintext;
        other = new pg.Client({ connectionString: app.database.url });
        await other.connect();
        await inFile(EVERYTHING);
        execFileSync('mkfifo', ['-m', '600', fifo()]);
      });

      afterEach(() => other.end());

      const start = (): void => {
        running = GatehouseProcess.startedCommand(wordsOf(['apply', '-f', 'gatehouse.yaml']), variablesOf());
      };

      it('while it plans changes nothing, and can be repeated (200)', async () => {
        await other.query('BEGIN');
        await other.query('LOCK TABLE limits IN EXCLUSIVE MODE');
        start();
        await until(() => isWaitingFor('limits'));
        await killed();
        await other.query('ROLLBACK');
        expect(await isThere('nightly.key')).toBe(false);
        await isMadeOnceMore();
      });

      it('with one secret flushed and another one not changes nothing, and can be repeated (200)', async () => {
        start();
        await until(() => isThere('nightly.key'));
        await killed();
        // What is made first, and has not been written to.
        await rm(fifo());
        await writeFile(fifo(), '', { mode: 0o600 });
        expect(await onFile('apply')).toMatchObject({ code: 0, stderr: '' });
        expect(await isThere('ci.key')).toBe(true);
        expect(await managed()).toEqual(OBJECTS);
      });

      // In the order in which an apply writes to them.
      it.each(['api_keys', 'guardrail_key_assignments', 'limit_exceptions', 'managed_objects'])(
        'before it writes to %s changes nothing, and can be repeated (200)',
        async (table) => {
          start();
          await until(() => isThere('nightly.key'));
          await other.query('BEGIN');
          await other.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
          await until(goOn);
          await until(() => isWaitingFor(table));
          await killed();
          await other.query('ROLLBACK');
          await until(async () => !(await isWaitingFor(table)));
          await isMadeOnceMore();
        },
      );
    });
  }

  it('adopts what was made by hand, which apply does not touch', async () => {
    await send('POST', '/guardrails', { name: 'Checkout' });
    await inFile(GUARDRAILS);
    expect(await onFile('apply')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^guardrails Checkout: not_managed: /) as string,
    });
    expect(await managed()).toEqual([]);
    expect(await onFile('adopt')).toMatchObject({ code: 0 });
    expect(await managed()).toEqual(['guardrails Checkout', 'guardrails Support']);
  });

  it('deletes with --prune what no file has any more', async () => {
    await inFile(GUARDRAILS);
    await onFile('apply');
    await inFile(`${HEAD}guardrails:\n  - name: Support\n`);
    expect(await onFile('diff')).toMatchObject({ code: 0 });
    expect(await onFile('apply', '--prune')).toMatchObject({ code: 0 });
    expect(await managed()).toEqual(['guardrails Support']);
  });

  it('exports a file that changes nothing when it is applied', async () => {
    await inFile(GUARDRAILS);
    await onFile('apply');
    const { code, stdout } = await gatehouse(['export', '--owner', 'platform']);
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({ owner: 'platform', guardrails: [{ name: 'Checkout' }, { name: 'Support' }] });
    await inFile(stdout);
    expect(await onFile('diff')).toMatchObject({ code: 0 });
  });

  it('prints a secret that secret_from takes', async () => {
    const { code, stdout } = await gatehouse(['key-secret']);
    expect(code).toBe(0);
    await inFile(`${HEAD}keys:\n  - name: ci\n    secret_from: { file: ci.key }\n`);
    await inFile(stdout, 'ci.key');
    expect(await onFile('apply')).toMatchObject({ code: 0 });
    const { body } = await app.api.send<{ data: object }>('GET', '/key', { key: stdout.trim() });
    expect(body.data).toMatchObject({ is_management_key: false });
  });
});
