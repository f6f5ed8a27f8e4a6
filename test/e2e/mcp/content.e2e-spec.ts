import { mcpGateway, modernMessage } from './mcp-gateway.js';

describe('content filters on tools of MCP servers', () => {
  const gateway = mcpGateway();
  const { app, organization, real, send } = gateway;
  const allowed = { allowed_mcp_tools: ['docs/*'] };

  it('answer 200 with a result without what a filter takes out, and record that', async () => {
    await gateway.added('docs', real.modern.url);
    const key = await gateway.guarded({ ...allowed, content_filter_builtins: [{ slug: 'email', action: 'redact' }] });
    const { body, headers } = await send(key, 'tools/call', { name: 'docs__leak' });
    expect(body.result).toMatchObject({ content: [{ type: 'text', text: 'Write to [EMAIL] today.' }] });
    const id = headers.get('x-generation-id')!;
    const record = await app.api.get<{ data: object }>(`/generation?id=${id}`, { key: key.plaintext });
    expect(record.body.data).toMatchObject({
      api_type: 'mcp',
      model: 'mcp:docs/leak',
      guardrail_actions: [{ filter: 'email', action: 'redact', count: 1 }],
      mcp: { method: 'tools/call', server: 'docs', tool: 'leak', protocol_version: '2026-07-28' },
    });
  });

  it('answer 200 with a result that says what is blocked, recorded as a 403, which costs what the call has cost', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.5 });
    const key = await gateway.guarded({ ...allowed, content_filter_builtins: [{ slug: 'email', action: 'block' }] });
    const { body, text } = await send(key, 'tools/call', { name: 'docs__leak' });
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Request blocked by content filter: [EMAIL]' }],
    });
    expect(text).not.toContain('jane');
    expect(await gateway.records(key, 1)).toMatchObject([
      { status: 403, cost_usd: '0.5', details: { refusal: 'content_blocked' } },
    ]);
  });

  it('take out of arguments what a filter of calls of tools finds', async () => {
    await gateway.added('docs', real.modern.url);
    const filter = { slug: 'email', action: 'redact', applies_to: ['tool_call'] };
    const key = await gateway.guarded({ ...allowed, content_filter_builtins: [filter] });
    const values = { text: 'ask jane@example.com' };
    const { body } = await send(key, 'tools/call', { name: 'docs__echo', arguments: values });
    expect(body.result).toMatchObject({ content: [{ text: 'You said: ask [EMAIL]' }] });
  });

  it('answer 200 with a result that says so where arguments are blocked, recorded as a 403, and send nothing', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.5 });
    const filter = { pattern: 'launch code', action: 'block', label: '[CODE]', applies_to: ['tool_call'] };
    const key = await gateway.guarded({ ...allowed, content_filters: [filter] });
    const asked = real.modern.headers.length;
    const values = { text: 'the launch code' };
    const { body } = await send(key, 'tools/call', { name: 'docs__echo', arguments: values });
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: 'Request blocked by content filter: [CODE]' }],
    });
    expect(real.modern.headers).toHaveLength(asked);
    expect(await gateway.records(key, 1)).toMatchObject([{ status: 403, cost_usd: '0' }]);
  });

  it('leave out of a list a tool whose description they block, and take out of others what they redact', async () => {
    real.modern.description = 'ask jane@example.com';
    await gateway.added('docs', real.modern.url);
    const redacting = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const blocking = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };
    const listed = async (settings: object): Promise<unknown> => {
      const key = await gateway.guarded({ allowed_mcp_tools: ['docs/echo'], ...settings });
      return (await send(key, 'tools/list')).body.result!['tools'];
    };
    expect(await listed(redacting)).toMatchObject([{ name: 'docs__echo', description: 'echo: ask [EMAIL]' }]);
    expect(await listed(blocking)).toEqual([]);
  });

  it('leave contents that answer 404 until the workspace has them logged, and 200 from then on', async () => {
    await gateway.added('docs', real.modern.url);
    const key = await gateway.guarded(allowed);
    const contentOf = async (text: string): Promise<{ readonly status: number; readonly body: unknown }> => {
      const { headers } = await send(key, 'tools/call', { name: 'docs__echo', arguments: { text } });
      return app.api.get(`/generation/content?id=${headers.get('x-generation-id')}`, { key: key.plaintext });
    };
    expect((await contentOf('first')).status).toBe(404);
    await app.api.patch(`/workspaces/${organization.workspaceId}`, {
      key: organization.managementKey,
      json: { is_observability_io_logging_enabled: true },
    });
    const { body } = await contentOf('second');
    expect(body).toMatchObject({
      data: {
        input: { prompt: '{"text":"second"}' },
        output: { completion: expect.stringContaining('You said: second') as string },
      },
    });
  });

  it('answer 404 to a method that there is not, 400 to headers that say something else, and 403 to a page of another site', async () => {
    await gateway.added('docs', real.modern.url);
    const key = await gateway.guarded(allowed);
    const { headers, json } = modernMessage('tools/call', { name: 'docs__echo', arguments: { text: 'x' } });
    const post = (changed: object, body = json) =>
      app.api.post<object>('/mcp', { key: key.plaintext, json: body, headers: { ...headers, ...changed } });
    expect(await post({ 'mcp-method': 'tools/list' })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32020 } },
    });
    expect(await post({ 'mcp-name': 'docs__leak' })).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
    expect(await post({ 'mcp-protocol-version': '2025-11-25' })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    });
    expect(await post({ origin: 'https://evil.example.com' })).toMatchObject({ status: 403 });
    expect(await post({ origin: app.origin })).toMatchObject({ status: 200 });
    const unknown = modernMessage('tasks/list');
    expect(await post({ 'mcp-method': 'tasks/list' }, unknown.json)).toMatchObject({
      status: 404,
      body: { error: { code: -32601 } },
    });
  });
});
