import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ConfigurationReconciler } from '../../../src/modules/configuration/reconciliation/configuration-reconciler.service.js';
import { ManagedObjectsGauge } from '../../../src/modules/configuration/reconciliation/managed-objects-gauge.service.js';
import { LOCK_OWNER } from '../../../src/modules/configuration/configuration.repository.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { TestApplication } from '../../support/application/test-application.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import type { Answer } from '../../support/network/api-client.js';
import { scrape } from '../metrics/scrape.js';

const HEAD = 'apiVersion: gatehouse/v1\nowner: platform\n';
const METRICS_TOKEN = 'token-for-tests';

interface Managed {
  readonly section: string;
  readonly name: string;
  readonly id: string;
  readonly drifted_at: string | null;
}

describe('the files of CONFIG_DIR', () => {
  let app: TestApplication;
  let replica: TestApplication;
  let organization: NewOrganization;
  let root: string;
  let variables: Record<string, string>;

  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-config-dir-'));
    variables = {
      CONFIG_DIR: path.join(root, 'files'),
      CONFIG_SECRETS_DIR: path.join(root, 'secrets'),
      CONFIG_SECRET_GUARD: 'guard-key-0123456789',
      METRICS_TOKEN,
    };
    app = await TestApplication.start({ variables });
    organization = await app.factory.organization();
    replica = await app.replica(variables);
  });

  afterAll(async () => {
    await app.stop();
    await rm(root, { recursive: true, force: true });
  });

  beforeEach(async () => {
    for (const folder of ['files', 'secrets']) {
      await rm(path.join(root, folder), { recursive: true, force: true });
      await mkdir(path.join(root, folder));
    }
    await inFile('');
    await app.rows('DELETE FROM configuration_turns');
    await app.rows('DELETE FROM managed_objects');
    await app.rows('DELETE FROM guardrails');
  });

  const inFile = (text: string, name = 'gatehouse.yaml'): Promise<void> =>
    writeFile(path.join(root, 'files', name), `${HEAD}${text}`);

  const inSecret = (name: string, text: string): Promise<void> => writeFile(path.join(root, 'secrets', name), text);

  const reconcile = (of = app) => of.application.get(ConfigurationReconciler).reconcile();

  const send = <Body>(method: string, operation: string, json?: object): Promise<Answer<Body>> =>
    app.api.send(method, operation, { key: organization.managementKey, ...(json && { json }) });

  const managed = async (): Promise<readonly Managed[]> =>
    (await send<{ data: Managed[] }>('GET', '/configuration/objects')).body.data;

  const namesOf = async (): Promise<string[]> => (await managed()).map(({ name }) => name).sort();

  const warnings = (): string[] =>
    app.logLines
      .filter((line) => line.includes('CONFIG_DIR'))
      .map((line) => (JSON.parse(line) as { message: string }).message);

  const sample = async (name: string, outcome?: string, of = app): Promise<number | undefined> => {
    await of.application.get(ManagedObjectsGauge).measure();
    const { samples } = await scrape(`${of.origin}/metrics`, METRICS_TOKEN);
    return samples.find((one) => one.name === name && one.labels['outcome'] === outcome)?.value;
  };

  const outcomes = async (outcome: string): Promise<number> =>
    (await sample('gatehouse_configuration_reconciliations_total', outcome))!;

  it('are applied by the service, as the oldest administrator, and change nothing the next time', async () => {
    await inFile('guardrails:\n  - name: Checkout\n');
    expect(await reconcile()).toBe('applied');
    const [guardrail] = await managed();
    const [event] = await auditEventsOf(app, guardrail!.id);
    expect(event).toMatchObject({ actor_kind: 'service', action: 'guardrail.create' });
    const events = await app.rows('SELECT FROM audit_events');
    expect(await reconcile()).toBe('unchanged');
    expect(await app.rows('SELECT FROM audit_events')).toHaveLength(events.length);
  });

  it('are read again: what is in no file any more is deleted, and a file of another version counts as a whole', async () => {
    const versions = path.join(root, 'files');
    await rm(path.join(versions, 'gatehouse.yaml'));
    for (const [version, name] of [
      ['..1', 'First'],
      ['..2', 'Second'],
    ] as const) {
      await mkdir(path.join(versions, version));
      await inFile(`guardrails:\n  - name: ${name}\n`, `${version}/a.yaml`);
    }
    await symlink('..1', path.join(versions, '..data'));
    await symlink(path.join('..data', 'a.yaml'), path.join(versions, 'a.yaml'));
    expect(await reconcile()).toBe('applied');
    expect(await namesOf()).toEqual(['First']);

    await symlink('..2', path.join(versions, '..next'));
    await rename(path.join(versions, '..next'), path.join(versions, '..data'));
    expect(await reconcile()).toBe('applied');
    expect(await namesOf()).toEqual(['Second']);
    expect(await app.rows('SELECT name FROM guardrails')).toEqual([{ name: 'Second' }]);
  });

  it('are applied by one process, until that ends its turn or its lease is over', async () => {
    await inFile('guardrails:\n  - name: Checkout\n');
    const all = await Promise.all([reconcile(app), reconcile(replica)]);
    expect([...all].sort()).toEqual(['applied', 'elsewhere']);
    const [holder, other] = all[0] === 'applied' ? [app, replica] : [replica, app];
    expect(await reconcile(other)).toBe('elsewhere');
    expect(await reconcile(holder)).toBe('unchanged');

    await app.rows(`UPDATE configuration_turns SET lease_until = now() - interval '1 s'`);
    expect(await reconcile(other)).toBe('unchanged');
    expect(await reconcile(holder)).toBe('elsewhere');
  });

  it('are applied by another process at once when the one that has the turn stops', async () => {
    await inFile('guardrails:\n  - name: Checkout\n');
    const third = await app.replica(variables);
    expect(await reconcile(third)).toBe('applied');
    expect(await reconcile()).toBe('elsewhere');
    await third.stop();
    expect(await reconcile()).toBe('unchanged');
  });

  it('wait while a command applies files of their owner', async () => {
    await inFile('guardrails:\n  - name: Checkout\n');
    const other = new pg.Client({ connectionString: app.database.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query(LOCK_OWNER.text, [organization.organizationId, 'platform']);
    expect(await reconcile()).toBe('busy');
    expect(await namesOf()).toEqual([]);
    await other.end();
    expect(await reconcile()).toBe('applied');
  });

  it('change nothing where one line is wrong, which is logged once for each content and counted, and the service answers 200', async () => {
    await inFile('guardrails:\n  - name: Checkout\n');
    await reconcile();
    const before = await outcomes('refused');
    const line = 'gatehouse.yaml:5: guardrails[1].allowed_modles is not a known field';
    await inFile('guardrails:\n  - name: Other\n  - { name: Third, allowed_modles: [] }\n');
    const logged = warnings().length;
    for (let round = 0; round < 2; round += 1) expect(await reconcile()).toBe('refused');
    expect(warnings().slice(logged)).toEqual([expect.stringContaining(line) as string]);
    expect(await namesOf()).toEqual(['Checkout']);
    expect(await outcomes('refused')).toBe(before + 2);

    await inFile('guardrails:\n  - name: Other\n    ["\n');
    expect(await reconcile()).toBe('refused');
    expect(warnings().slice(logged + 1)).toEqual([expect.stringMatching(/\ngatehouse\.yaml:\d: /) as string]);
    await rm(path.join(root, 'files', 'gatehouse.yaml'));
    expect(await reconcile()).toBe('refused');
    expect(await namesOf()).toEqual(['Checkout']);
    expect((await send('GET', '/guardrails')).status).toBe(200);
  });

  it('touch nothing that was made by other means', async () => {
    await send('POST', '/guardrails', { name: 'Checkout' });
    await inFile('guardrails:\n  - name: Checkout\n  - name: Support\n');
    expect(await reconcile()).toBe('refused');
    expect(warnings().at(-1)).toContain('guardrails Checkout: not_managed: ');
    expect(await namesOf()).toEqual([]);
  });

  describe('that name secrets', () => {
    const inspector = (source: string): string =>
      `inspectors:\n  - name: Guard\n    url: https://guard.example.com\n    api_key: ${source}\n`;

    it('take variables and files that are meant for them, and find one that has changed at its source', async () => {
      await inFile(inspector('{ env: CONFIG_SECRET_GUARD }'));
      expect(await reconcile()).toBe('applied');
      await inFile(inspector('{ file: guard }'));
      await inSecret('guard', 'guard-key-0123456789\n');
      expect(await reconcile()).toBe('unchanged');
      await inSecret('guard', 'another-key-9876543210');
      expect(await reconcile()).toBe('applied');
      expect(app.logLines.join('')).not.toMatch(/guard-key-0123456789|another-key-9876543210/);
    });

    it.each([
      ['a variable of the service', '{ env: ENCRYPTION_KEY }'],
      ['a file elsewhere', '{ file: ../files/gatehouse.yaml }'],
      ['a file by its whole path', '{ file: /proc/self/environ }'],
      ['a file that a link leads to', '{ file: link }'],
      ['a file that there is not', '{ file: nothing }'],
    ])('are refused with %s', async (_name, source) => {
      await symlink(path.join(root, 'files', 'gatehouse.yaml'), path.join(root, 'secrets', 'link'));
      await inFile(`${inspector(source)}guardrails:\n  - name: Checkout\n`);
      expect(await reconcile()).toBe('refused');
      expect(warnings().at(-1)).toContain('gatehouse.yaml:6: inspectors[0].api_key has no value: ');
      expect(await namesOf()).toEqual([]);
    });
  });

  describe('with keys', () => {
    const inKeyFile = (fields: string): Promise<void> => inFile(`keys:\n  - name: ci\n${fields}`);

    const newSecret = async (): Promise<string> => {
      const { plaintext } = issueSecret('api_key', organization.organizationId);
      await inSecret('ci', plaintext);
      return plaintext;
    };

    const hashOf = async (): Promise<string> => (await managed()).find(({ section }) => section === 'keys')!.id;

    const statusWith = async (key: string): Promise<number> => (await app.api.send('GET', '/key', { key })).status;

    it('take a secret that was made before, which answers 200, never again once it was deleted, and write or print none', async () => {
      const secret = await newSecret();
      await inKeyFile('    secret_to: { file: ci }\n');
      expect(await reconcile()).toBe('refused');
      expect(warnings().at(-1)).toContain('gatehouse.yaml:5: keys[0].secret_to is for commands');
      await inKeyFile('');
      expect(await reconcile()).toBe('refused');
      expect(warnings().at(-1)).toContain('gatehouse.yaml:4: keys[0].secret_from has no value for a new key');
      expect(await app.rows('SELECT FROM api_keys WHERE name = $1', ['ci'])).toEqual([]);

      await inKeyFile('    secret_from: { file: ci }\n');
      expect(await reconcile()).toBe('applied');
      expect(await statusWith(secret)).toBe(200);
      expect((await send('DELETE', `/keys/${await hashOf()}`)).status).toBe(200);
      expect(await reconcile()).toBe('refused');
      expect(warnings().at(-1)).toContain('gatehouse.yaml:5: keys[0].secret_from ');
      expect(await statusWith(secret)).toBe(401);

      const next = await newSecret();
      expect(await reconcile()).toBe('applied');
      expect(await statusWith(next)).toBe(200);
      expect(await namesOf()).toEqual(['ci']);
      await send('DELETE', `/keys/${await hashOf()}`);
    });

    it('leave a key disabled that a person has disabled, which answers 401, and show it as drift', async () => {
      const secret = await newSecret();
      await inKeyFile('    secret_from: { file: ci }\n    disabled: false\n');
      expect(await reconcile()).toBe('applied');
      await send('PATCH', `/keys/${await hashOf()}`, { disabled: true });
      for (let round = 0; round < 2; round += 1) {
        expect(await reconcile()).toBe('unchanged');
        expect(await statusWith(secret)).toBe(401);
        expect(await sample('gatehouse_managed_objects_drifted')).toBe(1);
      }
      await inKeyFile('    secret_from: { file: ci }\n    disabled: false\n    limit: 5\n');
      expect(await reconcile()).toBe('applied');
      expect(await reconcile()).toBe('unchanged');
      expect(await statusWith(secret)).toBe(401);
      await send('DELETE', `/keys/${await hashOf()}`);
    });
  });

  it('put right what has drifted, which a metric shows until then', async () => {
    await inFile('guardrails:\n  - name: Checkout\n    description: Ours\n');
    await reconcile();
    expect(await sample('gatehouse_managed_objects_drifted')).toBe(0);
    const [guardrail] = await managed();
    await send('PATCH', `/guardrails/${guardrail!.id}?override=true`, { description: 'By hand' });
    expect(await sample('gatehouse_managed_objects_drifted', undefined, replica)).toBe(1);
    expect(await reconcile()).toBe('applied');
    expect(await sample('gatehouse_managed_objects_drifted')).toBe(0);
    const { body } = await send<{ data: object }>('GET', `/guardrails/${guardrail!.id}`);
    expect(body.data).toMatchObject({ description: 'Ours' });

    await send('DELETE', `/guardrails/${guardrail!.id}?override=true`);
    expect(await sample('gatehouse_managed_objects_drifted')).toBe(1);
    expect(await reconcile()).toBe('applied');
    expect(await sample('gatehouse_managed_objects_drifted')).toBe(0);
    expect(await namesOf()).toEqual(['Checkout']);
  });

  it('say when they were last applied, by every process', async () => {
    const name = 'gatehouse_configuration_reconciled_timestamp_seconds';
    expect(await sample(name, undefined, replica)).toBe(0);
    await inFile('guardrails:\n  - name: Checkout\n');
    await reconcile();
    const [row] = await app.rows<{ seconds: number }>(
      'SELECT extract(epoch FROM reconciled_at)::float8 AS seconds FROM configuration_turns',
    );
    expect(await sample(name, undefined, replica)).toBe(row!.seconds);
    await inFile('guardrails:\n  - names: Checkout\n');
    expect(await reconcile()).toBe('refused');
    expect(await sample(name)).toBe(row!.seconds);
  });

  it('leave alone, without pruning, what no file has any more, and count no object as drifted that is gone', async () => {
    const careful = await app.replica({ ...variables, CONFIG_DIR_PRUNE: 'false' });
    await inFile('guardrails:\n  - name: Checkout\n  - name: Support\n');
    expect(await reconcile(careful)).toBe('applied');
    await inFile('guardrails:\n  - name: Checkout\n');
    expect(await reconcile(careful)).toBe('unchanged');
    expect(await namesOf()).toEqual(['Checkout', 'Support']);
    const checkout = (await managed()).find(({ name }) => name === 'Checkout')!;
    await send('DELETE', `/guardrails/${checkout.id}?override=true`);
    expect(await reconcile(careful)).toBe('applied');
    expect(await namesOf()).toEqual(['Checkout', 'Support']);
    expect(await sample('gatehouse_managed_objects_drifted')).toBe(0);
  });

  it('are about the organization that is named, or nothing', async () => {
    const second = await app.factory.organization();
    await inFile('guardrails:\n  - name: Checkout\n');
    const named = await app.replica({ ...variables, CONFIG_DIR_ORGANIZATION_ID: second.organizationId });
    expect(await reconcile(named)).toBe('applied');
    expect(await app.rows('SELECT organization_id FROM managed_objects')).toEqual([
      { organization_id: second.organizationId },
    ]);
    const wrong = await app.replica({ ...variables, CONFIG_DIR_ORGANIZATION_ID: `org_${'0'.repeat(32)}` });
    expect(await reconcile(wrong)).toBe('refused');
  });
});
