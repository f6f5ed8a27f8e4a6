import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OPERATIONS } from '../../../src/cli/interface/operations.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import type { Ending } from '../../support/processes/gatehouse-process.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { runCommand } from '../../support/processes/run-command.js';
import { MemberStates } from '../../support/resources/members.js';
import { operatorKey } from '../../support/resources/provider-connections.js';
import { configurationInterface, fileOf } from '../configuration/configuration-interface.js';

const UNKNOWN = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80';
const UNKNOWN_USER = 'user_019aa3f05b1e7c409d0e3d1c2b4a5f80';
const PROVIDER_KEY = 'sk-LOOK-FOR-ME-0123456789';

/** What is different in each run. */
const DIFFERENT: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z]{2}-gate-v2-[\w.-]+/g, 'SECRET'],
  [/\b(org|user)_[0-9a-f]{32}/g, '$1'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b[0-9a-f]{64}\b/g, 'HASH'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\d+ ms\b/g, 'MS'],
  [/administrator-\d+@/gi, 'administrator@'],
  [/Administrator \d+/g, 'Administrator'],
];

const withoutDifferences = ({ stdout, stderr, code }: Ending): object => {
  const same = (text: string): string => DIFFERENT.reduce((rest, [form, word]) => rest.replace(form, word), text);
  return { code, stdout: same(stdout), stderr: same(stderr) };
};

