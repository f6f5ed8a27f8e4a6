import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import type { Ending } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';
import { pasted } from '../docs/pasted.js';
import { configurationInterface } from './configuration-interface.js';

const SECRET = 'sk-ant-in-clear-0123456789';

const CONFIG = `environment_variables: { AZURE_BASE: "https://acme-europe.openai.azure.com/" }
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-eu
      api_base: os.environ/AZURE_BASE
      api_key: os.environ/AZURE_KEY_EU
      api_version: "2024-10-21"
      rpm: 60
    model_info: { base_model: azure/gpt-4o }
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY, rpm: 40, temperature: 0.5 }
  - model_name: claude-3.7
    litellm_params: { model: anthropic/claude-sonnet-4-5-20250929, api_key: ${SECRET}, max_tokens: 512 }
    model_info: { access_groups: [writers] }
  - model_name: local
    litellm_params: { model: hosted_vllm/llama-70b, api_base: "https://models.example.com/v1/chat/completions", api_key: none }
    model_info: { input_cost_per_token: 2e-07, output_cost_per_token: "8e-07" }
  - model_name: embed
    litellm_params: { model: text-embedding-3-small, tpm: 1000 }
  - model_name: sagemaker
    litellm_params: { model: sagemaker/jumpstart }
  - model_name: unknown
    litellm_params: { model: groq/who-knows }
litellm_settings:
  drop_params: true
  success_callback: [langfuse]
  max_budget: 1000
  budget_duration: 10d
router_settings:
  routing_strategy: latency-based-routing
  model_group_alias: { gpt-4: gpt-4o, hidden: { model: claude-3.7, hidden: true } }
  fallbacks: [{ claude-3.7: [gpt-4o, nobody] }]
  context_window_fallbacks: [{ gpt-4o: [claude-3.7] }]
  provider_budget_config: { openai: { budget_limit: 100, time_period: 1d } }
general_settings: { master_key: sk-1234 }
`;

const TEAMS = [
  {
    ...{ team_id: 't-1', team_alias: 'Payments', spend: 3.5, blocked: false, metadata: {} },
    ...{ max_budget: 500, budget_duration: '30d', rpm_limit: 100, tpm_limit: null, models: ['gpt-4o'] },
    members_with_roles: [{ user_id: 'a', role: 'admin' }],
  },
];

const KEYS = [
  { key_alias: 'checkout', team_id: 't-1', max_budget: 20, budget_duration: '1d', models: ['all-team-models'] },
  { key_alias: 'writer', tpm_limit: 1_000, models: ['writers'], expires: '2999-01-01T00:00:00', budget_id: 'b-1' },
  { key_alias: 'old', expires: '2020-01-01T00:00:00Z' },
  { key_alias: 'blocked', blocked: true },
  { key_alias: 'lost', team_id: 't-9' },
  { key_alias: 'powerless', models: ['unknown'] },
];

const BUDGETS = [{ budget_id: 'b-1', max_budget: 7, budget_duration: '7d' }];

