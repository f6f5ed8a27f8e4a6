import type { ListGenerationsResponse } from '../../../src/modules/generations/listing/generation-list.dto.js';
import { GenerationListRepository } from '../../../src/modules/generations/listing/generation-list.repository.js';
import { GenerationListService } from '../../../src/modules/generations/listing/generation-list.service.js';
import { administratorOf } from '../../support/resources/administrators.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { dayBefore, keepRecordsBefore, recordUsed, type UsedGeneration } from './used-generations.js';

/** How many records a page looks at. */
const EXAMINED = 5_000;

describe('listGenerations', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    for (const days of [1, 40]) await keepRecordsBefore(gateway.app, days);
  });

  const used = (records: readonly UsedGeneration[], by = key): Promise<void> =>
    recordUsed(gateway.app, organization, by, records);

  const list = async (query = ''): Promise<ListGenerationsResponse> => {
    const { status, body } = await gateway.app.api.get<ListGenerationsResponse>(`/generations${query}`, {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    return body;
  };

  const models = async (query: string): Promise<string[]> => (await list(query)).data.map(({ model }) => model);

  const expectRefused = async (query: string, reason: string, field: string): Promise<void> => {
    const answer = await gateway.app.api.get(`/generations${query}`, { key: organization.managementKey });
    expectRefusal(answer, { status: 400, reason, paths: [field], userId: organization.userId });
  };

  it('answers 200 with nothing where nothing was asked', async () => {
    expect(await list()).toEqual({ data: [], next_cursor: null, searched_to: null });
  });

  it('answers 200 with what a table shows of each record, latest first, also of other months', async () => {
    const answer = {
      costUsd: '0.25',
      promptTokens: 100,
      completionTokens: 20,
      details: { latencyMs: 12.5, generationMs: 80, streamed: true },
    };
    await used([
      { createdAt: dayBefore(40), model: 'acme/old' },
      {
        createdAt: dayBefore(1),
        model: 'acme/refused',
        provider: null,
        status: 403,
        costUsd: '0',
        details: { refusal: 'blocked' },
      },
      { createdAt: dayBefore(1, 1_000), ...answer },
    ]);
    const { data, ...page } = await list();

    expect(page).toEqual({ next_cursor: null, searched_to: null });
    expect(data.map(({ model }) => model)).toEqual(['acme/writer', 'acme/refused', 'acme/old']);
    const [user] = await gateway.app.rows<{ name: string }>('SELECT name FROM users WHERE id = $1', [
      organization.userId,
    ]);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^gen-\d{10}-\w{20}$/),
      created_at: dayBefore(1, 1_000).toISOString(),
      key_hash: key.hash,
      key_name: expect.any(String),
      key_label: expect.stringContaining('...'),
      user_id: organization.userId,
      user_name: user!.name,
      workspace_id: organization.workspaceId,
      model: 'acme/writer',
      provider: 'alpha',
      status: 200,
      refusal: null,
      tokens_prompt: 100,
      tokens_completion: 20,
      total_cost: 0.25,
      latency: 12.5,
      generation_time: 80,
      streamed: true,
      is_byok: false,
    });
    expect(data[1]).toMatchObject({
      refusal: 'blocked',
      provider: null,
      tokens_prompt: null,
      latency: null,
      streamed: false,
    });
  });

  it('answers 200 with every record once, page by page, also where many are of one second', async () => {
    const second = dayBefore(1);
    await used(Array.from({ length: 7 }, (_, index) => ({ createdAt: second, model: `acme/${index}` })));
    await used([
      { createdAt: dayBefore(40), model: 'acme/7' },
      { createdAt: dayBefore(1, 1_000), model: 'acme/8' },
    ]);
    const found: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: ListGenerationsResponse = await list(`?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      found.push(...page.data.map(({ model }) => model));
      cursor = page.next_cursor;
      pages += 1;
      // What comes while pages are read stands before them, or behind them.
      await used([{ createdAt: dayBefore(0, 5_000), model: 'acme/new' }]);
    } while (cursor !== null);
    expect(pages).toBe(5);
    expect([...found].sort()).toEqual(Array.from({ length: 9 }, (_, index) => `acme/${index}`));
    expect([found[0], found.at(-1)]).toEqual(['acme/8', 'acme/7']);
  });

  it('answers 200 with the records that all filters match, also of answers with 402 and 503', async () => {
    const other = await gateway.app.factory.key(organization);
    const workspaceId = await gateway.app.factory.workspace(organization);
    const userId = await gateway.app.factory.member(organization.organizationId);
    await used([
      { model: 'acme/plain' },
      { model: 'acme/beta', provider: 'beta' },
      { model: 'acme/failed', status: 503 },
      { model: 'acme/refused', status: 402, provider: null, details: { refusal: 'limit' } },
      { model: 'acme/workspace', workspaceId },
      { model: 'acme/member', userId },
    ]);
    await used([{ model: 'acme/key' }], other);

    expect(await models('?model=acme/beta')).toEqual(['acme/beta']);
    expect(await models('?provider=beta')).toEqual(['acme/beta']);
    expect(await models('?provider=beta&status=503')).toEqual([]);
    expect(await models('?status=503')).toEqual(['acme/failed']);
    expect(await models('?refused=true')).toEqual(['acme/refused']);
    expect(await models('?refused=false&limit=100')).toHaveLength(6);
    expect(await models(`?workspace_id=${workspaceId.toUpperCase()}`)).toEqual(['acme/workspace']);
    expect(await models(`?user_id=${userId}`)).toEqual(['acme/member']);
    expect(await models(`?key_hash=${other.hash}`)).toEqual(['acme/key']);
    expect(await models(`?key_hash=${key.hash}&refused=true`)).toEqual(['acme/refused']);
    expect(await models(`?key_hash=${'0'.repeat(64)}`)).toEqual([]);
  });

  it('answers 200 with the records from since on and before until, to the second', async () => {
    const at = (later: number): string => encodeURIComponent(dayBefore(1, later).toISOString());
    await used([0, 1, 2].map((index) => ({ createdAt: dayBefore(1, index * 1000), model: `acme/${index}` })));

    expect(await models(`?since=${at(1000)}`)).toEqual(['acme/2', 'acme/1']);
    expect(await models(`?since=${at(1001)}`)).toEqual(['acme/2']);
    expect(await models(`?until=${at(1000)}`)).toEqual(['acme/0']);
    expect(await models(`?until=${at(1001)}`)).toEqual(['acme/1', 'acme/0']);
    expect(await models(`?since=${at(1000)}&until=${at(1000)}`)).toEqual([]);
    const { next_cursor: cursor } = await list(`?limit=1`);
    expect(await models(`?cursor=${cursor!}&since=${at(1000)}`)).toEqual(['acme/1']);
    expect(await models(`?cursor=${cursor!}&until=${at(1000)}`)).toEqual(['acme/0']);
    expect(await models('?since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toHaveLength(3);
  });

  it('answers 200 to those who reach what is their own with only the records of their own keys', async () => {
    const userId = await gateway.app.factory.member(organization.organizationId);
    await used([{ model: 'acme/theirs' }, { model: 'acme/own', userId }]);
    const member = { ...administratorOf(organization.organizationId, userId, key.id), onlyOwn: true };
    const listed = (user_id?: string): Promise<ListGenerationsResponse> =>
      gateway.app.application.get(GenerationListService).list(member, user_id === undefined ? {} : { user_id });

    expect((await listed()).data).toMatchObject([{ model: 'acme/own' }]);
    expect((await listed(userId)).data).toMatchObject([{ model: 'acme/own' }]);
    const none = { data: [], next_cursor: null, searched_to: null };
    expect([await listed(organization.userId), await listed('user_nobody')]).toEqual([none, none]);
  });

  it('answers 200 with no name of a key that was deleted', async () => {
    await used([{ model: 'acme/orphan' }]);
    await gateway.app.api.delete(`/keys/${key.hash}`, { key: organization.managementKey });
    const { data } = await list();
    expect(data).toMatchObject([{ model: 'acme/orphan', key_hash: null, key_name: null, key_label: null }]);
  });

  it('answers 200 with what it found among 5,000 records, and goes on behind them', async () => {
    const first = dayBefore(1).getTime() / 1000;
    await gateway.app.rows(
      `INSERT INTO generations (organization_id, id, created_at, key_id, user_id, status, model, provider, is_byok, cost_usd, details)
       SELECT $1, 'gen-' || second || '-' || lpad(n::text, 20, '0'), to_timestamp(second), $2, $3, 200,
         CASE WHEN n IN (1, ${EXAMINED}, ${EXAMINED + 1}) THEN 'acme/rare' ELSE 'acme/model' END, 'acme', false, 0, '{}'
       FROM generate_series(1, ${EXAMINED + 1}) AS n CROSS JOIN LATERAL (SELECT $4::integer - n AS second) AS time`,
      [organization.organizationId, key.id, organization.userId, first],
    );
    const page = await list('?model=acme/rare');
    const lastExamined = new Date((first - EXAMINED) * 1000).toISOString();
    expect(page.data.map(({ created_at: at }) => at)).toEqual([
      new Date((first - 1) * 1000).toISOString(),
      lastExamined,
    ]);
    expect(page.searched_to).toBe(lastExamined);

    const rest = await list(`?model=acme/rare&cursor=${page.next_cursor!}`);
    expect(rest).toMatchObject({ data: [{ model: 'acme/rare' }], next_cursor: null, searched_to: null });
    expect(await list('?model=acme/none')).toEqual({
      data: [],
      next_cursor: page.next_cursor,
      searched_to: lastExamined,
    });
  });

  it('answers 400 for a cursor that is none', async () => {
    for (const id of ['gen-1795219200', 'gen-179521920-Ab3dE5gH', `gen-1795219200-\0`, "gen-1795219200-'"]) {
      const cursor = Buffer.from(id).toString('base64url').padEnd(20, 'A');

      await expectRefused(`?cursor=${cursor}`, 'invalid_cursor', 'cursor');
    }
  });

  it.each([
    'status=99',
    'status=600',
    'status=abc',
    'limit=0',
    'limit=101',
    'refused=1',
    'since=yesterday',
    'key_hash=zz',
    'workspace_id=x',
    'cursor=x',
  ])('answers 400 for %s', async (query) => {
    await expectRefused(`?${query}`, 'invalid_parameters', query.split('=')[0]!);
  });

  it('answers 400 for an end before the beginning', async () => {
    await expectRefused('?since=2026-11-02T00:00:00Z&until=2026-11-01T00:00:00Z', 'invalid_parameters', 'until');
  });

  it('answers 200 with a table of all records that match, whose texts are no formulas, to a member of their own alone', async () => {
    const named = await gateway.app.factory.key(organization, { name: '=cmd|"x",' });
    await used([{ model: 'acme/writer', costUsd: '0.000000000000000001', details: { latencyMs: 12 } }], named);
    await used(Array.from({ length: 120 }, () => ({ model: 'acme/many' })));
    const table = async (query: string, by = organization.managementKey): Promise<string[]> => {
      const response = await fetch(`${gateway.app.origin}/api/v1/generations${query}`, {
        headers: { authorization: `Bearer ${by}`, accept: 'text/csv' },
      });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="requests.csv"');
      return (await response.text()).split('\r\n').slice(0, -1);
    };

    const [head, row, ...others] = await table('?model=acme/writer&limit=1');
    expect(others).toEqual([]);
    expect(head).toBe(
      'id,created_at,status,refusal,key_name,key_hash,user_id,user_name,workspace_id,model,provider,tokens_prompt,tokens_completion,total_cost,latency,generation_time,streamed,is_byok',
    );
    expect(row).toContain(`,200,,"'=cmd|""x"",",${named.hash},`);
    expect(row).toContain(',0.000000000000000001,12,');
    expect(await table('?model=acme/many')).toHaveLength(121);
    const userId = await gateway.app.factory.member(organization.organizationId);
    const member = await gateway.app.factory.key(organization, { kind: 'management_key', userId });
    expect(await table('', member.plaintext)).toHaveLength(1);
  });

  it('answers 400 to a table of more records than it has', async () => {
    const page = jest
      .spyOn(gateway.app.application.get(GenerationListRepository), 'page')
      .mockImplementation(() =>
        Promise.resolve({ items: [], last: { id: 'gen-1795219200-x', createdAt: new Date() } }),
      );
    const answer = await gateway.app.api.get('/generations', {
      key: organization.managementKey,
      headers: { accept: 'text/csv' },
    });
    page.mockRestore();
    expectRefusal(answer, { status: 400, reason: 'too_many_rows', paths: [''], userId: organization.userId });
  });

  it('answers 200 with the records of a reason (402, 429), a failure (503), a label, a session and a limit', async () => {
    const limit = {
      subject: 'limit',
      id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
      interval: 'daily',
    } as unknown as undefined;
    await used([
      { model: 'acme/budget', status: 402, details: { refusal: 'insufficient_budget' } },
      { model: 'acme/failed', status: 503 },
      { model: 'acme/labelled', details: { labels: { team: 'a=b', env: 'prod' } } },
      { model: 'acme/session', details: { sessionId: 'session-42' } },
      { model: 'acme/limited', status: 429, details: { refusal: 'limit_exceeded', limitedBy: limit! } },
    ]);
    expect(await models('?refusal=insufficient_budget')).toEqual(['acme/budget']);
    expect(await models('?refusal=503')).toEqual(['acme/failed']);
    expect(await models('?refusal=200')).toEqual([]);
    expect(await models('?label=team%3Da%3Db')).toEqual(['acme/labelled']);
    expect(await models('?label=team%3Da')).toEqual([]);
    expect(await models('?session_id=session-42')).toEqual(['acme/session']);
    expect(await models('?limit_id=019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61')).toEqual(['acme/limited']);
    await expectRefused('?label=team', 'invalid_parameters', 'label');
    await expectRefused('?limit_id=7', 'invalid_parameters', 'limit_id');
  });

  it('answers 200 with what an MCP server was asked for, also where that was refused (403), and with the calls of one tool (400 for none), whatever clients call their models', async () => {
    const mcp = { method: 'tools/call', server: 'any', protocolVersion: '2026-07-28' };
    const asked = (model: string, fields: UsedGeneration = {}): UsedGeneration => ({
      model,
      provider: model.split('/')[0]!,
      ...fields,
      details: { apiType: 'mcp', mcp, ...fields.details },
    });
    await used([
      asked('mcp:docs/search'),
      asked('mcp:docs/search_all'),
      asked('mcp:docs'),
      asked('mcp:docs-2/search'),
      asked('mcp:docs/search', { provider: null, status: 403, details: { refusal: 'mcp_tool_not_approved' } }),
      { model: 'mcp:docs/search', provider: null, status: 400, details: { refusal: 'model_not_found' } },
      { model: 'acme/docs' },
    ]);
    const byServer = ['mcp:docs', 'mcp:docs/search', 'mcp:docs/search', 'mcp:docs/search_all'];
    expect((await models('?server=docs')).sort()).toEqual(byServer);
    expect(await models('?server=docs-2')).toEqual(['mcp:docs-2/search']);
    expect(await models('?tool=docs%2Fsearch')).toEqual(['mcp:docs/search', 'mcp:docs/search']);
    expect(await models('?server=docs&tool=docs%2Fsearch&refused=true')).toEqual(['mcp:docs/search']);
    for (const none of [
      '?server=doc',
      '?server=docs%2Fsearch',
      '?server=%25',
      '?tool=docs%2F%25',
      '?server=docs-2&tool=docs%2Fsearch',
    ]) {
      expect({ none, found: await models(none) }).toEqual({ none, found: [] });
    }
    await expectRefused(`?server=${'x'.repeat(33)}`, 'invalid_parameters', 'server');
    for (const tool of ['', 'docs', 'docs/']) await expectRefused(`?tool=${tool}`, 'invalid_parameters', 'tool');
  });
});
