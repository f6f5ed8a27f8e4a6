import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { modelEntry } from '../../support/resources/catalog-entries.js';
import { createEmptyDatabase, queryRows, type TestDatabase } from '../../support/database/test-database.js';
import { type Ending, GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The changes of an import to one list. */
interface Report {
  readonly added: string[];
  readonly retired: string[];
  readonly would_retire: string[];
  readonly unchanged: number;
}

// Each test stands on what the ones before it have left in a database that was empty at first.
describe('the gatehouse command with an external database', () => {
  let database: TestDatabase;
  let directory: string;
  let organizationId: string;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-cli-'));
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  /** As npm runs it: the package's directory is the working directory, and INIT_CWD says where the person is. */
  const variables = (): Record<string, string> => ({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: '11'.repeat(32),
    INIT_CWD: directory,
  });

  const gatehouse = (...words: string[]): Promise<Ending> => runCommand(words, variables());

  const printed = async <Result>(...words: string[]): Promise<Result> => {
    const { code, stdout, stderr } = await gatehouse(...words, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // One object on one line, and nothing else.
    expect(stdout.split('\n')).toEqual([expect.stringMatching(/^\{.*\}$/), '']);
    return JSON.parse(stdout) as Result;
  };

  const refused = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await gatehouse(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    // What the person can put right, and no trace of the program.
    expect(stderr).not.toMatch(/^\s+at /m);
    return stderr;
  };

  const rows = <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
    queryRows<Row>(database.url, statement, values);

  const models = (): Promise<{ id: string; in_model_list: boolean }[]> =>
    rows('SELECT id, in_model_list FROM models ORDER BY id');

  it('prints its help, and exits with an error for unknown commands and options', async () => {
    const { code, stdout } = await GatehouseProcess.command(['--help'], variables());
    const unknown = await GatehouseProcess.command(['explode'], variables());

    expect(code).toBe(0);
    for (const command of ['init', 'catalog', 'scim', 'demo', 'rotate-encryption']) expect(stdout).toContain(command);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("unknown command 'explode'");
  });

  it('scim add-group: exits with an error while there is no organization', async () => {
    expect(await refused('scim', 'add-group', 'Engineering')).toBe('There is no organization yet.\n');
  });

  it('init: creates an organization with administrator, default workspace, management key and catalog', async () => {
    const made = await printed<Record<string, string>>('init', '--organization', 'Example', '--email', 'a@example.com');

    expect(Object.keys(made).sort()).toEqual(['default_workspace_id', 'management_key', 'organization_id', 'user_id']);
    organizationId = made['organization_id']!;
    expect(await rows('SELECT id, name, scim_enabled FROM organizations')).toEqual([
      { id: organizationId, name: 'Example', scim_enabled: false },
    ]);
    expect(await rows('SELECT id, is_default FROM workspaces')).toEqual([
      { id: made['default_workspace_id'], is_default: true },
    ]);
    expect(
      await rows('SELECT u.id, u.email, m.role FROM users u JOIN organization_members m ON m.user_id = u.id'),
    ).toEqual([{ id: made['user_id'], email: 'a@example.com', role: 'admin' }]);
    // The key itself is nowhere, its hash is.
    const hash = createHash('sha256').update(made['management_key']!).digest('hex');
    expect(await rows("SELECT kind, encode(hash, 'hex') AS hash FROM api_keys")).toEqual([
      { kind: 'management_key', hash },
    ]);
    expect(await rows('SELECT actor_kind, action, target_id FROM audit_events')).toEqual([
      { actor_kind: 'command_line', action: 'key.create', target_id: hash },
    ]);
    expect((await models()).length).toBeGreaterThan(50);
  });

  it('init: prints readable lines without --json', async () => {
    const { code, stdout } = await GatehouseProcess.command(['init', '--organization', 'Second'], variables());

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Organization {7}org_\w+\nAdministrator {6}user_\w+\nDefault workspace {2}[\w-]+\nManagement key {5}mk-gate-v2-\w+-\w+\n +Keep it now: it is not shown again\.\n$/,
    );
    expect(await rows('SELECT name FROM organizations ORDER BY created_at')).toEqual([
      { name: 'Example' },
      { name: 'Second' },
    ]);
  });

  it('init: names what there is instead of creating another organization, without a terminal and any option', async () => {
    const [first] = await rows<{ id: string }>("SELECT id FROM organizations WHERE name = 'Example'");

    for (const words of [['init'], ['init', '--json']]) {
      expect(await refused(...words)).toBe(
        `There is Example (${first!.id}) and 1 more already. To create another organization: gatehouse init --organization NAME. For a key of the one that there is: gatehouse management-key\n`,
      );
    }
    expect(await rows('SELECT id FROM organizations')).toHaveLength(2);
    await printed('init', '--yes');
    expect(await rows('SELECT name FROM organizations ORDER BY created_at')).toEqual([
      { name: 'Example' },
      { name: 'Second' },
      { name: 'Default organization' },
    ]);
    await rows("DELETE FROM organizations WHERE name = 'Default organization'");
  });

  it('organization list: lists the organizations with their members and keys', async () => {
    const { organizations } = await printed<{ organizations: object[] }>('organization', 'list');
    const { stdout } = await gatehouse('organization', 'list');

    const counts = { scim_enabled: false, members: 1, management_keys: 1, api_keys: 0 };
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(organizations).toEqual([
      { id: organizationId, name: 'Example', created_at, ...counts },
      { id: expect.stringMatching(/^org_/) as string, name: 'Second', created_at, ...counts },
    ]);
    expect(stdout.split('\n')[0]).toMatch(
      new RegExp(`^${organizationId}  Example  created \\d{4}-\\d\\d-\\d\\d, 1 member, 1 management key, 0 API keys$`),
    );
  });

  it('management-key: creates another key for an administrator, records it, and prints it once; it is answered 200', async () => {
    const made = await printed<Record<string, string>>('management-key', '--name', 'Found again');

    expect(Object.keys(made).sort()).toEqual(['management_key', 'organization_id', 'user_id']);
    const hash = createHash('sha256').update(made['management_key']!).digest('hex');
    expect(
      await rows("SELECT organization_id, user_id, kind, name FROM api_keys WHERE encode(hash, 'hex') = $1", [hash]),
    ).toEqual([
      { organization_id: organizationId, user_id: made['user_id'], kind: 'management_key', name: 'Found again' },
    ]);
    expect(await rows('SELECT actor_kind, action, target_id FROM audit_events WHERE target_id = $1', [hash])).toEqual([
      { actor_kind: 'command_line', action: 'key.create', target_id: hash },
    ]);
    expect(await refused('management-key', '--user', 'user_nobody')).toBe(
      `${organizationId} has no active member user_nobody: see gatehouse member.\n`,
    );
  });

  it('sign-in-link: makes a link for an administrator, records it without its secret, and prints it once', async () => {
    const made = await printed<Record<string, string>>('sign-in-link');

    expect(Object.keys(made).sort()).toEqual(['organization_id', 'url', 'user_id']);
    const secret = made['url']!.split('/auth/link/')[1]!;
    expect(
      await rows('SELECT organization_id, user_id FROM sign_in_links WHERE secret_hash = sha256($1::bytea)', [
        Buffer.from(secret),
      ]),
    ).toEqual([{ organization_id: organizationId, user_id: made['user_id'] }]);
    expect(await rows(`SELECT actor_kind, action FROM audit_events WHERE action LIKE 'sign_in_link.%'`)).toEqual([
      { actor_kind: 'command_line', action: 'sign_in_link.create' },
    ]);
    expect(await refused('sign-in-link', '--user', 'user_nobody')).toBe(
      `${organizationId} has no active member user_nobody: see gatehouse member.\n`,
    );
  });

  it('scim enable: turns SCIM on (200) for the first organization, or for the named one', async () => {
    const first = await printed('scim', 'enable');
    const [second] = await rows<{ id: string }>("SELECT id FROM organizations WHERE name = 'Second'");
    const named = await printed('scim', 'enable', '--organization', second!.id);

    expect([first, named]).toEqual([
      { organization_id: organizationId, scim_enabled: true },
      { organization_id: second!.id, scim_enabled: true },
    ]);
    expect(await rows('SELECT DISTINCT scim_enabled FROM organizations')).toEqual([{ scim_enabled: true }]);
    expect(await refused('scim', 'enable', '--organization', 'org_nobody')).toBe('There is no org_nobody.\n');
  });

  it('scim add-group: adds a group', async () => {
    const made = await printed<Record<string, string>>('scim', 'add-group', 'Engineering', '--external-id', 'idp-7');

    expect(made).toEqual({
      scim_group_id: expect.stringMatching(UUID),
      organization_id: organizationId,
      display_name: 'Engineering',
    });
    expect(await rows('SELECT id, organization_id, display_name, external_id FROM scim_groups')).toEqual([
      { id: made['scim_group_id'], organization_id: organizationId, display_name: 'Engineering', external_id: 'idp-7' },
    ]);
  });

  it('scim token: makes two tokens at most, lists them without their secrets, and ends one', async () => {
    const made = await printed<{ token: string; token_id: string }>('scim', 'token', 'create', '--name', 'Okta');
    await printed('scim', 'token', 'create', '--expires', '2999-01-01T00:00:00Z');
    const { stdout } = await gatehouse('scim', 'token', 'list');

    expect(made.token).toMatch(/^pv-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/);
    expect(stdout).toContain(`${made.token_id}  pv-gate-v2-`);
    expect(stdout).not.toContain(made.token);
    expect(await refused('scim', 'token', 'create')).toContain('two tokens that have not expired');
    expect(await refused('scim', 'token', 'create', '--expires', 'soon')).toBe('soon is no ISO 8601 time.\n');
    expect(await printed('scim', 'token', 'revoke', made.token_id)).toEqual({ token_id: made.token_id, deleted: true });
    expect(await refused('scim', 'token', 'revoke', made.token_id)).toBe('There is no such token.\n');
    expect((await printed<{ tokens: unknown[] }>('scim', 'token', 'list')).tokens).toHaveLength(1);
  });

  it('scim reactivate: reactivates whom a directory has deactivated since a time', async () => {
    const [member] = await rows<{ user_id: string }>(
      `UPDATE organization_members SET deactivated_at = now(), deactivated_by = 'directory'
        WHERE id = (SELECT id FROM organization_members WHERE organization_id = '${organizationId}' LIMIT 1) RETURNING user_id`,
    );
    const reactivate = (since: string): Promise<unknown> => printed('scim', 'reactivate', '--deactivated-since', since);

    expect(await reactivate('2999-01-01T00:00:00Z')).toEqual({ reactivated_user_ids: [] });
    expect(await reactivate('2020-01-01T00:00:00Z')).toEqual({ reactivated_user_ids: [member!.user_id] });
    expect(await refused('scim', 'reactivate', '--deactivated-since', 'soon')).toBe('soon is no ISO 8601 time.\n');
  });

  it('scim list: lists the groups with how many members each has', async () => {
    const listed = await printed<{ groups: { scim_group_id: string }[] }>('scim', 'list');
    const id = listed.groups[0]!.scim_group_id;

    expect(listed).toEqual({
      organization_id: organizationId,
      scim_enabled: true,
      groups: [{ scim_group_id: id, display_name: 'Engineering', external_id: 'idp-7', member_count: 0 }],
    });
    const { stdout } = await gatehouse('scim', 'list');
    expect(stdout).toBe(`SCIM is enabled for ${organizationId}.\n${id}  Engineering  0 members\n`);
  });

  it('scim disable: turns SCIM off, and leaves the groups as they are', async () => {
    const result = await printed('scim', 'disable');

    expect(result).toEqual({ organization_id: organizationId, scim_enabled: false });
    expect(await rows('SELECT scim_enabled FROM organizations WHERE id = $1', [organizationId])).toEqual([
      { scim_enabled: false },
    ]);
    expect((await gatehouse('scim', 'list')).stdout).toMatch(/^SCIM is disabled for .*\n.*Engineering/);
    expect(await refused('scim', 'disable', '--organization', 'org_nobody')).toBe('There is no org_nobody.\n');
    await printed('scim', 'enable');
  });

  it('catalog import --dry-run: reports what an import would do, and changes nothing', async () => {
    await writeFile(path.join(directory, 'models.json'), JSON.stringify({ data: [modelEntry('acme/one')] }));
    const before = await models();

    const { code, stdout } = await gatehouse('catalog', 'import', 'models.json', '--dry-run');

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Models: 1 added, 0 changed, 0 retired, \d+ unchanged\n {2}\+ acme\/one\n {2}\d+ not in the files stay; --replace retires them:\n {4}\S+\/\S+\n/,
    );
    expect(stdout).toMatch(/\nDry run: nothing was changed\.\n$/);
    expect(await models()).toEqual(before);
    expect(before.some(({ id }) => id === 'acme/one')).toBe(false);
  });

  it('catalog import: adds the model of the file to the catalog, and changes nothing when it runs again', async () => {
    const before = await models();
    const first = await printed<{ dry_run: boolean; models: Report }>('catalog', 'import', 'models.json');
    const after = await models();
    const second = await printed<{ models: Report }>('catalog', 'import', path.join(directory, 'models.json'));

    const listed = before.filter((model) => model.in_model_list).map(({ id }) => id);
    expect(first.dry_run).toBe(false);
    expect(first.models.added).toEqual(['acme/one']);
    expect(first.models.would_retire.toSorted()).toEqual(listed);
    expect(after).toEqual(
      [...before, { id: 'acme/one', in_model_list: true }].sort((one, other) => (one.id < other.id ? -1 : 1)),
    );
    expect(second.models).toEqual({ ...first.models, added: [], unchanged: listed.length + 1 });
    expect(await models()).toEqual(after);
  });

  it('catalog import --replace: refuses a list that lacks most of the catalog, and retires the rest once that is confirmed', async () => {
    const before = await models();
    expect(await refused('catalog', 'import', 'models.json', '--replace')).toMatch(
      /the list of models has 1 of them where the catalog has \d+: to retire most of these, add --retire-most\n$/,
    );
    expect(await models()).toEqual(before);

    const report = await printed<{ models: Report }>('catalog', 'import', 'models.json', '--replace', '--retire-most');

    expect(report.models.retired).toHaveLength(before.filter((model) => model.in_model_list).length - 1);
    const left = await models();
    expect(left.filter((model) => model.in_model_list).map(({ id }) => id)).toEqual(['acme/one']);
    expect(left).toHaveLength(before.length);
  });

  it('audit list: lists what this command has done to the deployment and to an organization, in parts and by action', async () => {
    interface Events {
      readonly total_count: number;
      readonly events: { readonly action: string; readonly actor: object; readonly sequence: string }[];
    }
    const all = await printed<Events>('audit', 'list', '--deployment');
    expect(all.events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.enable_scim', 'catalog.import']),
    );
    expect(all.events.every(({ actor }) => JSON.stringify(actor).includes('command_line'))).toBe(true);
    expect(all.total_count).toBe(all.events.length);

    const second = await printed<Events>('audit', 'list', '--deployment', '--limit', '1', '--offset', '1');
    expect(second).toEqual({ total_count: all.total_count, events: [all.events[1]] });
    const imports = await printed<Events>('audit', 'list', '--deployment', '--action', 'catalog.import');
    expect(new Set(imports.events.map(({ action }) => action))).toEqual(new Set(['catalog.import']));
    const ofOrganization = await printed<Events>('audit', 'list', '--organization', organizationId);
    expect(ofOrganization.events.map(({ action }) => action)).toContain('key.create');

    const { stdout } = await gatehouse('audit', 'list', '--deployment', '--limit', '1');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^1 {2}\S+Z {2}command_line {2}organization\.enable_scim /),
      `and ${all.total_count - 1} more: --offset 1`,
      '',
    ]);
    expect(await refused('audit', 'list')).toBe('Which chain? --deployment or --organization <id>.\n');
    expect(await refused('audit', 'list', '--organization', 'org_nobody')).toBe('There is no org_nobody.\n');
  });

  it.each([
    ['an empty file', '', 'is empty'],
    ['a file that was cut off', '{"data": [{"id": "acme/one"', 'is not JSON, or was cut off'],
    ['an empty list', '{"data": []}', 'data is an empty list'],
  ])('catalog import: exits with an error for %s, and changes nothing', async (_, text, issue) => {
    await writeFile(path.join(directory, 'partial.json'), text);
    const before = await models();

    for (const option of [[], ['--replace'], ['--replace', '--retire-most']]) {
      expect(await refused('catalog', 'import', 'partial.json', ...option)).toContain(`partial.json: ${issue}`);
    }
    expect(await models()).toEqual(before);
  });

  it('catalog import: names every issue of every file, and stores nothing', async () => {
    const files = {
      'broken.json': '{"data": [',
      'good.json': JSON.stringify({ data: [modelEntry('acme/two')] }),
      'bad.json': JSON.stringify({
        data: [modelEntry('acme/three', { name: 7 }), modelEntry('acme/four', { created: 'x' })],
      }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text);
    const before = await models();

    expect(await refused('catalog', 'import', 'broken.json')).toContain('broken.json: ');
    // An error of Node.js is an Error of the test's own realm only in a process of its own.
    const missing = await GatehouseProcess.command(['catalog', 'import', 'missing.json'], variables());
    expect(missing.stderr).toContain('missing.json: ENOENT');
    const issues = await refused('catalog', 'import', 'good.json', 'bad.json');
    expect(issues).toBe(
      'The catalog has 2 issues:\n- bad.json: data[0].name must be string\n- bad.json: data[1].created must be integer\n',
    );
    expect(await models()).toEqual(before);
  });
});

describe('the gatehouse command with an unusable configuration', () => {
  it('names every issue of the configuration', async () => {
    const { code, stdout, stderr } = await GatehouseProcess.command(['init'], {
      DATABASE_URL: 'postgres://localhost:1/gatehouse',
      LOG_LEVEL: 'loud',
    });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The configuration has 2 issues:\n- LOG_LEVEL .*\n- ENCRYPTION_KEY .*\n$/);
  });
});
