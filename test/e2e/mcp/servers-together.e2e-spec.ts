import type { ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newMcpServer } from '../../support/resources/mcp-servers.js';
import { ERAS, mcpGateway, type RpcAnswer } from './mcp-gateway.js';

/** Nothing listens here. */
const NOWHERE = 'http://127.0.0.1:1/mcp';

const TOOL = { name: 'find', inputSchema: { type: 'object' } };

const JSON_HEAD = { 'content-type': 'application/json' };

describe('prompts and resources of all MCP servers together', () => {
  const gateway = mcpGateway();
  const { app, organization, real, added, guarded, send } = gateway;
  const scripted = filledBefore(beforeAll, async () => ({ server: await ProviderServer.start() }));
  afterAll(() => scripted.server.stop());

  const ALL = { allowed_mcp_tools: ['docs/*', 'mail/*'] };

  const both = async (): Promise<void> => {
    await added('docs', real.modern.url);
    await added('mail', real.legacy.url);
  };

  const asked = async (key: IssuedCredential, method: string, params: object = {}): Promise<RpcAnswer> =>
    (await send(key, method, params)).body;

  /** Answers as a server of the newest revision with some results by method. */
  const play = (results: Readonly<Record<string, object>>): void =>
    scripted.server.answerWith((response: ServerResponse, request) => {
      const { id, method } = request.body as { readonly id: number; readonly method: string };
      const capabilities = { tools: {}, prompts: {}, resources: {} };
      const result = results[method] ?? { supportedVersions: ['2026-07-28'], capabilities, tools: [TOOL] };
      response.writeHead(200, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });

  describe.each(ERAS)('to a client of the %s kind', (era) => {
    it('answer 200 with those of each by the name of its server, which lead there, although all have the same names', async () => {
      await both();
      const connection = await gateway.connected(era, await guarded(ALL));
      const { client } = connection;
      expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
      const { prompts } = await client.listPrompts();
      expect(prompts).toMatchObject([{ name: 'docs__greet', arguments: [{ name: 'name' }] }, { name: 'mail__greet' }]);
      const { resources } = await client.listResources();
      expect(resources).toMatchObject([{ uri: 'mcp://docs/note://1', name: 'note' }, { uri: 'mcp://mail/note://1' }]);
      const { resourceTemplates: templates } = await client.listResourceTemplates();
      expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'mcp://docs/notes://{id}',
        'mcp://mail/note://{id}',
        'mcp://mail/notes://{id}',
      ]);
      for (const [server, kind] of [
        ['docs', 'modern'],
        ['mail', 'legacy'],
      ] as const) {
        real.modern.headers.length = 0;
        real.legacy.headers.length = 0;
        expect(await client.getPrompt({ name: `${server}__greet`, arguments: { name: 'Ada' } })).toMatchObject({
          messages: [{ content: { text: 'Greet Ada, jane@example.com' } }],
        });
        for (const uri of [`mcp://${server}/note://1`, `mcp://${server}/notes://7`]) {
          expect(await client.readResource({ uri })).toMatchObject({
            contents: [{ uri, text: 'Call jane@example.com' }],
          });
        }
        const prompt = { type: 'ref/prompt', name: `${server}__greet` };
        const argument = { name: 'name', value: 'A' };
        expect(await client.complete({ ref: prompt, argument })).toMatchObject({
          completion: { values: ['Ada', 'Alan'] },
        });
        const template = { type: 'ref/resource', uri: `mcp://${server}/notes://{id}` };
        expect(await client.complete({ ref: template, argument: { name: 'id', value: '4' } })).toMatchObject({
          completion: { values: ['41', '42'] },
        });
        const other = kind === 'modern' ? real.legacy : real.modern;
        expect(other.headers).toEqual([]);
      }
      await connection.close();
    });

    it('answer 200 with an error for what no server has that the key may use', async () => {
      await both();
      const connection = await gateway.connected(era, await guarded({ allowed_mcp_tools: ['docs/*', 'mail/echo'] }));
      const { client } = connection;
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['docs__greet']);
      real.legacy.headers.length = 0;
      for (const name of ['mail__greet', 'greet', '__greet', 'docs__', 'docs/greet', 'DOCS__greet']) {
        await expect(client.getPrompt({ name, arguments: { name: 'Ada' } })).rejects.toMatchObject({ code: -32602 });
      }
      const code = era === 'modern' ? -32602 : -32002;
      for (const uri of [
        'mcp://mail/note://1',
        'note://1',
        'mcp://docs',
        'mcp://docs/note://2',
        'mcp:///note://1',
        '',
      ]) {
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code, data: { uri } });
      }
      const ref = { type: 'ref/prompt', name: 'mail__greet' };
      await expect(client.complete({ ref, argument: { name: 'name', value: 'A' } })).rejects.toMatchObject({
        code: -32602,
      });
      expect(real.legacy.headers).toEqual([]);
      await connection.close();
    });
  });

  it('answer 404 to a key that may use all tools of no server, and announce nothing', async () => {
    await both();
    const key = await guarded({ allowed_mcp_tools: ['docs/echo', 'mail/*'], ignored_mcp_tools: ['mail/*'] });
    expect((await asked(key, 'server/discover')).result!['capabilities']).toEqual({ tools: {} });
    const requests = real.modern.headers.length + real.legacy.headers.length;
    for (const method of ['prompts/list', 'resources/list', 'resources/read', 'completion/complete']) {
      const { status, body } = await send(
        key,
        method,
        method === 'resources/read' ? { uri: 'mcp://docs/note://1' } : {},
      );
      expect({ status, body }).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
    }
    expect(real.modern.headers.length + real.legacy.headers.length).toBe(requests);
  });

  it('answer 200 with those of the others while a server is away, and in one page', async () => {
    await added('docs', real.modern.url);
    await newMcpServer(app, organization, { name: 'away', url: NOWHERE });
    const key = await guarded({ allowed_mcp_tools: ['docs/*', 'away/*'] });
    expect((await asked(key, 'prompts/list')).result).toMatchObject({
      prompts: [{ name: 'docs__greet' }],
      ttlMs: 60_000,
      cacheScope: 'private',
    });
    expect((await asked(key, 'prompts/list', { cursor: 'x' })).error).toMatchObject({ code: -32602 });
    expect((await asked(key, 'prompts/get', { name: 'away__greet' })).error).toMatchObject({
      code: -32000,
      data: { reason: 'mcp_server_failed' },
    });
  });

  it('answer 200 without the list of a server in which a filter blocks something, and without what one takes out of others', async () => {
    const described = (description: string): object => ({ prompts: [{ name: 'p', description }] });
    play({ 'prompts/list': described('Write to jane@example.com') });
    await added('docs', real.modern.url);
    await added('mail', scripted.server.baseUrl);
    const blocking = await guarded({ ...ALL, content_filter_builtins: [{ slug: 'email', action: 'block' }] });
    expect((await asked(blocking, 'prompts/list')).result).toMatchObject({ prompts: [{ name: 'docs__greet' }] });
    const redacting = await guarded({ ...ALL, content_filter_builtins: [{ slug: 'email', action: 'redact' }] });
    expect((await asked(redacting, 'prompts/list')).result).toMatchObject({
      prompts: [{ name: 'docs__greet' }, { name: 'mail__p', description: 'Write to [EMAIL]' }],
    });
  });

  it('answer 200 with no URI of a server that leads to another one, whatever it lists, reads and links', async () => {
    const items = ['mcp://docs/note://1', '../docs/note://1', '', 'ä\n\u202e', 7, null, 'mcp://docs/note://1'];
    const link = (uri: string): object => ({ type: 'resource_link', uri, name: 'x' });
    play({
      'resources/list': { resources: items.map((uri) => ({ uri, name: 'x' })) },
      'resources/templates/list': { resourceTemplates: [null, 7, [], { uriTemplate: 'mcp://docs/{+x}', name: 'x' }] },
      'resources/read': { contents: [{ uri: 'mcp://docs/note://1', text: 'mine' }, null] },
      'prompts/get': {
        messages: [
          { role: 'user', content: link('note://1') },
          { role: 'user', content: { type: 'resource', resource: { uri: 'note://2', text: 'x' } } },
        ],
      },
      'tools/call': { content: [link('note://3'), link('https://example.com/'), { type: 'text', text: 'note://4' }] },
    });
    await added('docs', real.modern.url);
    await added('mail', scripted.server.baseUrl);
    await added('found', scripted.server.baseUrl);
    const key = await guarded({ allowed_mcp_tools: ['docs/*', 'mail/*', 'found/*'] });
    const { resources } = (await asked(key, 'resources/list')).result as unknown as {
      readonly resources: readonly { readonly uri: string }[];
    };
    const ofMail = resources.map(({ uri }) => uri).filter((uri) => !uri.startsWith('mcp://found/'));
    expect(ofMail).toEqual([
      'mcp://docs/note://1',
      'mcp://mail/',
      'mcp://mail/../docs/note://1',
      'mcp://mail/mcp://docs/note://1',
      'mcp://mail/ä\n\u202e',
    ]);
    expect((await asked(key, 'resources/templates/list')).result).toMatchObject({
      resourceTemplates: [
        { uriTemplate: 'mcp://docs/notes://{id}' },
        { uriTemplate: 'mcp://found/mcp://docs/{+x}' },
        { uriTemplate: 'mcp://mail/mcp://docs/{+x}' },
      ],
    });
    const read = await asked(key, 'resources/read', { uri: 'mcp://mail/mcp://docs/note://1' });
    expect(read.result).toMatchObject({ contents: [{ uri: 'mcp://mail/mcp://docs/note://1', text: 'mine' }, null] });
    expect(scripted.server.received.at(-1)!.body).toMatchObject({ params: { uri: 'mcp://docs/note://1' } });
    expect((await asked(key, 'prompts/get', { name: 'mail__a__b' })).result).toMatchObject({
      messages: [
        { content: { uri: 'mcp://mail/note://1' } },
        { content: { resource: { uri: 'mcp://mail/note://2' } } },
      ],
    });
    expect(scripted.server.received.at(-1)!.body).toMatchObject({ params: { name: 'a__b' } });
    expect((await asked(key, 'tools/call', { name: 'found__find' })).result).toMatchObject({
      content: [{ uri: 'mcp://found/note://3' }, { uri: 'https://example.com/' }, { text: 'note://4' }],
    });
  });
});
