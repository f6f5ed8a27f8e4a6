import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { parse } from 'yaml';
import { offlineApplication } from '../../../src/cli/offline-application.js';
import { ConfiguredKinds, readFiles } from '../../../src/modules/configuration/index.js';
import { runCommand } from '../../support/processes/run-command.js';
import { RANDOM_LISTS } from './random-files.js';

const HEAD = { apiVersion: 'gatehouse/v1', owner: 'platform' };
const INSPECTOR = { name: 'Guard', url: 'https://guard.example.com' };
const SIGN_IN = { name: 'Acme', issuer: 'https://id.example.com', client_id: 'gatehouse' };
const LIMIT = { name: 'Agents', measure: 'usd', amount: 5, window: 'daily', group_by: ['user'] };

const RIGHT: readonly (readonly [string, object])[] = [
  ['an empty list', { keys: [] }],
  [
    'secrets by reference',
    { inspectors: [{ ...INSPECTOR, api_key: { env: 'A' }, headers: { 'x-a': { file: 'b' } } }] },
  ],
  ['a secret that stays', { sign_in_connections: [{ ...SIGN_IN, client_secret: { keep: true } }] }],
  ['a reference with its workspace', { alerts: [{ name: 'A', kind: 'limit', limit: 'L', destination: 'D' }] }],
  ['budgets of own keys', { workspaces: [{ slug: 'a', name: 'A', include_byok_in_budgets: true }] }],
  ['an exception', { limits: [{ ...LIMIT, exceptions: [{ values: { user: 'a' }, amount: 9, until: null }] }] }],
  ['null, which clears', { keys: [{ name: 'a', limit: null, rate_limits: null }] }],
];

const WRONG: readonly (readonly [string, object])[] = [
  ['another version', { apiVersion: 'gatehouse/v2' }],
  ['an owner with a space', { owner: 'the platform' }],
  ['an unknown list', { keyz: [] }],
  ['a list that is an object', { keys: { name: 'a' } }],
  ['an entry that is a text', { keys: ['a'] }],
  ['an entry without its name', { keys: [{ limit: 5 }] }],
  ['an unknown field', { guardrails: [{ name: 'a', allowed_modles: [] }] }],
  ['a text for a number', { keys: [{ name: 'a', limit: 'five' }] }],
  ['a word that is none of some', { keys: [{ name: 'a', limit_reset: 'yearly' }] }],
  ['a number below its least', { workspaces: [{ slug: 'a', name: 'A', budgets: { daily: 0 } }] }],
  ['a word for true', { workspaces: [{ slug: 'a', name: 'A', include_byok_in_budgets: 'yes' }] }],
  ['an unknown interval', { workspaces: [{ slug: 'a', name: 'A', budgets: { hourly: 1 } }] }],
  ['a slug with capitals', { workspaces: [{ slug: 'A', name: 'A' }] }],
  ['a secret in clear', { provider_keys: [{ name: 'a', provider: 'openai', key: 'sk-in-clear' }] }],
  ['a secret from two places', { inspectors: [{ ...INSPECTOR, api_key: { env: 'A', file: 'b' } }] }],
  ['a new secret in a variable', { keys: [{ name: 'a', secret_to: { env: 'A' } }] }],
  ['an id in place of a name', { guardrails: [{ name: 'a', assigned_keys: [7] }] }],
  ['a workspace where there is none', { inspectors: [{ ...INSPECTOR, workspace: 'production' }] }],
  ['a reference with more', { alerts: [{ name: 'A', kind: 'limit', limit: { name: 'L', workspace: 'w', id: 'x' } }] }],
  ['a missing field of an exception', { limits: [{ ...LIMIT, exceptions: [{ values: { user: 'a' } }] }] }],
];

/** What the pages show of files. */
const EXAMPLES = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => path.join('docs', file))
  .flatMap((file) => {
    const blocks = [...readFileSync(file, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block!);
    return blocks.filter((block) => block.includes('apiVersion: gatehouse/v1')).map((block) => [file, block] as const);
  });

describe('the JSON Schema of configuration files', () => {
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false }));
  const schema = JSON.parse(readFileSync('configuration.schema.json', 'utf8')) as object;
  const isOfSchema = ajv.compile(schema);

  let kinds: ConfiguredKinds;

  beforeAll(async () => {
    kinds = (await offlineApplication()).get(ConfiguredKinds);
  });

  /** What `gatehouse validate` and the schema say. */
  const judged = async (document: unknown): Promise<{ command: boolean; schema: boolean }> => {
    const { issues } = await readFiles(kinds, [{ name: 'gatehouse.yaml', documents: [document] }]);
    return { command: issues.length === 0, schema: isOfSchema(document) };
  };

  it('is printed by gatehouse schema', async () => {
    const { code, stdout } = await runCommand(['schema'], {});
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(schema);
  });

  it('takes what the pages show, as gatehouse validate does', async () => {
    expect(EXAMPLES.length).toBeGreaterThan(0);
    for (const [file, block] of EXAMPLES) {
      expect([file, await judged(parse(block))]).toEqual([file, { command: true, schema: true }]);
    }
  });

  it.each(RIGHT)('takes %s, as gatehouse validate does', async (_, lists) => {
    expect(await judged({ ...HEAD, ...lists })).toEqual({ command: true, schema: true });
  });

  it.each(WRONG)('refuses %s, as gatehouse validate does', async (_, lists) => {
    expect(await judged({ ...HEAD, ...lists })).toEqual({ command: false, schema: false });
  });

  it('takes random files that gatehouse validate takes', async () => {
    for (const lists of fc.sample(RANDOM_LISTS, { seed: 43, numRuns: 200 })) {
      const document = JSON.parse(JSON.stringify({ ...HEAD, ...lists })) as unknown;
      const { command } = await judged(document);
      expect({ errors: isOfSchema.errors, command }).toEqual({ errors: null, command: true });
    }
  });

  it('takes a variable in place of any field and item', () => {
    const name = { var: 'NAME' };
    expect(
      isOfSchema({ ...HEAD, guardrails: [{ name, allowed_models: [name], limit_usd: name, inspectors: [name] }] }),
    ).toBe(true);
    expect(isOfSchema({ ...HEAD, guardrails: [{ name, limit_usd: { var: 7 } }] })).toBe(false);
  });
});