describe('gatehouse import litellm', () => {
  const { app, organization, send } = configurationInterface();
  let directory: string;

  beforeAll(() => app.factory.starterCatalog());

  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-litellm-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const inFile = (name: string, text: string): Promise<void> => writeFile(path.join(directory, name), text);

  const gatehouse = (words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Ending> =>
    runCommand(words, { INIT_CWD: directory, ...variables });

  const imported = async (text: string, ...words: string[]): Promise<Ending> => {
    await inFile('config.yaml', text);
    return gatehouse(['import', 'litellm', 'config.yaml', ...words]);
  };

  const withAccounts = async (...words: string[]): Promise<Ending> => {
    await inFile('teams.json', JSON.stringify(TEAMS));
    await inFile('keys.json', JSON.stringify({ keys: KEYS, total_count: 3 }));
    await inFile('budgets.json', JSON.stringify(BUDGETS));
    const lists = ['--teams', 'teams.json', '--keys', 'keys.json', '--budgets', 'budgets.json'];
    return imported(CONFIG, ...lists, '--model', 'local=meta-llama/llama-3.3-70b-instruct', ...words);
  };

  it('writes models, keys, teams, budgets, fallbacks and aliases, and no secret', async () => {
    const { code, stdout, stderr } = await withAccounts();

    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(SECRET);
    const own = [
      { slug: 'acme-europe-openai-azure-com', base_url: 'https://acme-europe.openai.azure.com/openai/v1' },
      { slug: 'models-example-com', base_url: 'https://models.example.com/v1' },
    ];
    const [azure, local] = own.map(({ slug }) => slug);
    expect(parse(stdout)).toMatchObject({
      apiVersion: 'gatehouse/v1',
      owner: 'litellm',
      workspaces: [{ slug: 'payments', name: 'Payments', rate_limits: { requests_per_minute: 100 } }],
      private_providers: own,
      private_endpoints: [
        { provider_slug: azure, model_permaslug: 'openai/gpt-4o', upstream_model_id: 'gpt-4o-eu' },
        {
          provider_slug: local,
          model_permaslug: 'meta-llama/llama-3.3-70b-instruct',
          pricing: { prompt: '0.0000002', completion: '0.0000008' },
        },
      ],
      keys: [
        { name: 'checkout', workspace: 'payments', limit: 20, limit_reset: 'daily', include_byok_in_limit: true },
        {
          ...{ name: 'writer', limit: 7, limit_reset: 'weekly', expires_at: '2999-01-01T00:00:00.000Z' },
          rate_limits: { tokens_per_minute: 1_000 },
        },
      ],
      guardrails: [{ allowed_models: ['anthropic/claude-sonnet-4.5'], assigned_keys: ['writer'] }],
      default_guardrails: [{ workspace: 'payments', allowed_models: ['openai/gpt-4o'] }],
      limits: [
        { measure: 'usd', amount: 1_000, window: 'monthly', include_byok: true },
        { conditions: [{ key: 'provider', values: ['openai'] }], amount: 100, window: 'daily' },
        { conditions: [{ values: ['openai/gpt-4o'] }, { values: [azure] }], measure: 'requests', amount: 60 },
        { conditions: [{ values: ['openai/gpt-4o'] }, { values: ['openai'] }], measure: 'requests', amount: 40 },
        { conditions: [{ values: ['openai/text-embedding-3-small'] }, {}], measure: 'tokens', amount: 1_000 },
        { name: 'Budget of Payments', workspace: 'payments', amount: 500, window: 'monthly', include_byok: true },
      ],
      presets: [
        {
          slug: 'gpt-4o',
          config: {
            model: 'openai/gpt-4o',
            models: ['anthropic/claude-sonnet-4.5'],
            provider: { only: [azure, 'openai', 'anthropic'], sort: 'latency' },
          },
        },
        {
          slug: 'claude-3-7',
          config: { model: 'anthropic/claude-sonnet-4.5', models: ['openai/gpt-4o'], max_tokens: 512 },
        },
        { slug: 'local', config: { provider: { only: [local] } } },
        { slug: 'gpt-4', config: { model: 'openai/gpt-4o' } },
        { slug: 'hidden', config: { model: 'anthropic/claude-sonnet-4.5' } },
        { slug: 'gpt-4o', workspace: 'payments' },
        { slug: 'gpt-4', workspace: 'payments' },
      ],
    });
    const { provider_keys: keys } = parse(stdout) as { provider_keys: { workspace?: string; key: object }[] };
    expect(keys.filter(({ workspace }) => workspace === undefined).map(({ key }) => key)).toEqual([
      { env: 'AZURE_KEY_EU' },
      { env: 'OPENAI_API_KEY' },
      { env: 'LITELLM_ANTHROPIC_API_KEY' },
      { env: 'LITELLM_MODELS_EXAMPLE_COM_API_KEY' },
    ]);
    expect(keys.filter(({ workspace }) => workspace === 'payments')).toHaveLength(4);
  });

  it('lists what has no place and what is to do with file, line, path and reason, in words and as JSON', async () => {
    const { stderr } = await withAccounts();
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining([
        'Without a place:',
        expect.stringMatching(/^config\.yaml:22: model_list\[5\]\.litellm_params: .*sagemaker/),
        expect.stringMatching(/^config\.yaml:24: model_list\[6\]\.litellm_params: .*--model unknown=AUTHOR\/SLUG/),
        expect.stringMatching(/^config\.yaml:12: model_list\[1\]\.litellm_params: parameters are those of the first/),
        expect.stringMatching(/^config\.yaml:26: litellm_settings\.drop_params: /),
        expect.stringMatching(/^config\.yaml:27: litellm_settings\.success_callback: .*destinations/),
        expect.stringMatching(/^config\.yaml:33: router_settings\.fallbacks\[0\]\.claude-3\.7: .*nobody/),
        expect.stringMatching(/^config\.yaml:36: general_settings\.master_key: /),
        expect.stringMatching(/^teams\.json:1: \[0\]\.members_with_roles: /),
        expect.stringMatching(/^keys\.json:1: keys\[2\]: it has expired$/),
        expect.stringMatching(/^keys\.json:1: keys\[3\]: what is blocked/),
        expect.stringMatching(/^keys\.json:1: keys\[4\]: no team is t-9/),
        expect.stringMatching(/^keys\.json:1: keys\[5\]: none of its models/),
        'To do:',
        expect.stringMatching(/^config\.yaml:14: .*\.api_key: is a secret in clear: set LITELLM_ANTHROPIC_API_KEY/),
        expect.stringMatching(/^config\.yaml:29: litellm_settings\.budget_duration: there is no window of 10d/),
      ]),
    );

    const { code, stdout, stderr: nothing } = await withAccounts('--json', '--out', 'out.yaml');
    expect({ code, nothing }).toEqual({ code: 0, nothing: '' });
    const { out, left_out: leftOut } = JSON.parse(stdout) as { out: string; left_out: object[] };
    expect(out).toBe('out.yaml');
    expect(leftOut).toContainEqual({
      file: 'config.yaml',
      line: 36,
      path: 'general_settings.master_key',
      reason: 'management keys are made by `gatehouse management-key`',
    });
    expect(await withAccounts('--out', 'out.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EEXIST') as string,
    });
  });

  it('writes a file that validate and apply take: the organization has the models, keys and limits', async () => {
    expect(await withAccounts('--out', 'gatehouse.yaml')).toMatchObject({ code: 0, stdout: '' });
    expect(await gatehouse(['validate', '-f', 'gatehouse.yaml'])).toMatchObject({ code: 0, stderr: '' });
    const server = { GATEHOUSE_URL: app.origin, GATEHOUSE_KEY: organization.managementKey };
    const secrets = {
      AZURE_KEY_EU: 'azure-0123456789abcdef',
      OPENAI_API_KEY: 'sk-0123456789abcdef',
      LITELLM_ANTHROPIC_API_KEY: SECRET,
      LITELLM_MODELS_EXAMPLE_COM_API_KEY: 'none',
    };
    const applied = await gatehouse(['apply', '-f', 'gatehouse.yaml'], { ...server, ...secrets });
    expect(applied).toMatchObject({ code: 0, stderr: '' });

    const names = async (list: string, field: string): Promise<unknown[]> => {
      const { body } = await send<{ data: Record<string, unknown>[] }>('GET', list);
      return body.data.map((one) => one[field]);
    };
    expect(await names('/keys', 'name')).toEqual(expect.arrayContaining(['checkout', 'writer']));
    expect(await names('/limits', 'name')).toEqual(expect.arrayContaining(['Budget of Payments', 'Budget of openai']));
    expect(await names('/private-endpoints', 'status')).toEqual(['draft', 'draft']);
    expect(await names('/presets?workspace_id=' + (await workspaceId()), 'slug')).toEqual(
      expect.arrayContaining(['gpt-4o', 'gpt-4']),
    );
    const { body } = await send<{ data: { designated_version: { config: object } } }>('GET', '/presets/claude-3-7');
    expect(body.data.designated_version.config).toMatchObject({
      model: 'anthropic/claude-sonnet-4.5',
      max_tokens: 512,
    });
    expect(await gatehouse(['diff', '-f', 'gatehouse.yaml'], { ...server, ...secrets })).toMatchObject({ code: 0 });
  });

  const workspaceId = async (): Promise<string> => {
    const { body } = await send<{ data: { id: string; slug: string }[] }>('GET', '/workspaces');
    return body.data.find(({ slug }) => slug === 'payments')!.id;
  };

  it.each([
    ['no YAML', 'model_list: [', /^config\.yaml:\d+: /],
    ['a list', '- model_list\n', /^config\.yaml:1: must be a mapping$/m],
    ['nothing', '# only a comment\n', /^config\.yaml: there is no document\.$/m],
    ['two documents', 'a: 1\n---\nb: 2\n', /^config\.yaml: must have one document\.$/m],
    ['a mapping of models', 'model_list: { a: b }\n', /^config\.yaml:1: model_list must be a list$/m],
    ['a model that is a text', 'model_list:\n  - gpt-4o\n', /^config\.yaml:2: model_list\[0\] must be a mapping$/m],
    [
      'parameters without a model',
      'model_list:\n  - model_name: a\n    litellm_params: {}\n',
      /^config\.yaml:3: model_list\[0\]\.litellm_params\.model must be given$/m,
    ],
    [
      'a rate in words',
      'model_list:\n  - model_name: a\n    litellm_params:\n      model: openai/gpt-4o\n      rpm: many\n',
      /^config\.yaml:5: model_list\[0\]\.litellm_params\.rpm must be a number from 0$/m,
    ],
    [
      'a strange duration',
      'litellm_settings:\n  max_budget: 1\n  budget_duration: soon\n',
      /^config\.yaml:3: .*as 30d$/m,
    ],
    ['a field twice', 'model_list: []\nmodel_list: []\n', /^config\.yaml:2: /],
  ])('names file and line of %s, and writes nothing', async (_, text, message) => {
    const { code, stdout, stderr } = await imported(text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(await imported(text, '--out', 'out.yaml')).toMatchObject({ code: 1 });
    await expect(readFile(path.join(directory, 'out.yaml'))).rejects.toThrow('ENOENT');
  });

  it('refuses files that are very large, and aliases that would make them so', async () => {
    const large = await imported(`model_list: []\n# ${'x'.repeat(10 * 1024 * 1024)}`);
    expect(large).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^config\.yaml cannot be read: .*bytes/) as string,
    });
    const levels = Array.from({ length: 8 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
      return `a${level}: &a${level} [${items.join(', ')}]`;
    });
    const bomb = await imported(levels.join('\n'));
    expect(bomb).toMatchObject({ code: 1, stderr: expect.stringContaining('alias') as string });
  });

  it('is done as its page says: its commands are pasted into bash', async () => {
    const page = await readFile('docs/how-to/from-litellm.md', 'utf8');
    const blocks = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
    const command = `"${process.execPath}" "${path.resolve('bin/gatehouse.mjs')}"`;
    const lines = [`cd "${directory}"`, `gatehouse() { INIT_CWD="$PWD" ${command} "$@"; }`, ...blocks].join('\n');
    const given = lines.replace('sk-...', 'sk-0123456789abcdef').replace('sk-ant-...', 'sk-ant-0123456789');
    const variables = { GATEHOUSE_URL: app.origin, GATEHOUSE_KEY: organization.managementKey };

    const { code, stdout, stderr } = await pasted(given, variables);

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('1 without a place, 0 to do') as string,
    });
    expect(stdout).toMatch(/\nApplied\.\n$/);
    const { body } = await send<{ data: { designated_version: { config: object } } }>('GET', '/presets/gpt-4');
    expect(body.data.designated_version.config).toMatchObject({
      model: 'openai/gpt-5.5',
      models: ['anthropic/claude-sonnet-4.6'],
      provider: { only: ['openai', 'anthropic'] },
    });
  }, 120_000);
});
