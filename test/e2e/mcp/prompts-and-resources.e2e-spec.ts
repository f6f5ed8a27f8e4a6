import { ERAS, mcpGateway, modernMessage, type RpcAnswer } from './mcp-gateway.js';

const META = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };

describe('prompts and resources of MCP servers', () => {
  const gateway = mcpGateway();
  const { app, real, send } = gateway;
  const all = { allowed_mcp_tools: ['docs/*'] };

  describe.each(ERAS)('of the %s kind', (era) => {
    it('answer 200 through the path of their server, without what filters take out, with a record of what was read', async () => {
      await gateway.added('docs', real[era].url, { price_per_call: 1 });
      const key = await gateway.guarded({ ...all, content_filter_builtins: [{ slug: 'email', action: 'redact' }] });
      const result = async (method: string, params = {}) => (await send(key, method, params, '/docs')).body.result;
      expect(await result('server/discover')).toMatchObject({
        capabilities: { tools: {}, prompts: {}, resources: {} },
      });
      expect(await result('prompts/list')).toMatchObject({ prompts: [{ name: 'greet' }], cacheScope: 'private' });
      expect(await result('prompts/get', { name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada, [EMAIL]' } }],
      });
      expect(await result('resources/list')).toMatchObject({ resources: [{ uri: 'note://1' }] });
      expect(await result('resources/read', { uri: 'note://1' })).toMatchObject({
        contents: [{ uri: 'note://1', text: 'Call [EMAIL]' }],
      });
      expect(await gateway.records(key, 2)).toMatchObject(
        [0, 1].map(() => ({ model: 'mcp:docs', status: 200, cost_usd: '0', details: { mcp: { server: 'docs' } } })),
      );
    });
  });

  it.each([
    ['modern', 'modern', -32602],
    ['modern', 'legacy', -32602],
    ['legacy', 'modern', -32002],
    ['legacy', 'legacy', -32002],
  ] as const)(
    'answer 200 to a client of the %s kind with an error of its revision for a resource that a server of the %s kind does not have',
    async (client, server, code) => {
      await gateway.added('docs', real[server].url);
      const key = await gateway.guarded(all);
      const params = { uri: 'note://2' };
      const { headers, json } =
        client === 'modern'
          ? modernMessage('resources/read', params)
          : { headers: {}, json: { jsonrpc: '2.0', id: 1, method: 'resources/read', params } };
      const { status, body } = await app.api.post<RpcAnswer>('/mcp/docs', { key: key.plaintext, json, headers });
      expect(status).toBe(200);
      expect(body.error).toEqual({ code, message: expect.stringContaining('note://2') as string, data: params });
    },
  );

  it.each([
    ['a key that may use some of the tools alone', { allowed_mcp_tools: ['docs/echo'] }],
    ['a key that may not use all tools', { ...all, ignored_mcp_tools: ['docs/*'] }],
  ])('answer 404 to %s', async (_, settings) => {
    await gateway.added('docs', real.modern.url);
    const key = await gateway.guarded(settings);
    const asked = real.modern.headers.length;
    expect(await send(key, 'resources/read', { uri: 'note://1' }, '/docs')).toMatchObject({
      status: 404,
      body: { error: { code: -32601 } },
    });
    expect(real.modern.headers).toHaveLength(asked);
  });

  describe('with a server that asks the client', () => {
    const asking = async (key: Parameters<typeof send>[0], further: object = {}, meta: object = META) =>
      (await send(key, 'tools/call', { name: 'docs__ask', ...further, _meta: meta })).body;

    it('answer 200 with what it asks, and with its result once that is answered, which alone is charged', async () => {
      await gateway.added('docs', real.modern.url, { price_per_call: 0.5 });
      const key = await gateway.guarded(all);
      const { result } = await asking(key);
      expect(result).toMatchObject({
        resultType: 'input_required',
        inputRequests: { color: { params: { message: 'Which color?' } } },
      });
      const { requestState } = result!;
      expect(requestState).not.toContain('state of the server');
      const inputResponses = { color: { action: 'accept', content: { color: 'blue' } } };
      const answered = await asking(key, { inputResponses, requestState });
      expect(answered.result).toMatchObject({ resultType: 'complete', content: [{ text: 'It is blue.' }] });
      expect((await gateway.records(key, 2)).map(({ cost_usd: cost }) => cost).sort()).toEqual(['0', '0.5']);
    });

    it('answer 200 with an error for the state of another key, and for one that was changed', async () => {
      await gateway.added('docs', real.modern.url);
      const [key, other] = [await gateway.guarded(all), await gateway.guarded(all)];
      const { requestState } = (await asking(key)).result!;
      const inputResponses = { color: { action: 'accept', content: { color: 'blue' } } };
      const changed = `${String(requestState).slice(0, -4)}AAAA`;
      for (const [asker, state] of [
        [other, requestState],
        [key, changed],
      ] as const) {
        const answered = await asking(asker, { inputResponses, requestState: state });
        expect(answered).toMatchObject({ error: { code: -32602 } });
      }
    });

    it('tell it nothing of what a client of the other kind could do', async () => {
      await gateway.added('docs', real.modern.url);
      const client = await gateway.connected('legacy', await gateway.guarded(all));
      await expect(client.call('docs__ask')).rejects.toMatchObject({ code: -32021 });
      await client.close();
    });
  });

  it('answer 405 to what is no message, and 403 to a page whose name leads here', async () => {
    const key = await gateway.guarded(all);
    for (const method of ['GET', 'DELETE']) {
      expect((await app.api.send(method, '/mcp', { key: key.plaintext })).status).toBe(405);
    }
    const { headers, json } = modernMessage('tools/list');
    const origin = 'http://evil.example.com';
    const answer = await app.api.post('/mcp', { key: key.plaintext, json, headers: { ...headers, origin } });
    expect(answer.status).toBe(403);
  });
});