describe('commands with GATEHOUSE_URL', () => {
  const { app, organization, send } = configurationInterface();
  let directory: string;
  let provider: ProviderServer;

  beforeAll(async () => {
    await app.factory.starterCatalog();
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-remote-'));
    provider = await ProviderServer.start();
    provider.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
  });

  afterAll(async () => {
    await provider.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const server = (key = organization.managementKey): Record<string, string> => ({
    INIT_CWD: directory,
    GATEHOUSE_URL: app.origin,
    GATEHOUSE_KEY: key,
  });

  const database = (): Record<string, string> => ({
    INIT_CWD: directory,
    DATABASE_URL: app.database.serviceUrl,
    ENCRYPTION_KEY: '11'.repeat(32),
    PROVIDER_KEY,
  });

  it('evaluate a guardrail by the interface, without a database', async () => {
    const { body } = await send<{ data: { id: string } }>('POST', '/guardrails', { name: 'Checkout' });
    const request = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };
    await writeFile(path.join(directory, 'request.json'), JSON.stringify(request));
    const evaluate = ['guardrail', 'evaluate', body.data.id, '--request', 'request.json'];

    const { code, stdout, stderr } = await runCommand([...evaluate, '--json'], server());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'admitted', guardrails: [{ name: 'Checkout' }] });
    const unknown = ['guardrail', 'evaluate', UNKNOWN, '--request', 'request.json'];
    expect(await runCommand(unknown, server())).toMatchObject({
      code: 1,
      stderr: 'It is refused: 404 guardrail_not_found.\n',
    });
  });

  describe('say the same as on the database', () => {
    /** What an organization needs before, and the words of the command. */
    type Prepare = (one: NewOrganization) => readonly string[] | Promise<readonly string[]>;

    const member = async (one: NewOrganization, state?: 'deactivate' | 'end'): Promise<string> => {
      const states = new MemberStates(app, () => one.organizationId);
      const added = { name: 'Grace Brewster Hopper', email: 'grace@example.com', role: 'member' } as const;
      const [id] = await states.add([added]);
      if (state !== undefined) await states[state]([id!]);
      return id!;
    };

    const token = async (one: NewOrganization): Promise<string> => {
      const { body } = await app.api.send<{ data: { id: string } }>('POST', '/scim/tokens', {
        key: one.managementKey,
        json: { name: 'Okta' },
      });
      return body.data.id;
    };

    const transferOfManaged = async (one: NewOrganization, ...options: string[]): Promise<string[]> => {
      const { managementKey: key } = one;
      const json = { files: [fileOf({ keys: [{ name: 'ci' }] })] };
      expect((await app.api.send('POST', '/configuration/apply', { key, json })).status).toBe(200);
      return ['member', 'transfer-keys', one.userId, await member(one), ...options];
    };

    const rows: readonly (readonly [title: string, code: number, Prepare])[] = [
      ['member add', 0, () => ['member', 'add', 'Ada Lovelace', '--email', 'ada@example.com', '--role', 'admin']],
      ['member add of a service', 0, () => ['member', 'add', 'Deploy', '--kind', 'service']],
      [
        'member add with an address that another has',
        1,
        async (one) => {
          await member(one);
          return ['member', 'add', 'Other', '--email', 'Grace@example.com'];
        },
      ],
      [
        'member list of 120',
        0,
        async (one) => {
          await member(one, 'end');
          const names = Array.from({ length: 118 }, (_, index) => `Member ${index}`);
          const added = names.map((name, index) => ({ name, email: `${index}@example.com`, role: 'member' as const }));
          await new MemberStates(app, () => one.organizationId).add(added);
          return ['member', 'list'];
        },
      ],
      ['member role', 0, async (one) => ['member', 'role', await member(one), 'admin']],
      ['member role, as before', 0, async (one) => ['member', 'role', await member(one), 'member']],
      ['member role of no member', 1, () => ['member', 'role', UNKNOWN_USER, 'member']],
      ['member deactivate', 0, async (one) => ['member', 'deactivate', await member(one)]],
      ['member deactivate, as before', 0, async (one) => ['member', 'deactivate', await member(one, 'deactivate')]],
      ['member deactivate of one who has ended', 1, async (one) => ['member', 'deactivate', await member(one, 'end')]],
      ['member reactivate', 0, async (one) => ['member', 'reactivate', await member(one, 'deactivate')]],
      [
        'member transfer-keys',
        0,
        async (one) => {
          await app.factory.key(one);
          return ['member', 'transfer-keys', one.userId, await member(one)];
        },
      ],
      ['member transfer-keys of one that files configure', 1, (one) => transferOfManaged(one)],
      [
        'member transfer-keys of one that files configure, nevertheless',
        0,
        (one) => transferOfManaged(one, '--override'),
      ],
      ['member transfer-keys to no member', 1, (one) => ['member', 'transfer-keys', one.userId, UNKNOWN_USER]],
      ['member transfer-keys from no member', 1, (one) => ['member', 'transfer-keys', UNKNOWN_USER, one.userId]],
      [
        'member erase',
        0,
        async (one) => {
          const id = await member(one, 'deactivate');
          return ['member', 'erase', id, '--confirm', id];
        },
      ],
      ['member erase of an active one', 1, (one) => ['member', 'erase', one.userId, '--confirm', one.userId]],
      ['management-key', 0, () => ['management-key', '--name', 'CI', '--scopes', 'keys_read,usage_read']],
      ['scim token create', 0, () => ['scim', 'token', 'create', '--name', 'Okta']],
      ['scim token create in the past', 1, () => ['scim', 'token', 'create', '--expires', '2020-01-01T00:00:00Z']],
      [
        'scim token create of a third one',
        1,
        async (one) => {
          await token(one);
          await token(one);
          return ['scim', 'token', 'create'];
        },
      ],
      [
        'scim token list',
        0,
        async (one) => {
          await token(one);
          return ['scim', 'token', 'list'];
        },
      ],
      ['scim token list of none', 0, () => ['scim', 'token', 'list']],
      ['scim token revoke', 0, async (one) => ['scim', 'token', 'revoke', await token(one)]],
      ['scim token revoke of none', 1, () => ['scim', 'token', 'revoke', UNKNOWN]],
    ];

    const both = async (prepare: Prepare, further: readonly string[] = []): Promise<readonly [Ending, Ending]> => {
      const [here, there] = [await app.factory.organization(), await app.factory.organization()];
      const words = [...(await prepare(here)), ...further, '--organization', here.organizationId];
      return [
        await runCommand(words, database()),
        await runCommand([...(await prepare(there)), ...further], server(there.managementKey)),
      ];
    };

    it.each(rows)('%s', async (_title, code, prepare) => {
      for (const further of [[], ['--json']]) {
        const [local, remote] = await both(prepare, further);
        expect(withoutDifferences(remote)).toEqual(withoutDifferences(local));
        expect(remote.code).toBe(code);
        expect(code === 0 ? remote.stdout : remote.stderr).not.toBe('');
        expect(code === 0 ? remote.stderr : remote.stdout).toBe('');
      }
    });

    it.each([
      ['audit list', ['audit', 'list']],
      ['audit list of two', ['audit', 'list', '--limit', '2', '--offset', '1']],
      ['audit list of more than a page', ['audit', 'list', '--limit', '1000', '--json']],
      ['audit list of an action', ['audit', 'list', '--action', 'member.create']],
      ['audit export', ['audit', 'export', '--after', '3']],
    ])('%s', async (_title, words) => {
      const { organizationId, managementKey } = organization;
      const names = Array.from({ length: 110 }, (_, index) => ({
        name: `${index}`,
        email: '',
        role: 'member' as const,
      }));
      await new MemberStates(app, () => organizationId).add(names.map((one) => ({ ...one, kind: 'service' as const })));
      const local = await runCommand([...words, '--organization', organizationId], database());
      const remote = await runCommand(words, server(managementKey));
      expect(remote).toEqual(local);
      expect(remote).toMatchObject({ code: 0, stdout: expect.stringContaining('member.create') as string });
    });

    describe('of providers', () => {
      let key: string;

      beforeEach(async () => {
        key = await operatorKey(app, organization);
      });

      afterEach(() => app.rows('DELETE FROM provider_connections'));

      const stored = async (): Promise<void> => {
        const request = { baseUrl: provider.baseUrl, apiKey: PROVIDER_KEY, timeouts: {}, models: {} };
        await app.application.get(ConnectionsService).connect({ provider: 'inferact-vllm', ...request });
      };

      it.each([
        [
          'provider connect',
          0,
          () => ['connect', 'inferact-vllm', '--base-url', provider.baseUrl, '--api-key-env', 'PROVIDER_KEY'],
        ],
        ['provider list', 0, () => ['list']],
        ['provider test', 0, () => ['test', 'inferact-vllm']],
        ['provider test of the builtin one', 0, () => ['test', 'gatehouse']],
        ['provider test of none', 1, () => ['test', 'groq']],
        ['provider disconnect', 0, () => ['disconnect', 'inferact-vllm']],
        ['provider disconnect of none', 1, () => ['disconnect', 'groq']],
      ] as const)('%s', async (_title, code, words) => {
        for (const further of [[], ['--json']]) {
          await stored();
          const local = await runCommand(['provider', ...words(), ...further], database());
          await app.rows('DELETE FROM provider_connections');
          await stored();
          const remote = await runCommand(['provider', ...words(), ...further], { ...server(key), PROVIDER_KEY });
          expect(withoutDifferences(remote)).toEqual(withoutDifferences(local));
          expect(remote.code).toBe(code);
          expect(code === 0 ? remote.stdout : remote.stderr).not.toBe('');
          expect(`${remote.stdout}${remote.stderr}`).not.toContain(PROVIDER_KEY);
        }
      });

      it('are not there for the key of another organization', async () => {
        const { managementKey } = await app.factory.organization();
        expect(await runCommand(['provider', 'list'], server(managementKey))).toMatchObject({
          code: 1,
          stderr: 'The server does not have this operation, or not for the organization of GATEHOUSE_KEY.\n',
        });
      });
    });
  });

  it.each([
    'organization list',
    'init',
    'sign-in-link',
    'catalog import any.json',
    'model list',
    'model remove acme/chat',
    'scim list',
    'scim enable',
    'scim add-group Engineering',
    'scim reactivate --deactivated-since 2026-01-01',
    'audit verify',
    'audit list --deployment',
    'migrate',
    'rotate-encryption',
    'distribute',
    'demo',
  ])('say that they need the database, before they open one: %s', async (words) => {
    await writeFile(path.join(directory, 'any.json'), '{}');
    expect(await runCommand(words.split(' '), server())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('unset GATEHOUSE_URL') as string,
    });
  });

  it('name operations as the document of the interface has them', () => {
    const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject;
    const known = Object.entries(document.paths).flatMap(([route, item]) =>
      Object.entries(item).map(([method, { operationId }]: [string, { operationId: string }]) => [
        operationId,
        { method: method.toUpperCase(), path: route.replace('/api/v1', '') },
      ]),
    );
    expect(Object.fromEntries(known)).toMatchObject(OPERATIONS);
  });

  describe('say in one sentence', () => {
    let other: Server;
    let answer: { status: number; headers?: Record<string, string>; body: string };

    beforeAll(async () => {
      other = createServer((_request, response) => {
        response.writeHead(answer.status, answer.headers).end(answer.body);
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    });

    afterAll(() => other.close());

    const origin = (): string => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

    const saidOf = async (variables: Record<string, string>, words = ['member', 'list']): Promise<string> => {
      const { code, stdout, stderr } = await runCommand(words, { ...server(), ...variables });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).not.toMatch(/-gate-v2-/);
      return stderr;
    };

    it('that the key is none of the server (401), is for inference (403), or lacks permissions (403)', async () => {
      const unknown = `${organization.managementKey.slice(0, -4)}0000`;
      expect(await saidOf({ GATEHOUSE_KEY: unknown })).toBe('GATEHOUSE_KEY is refused: 401 invalid_credential.\n');
      const { plaintext } = await app.factory.key(organization);
      expect(await saidOf({ GATEHOUSE_KEY: plaintext })).toBe(
        'GATEHOUSE_KEY may not do this: 403 credential_kind_not_allowed.\n',
      );
      const scopes = ['usage_read'] as const;
      const restricted = await app.factory.key(organization, { kind: 'management_key', scopes: [...scopes] });
      expect(await saidOf({ GATEHOUSE_KEY: restricted.plaintext })).toBe(
        'GATEHOUSE_KEY lacks these permissions: organization_members_read.\n',
      );
    });

    it('that a key cannot be of another person', async () => {
      expect(await saidOf({}, ['management-key', '--user', UNKNOWN_USER])).toBe(
        `By the interface a key is of the owner of GATEHOUSE_KEY, or of a service account: ${UNKNOWN_USER} is neither.\n`,
      );
    });

    it('what is missing in the environment, or too much', async () => {
      expect(await saidOf({ GATEHOUSE_KEY: '' })).toBe('GATEHOUSE_URL needs GATEHOUSE_KEY: a management key.\n');
      expect(await saidOf({ GATEHOUSE_URL: 'gatehouse' })).toContain('must be an address');
      expect(await saidOf({}, ['member', 'list', '--organization', organization.organizationId])).toBe(
        'With GATEHOUSE_URL the organization is that of the key.\n',
      );
    });

    it('that nothing listens, or not with TLS', async () => {
      const closed = createServer();
      await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      const form = /^https?:\/\/\S+\/api\/v1\/organization\/members gives no answer: \S.*\.\n$/;
      const refused = await saidOf({ GATEHOUSE_URL: `http://127.0.0.1:${port}` });
      expect(refused).toMatch(form);
      expect(refused).toContain('ECONNREFUSED');
      expect(await saidOf({ GATEHOUSE_URL: origin().replace('http', 'https') })).toMatch(form);
    });

    it.each([
      [200, '<html>', 'answers 200 with something else than the interface: GATEHOUSE_URL may be wrong.'],
      [200, '[]', 'answers 200 with something else than the interface: GATEHOUSE_URL may be wrong.'],
      [
        404,
        '{"detail":"Not Found"}',
        'answers 404 with something else than the interface: GATEHOUSE_URL may be wrong.',
      ],
      [502, '', 'answers 502 with something else than the interface: GATEHOUSE_URL may be wrong.'],
      [500, '{"error":{"code":500,"message":"Internal Server Error"}}', 'answers 500: Internal Server Error.'],
    ])('that the answer is none of the interface: %i with %s', async (status, body, said) => {
      answer = { status, body };
      expect(await saidOf({ GATEHOUSE_URL: origin() })).toContain(said);
      expect(await saidOf({ GATEHOUSE_URL: origin() }, ['audit', 'export'])).toContain(said);
    });

    it('when to ask again (429)', async () => {
      const error = { code: 429, message: 'Too Many', metadata: { reason: 'too_many_requests' } };
      answer = { status: 429, headers: { 'retry-after': '7' }, body: JSON.stringify({ error }) };
      expect(await saidOf({ GATEHOUSE_URL: origin() })).toBe(
        'The server takes no more requests now: 429 too_many_requests, try again in 7 seconds.\n',
      );
    });
  });
});
