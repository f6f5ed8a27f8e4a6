import type { ActivityItem } from '../../../src/modules/usage/activity/dto/activity.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  dateOf,
  dayBefore,
  FAILED,
  keepRecordsBefore,
  recordUsed,
  REFUSED,
  type UsedGeneration,
} from './used-generations.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';

const HEADER =
  'date,workspace_id,workspace_name,api_key_hash,api_key_name,user_id,user_name,model,model_permaslug,endpoint_id,' +
  'provider_name,requests,prompt_tokens,completion_tokens,reasoning_tokens,usage,byok_usage_inference';

describe('getUserActivity', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    for (const days of [0, 1, 30, 31]) await keepRecordsBefore(gateway.app, days);
  });

  const used = (records: readonly UsedGeneration[], by = key): Promise<void> =>
    recordUsed(gateway.app, organization, by, records);

  const ask = <Body>(query = '', headers = {}): Promise<Answer<Body>> =>
    gateway.app.api.get<Body>(`/activity${query}`, { key: organization.managementKey, headers });

  const activity = async (query = ''): Promise<ActivityItem[]> => {
    const { status, body } = await ask<{ data: ActivityItem[] }>(query);
    expect(status).toBe(200);
    expectToFitContract('getUserActivity', 200, body);
    return body.data;
  };

  const yesterday = (later = 0): Date => dayBefore(1, later);

  it('answers 200 with nothing where nothing was used, nor for what was used today or before 30 days', async () => {
    expect(await activity()).toEqual([]);
    await used([{ createdAt: dayBefore(31, 86_399_000) }, { createdAt: dayBefore(0) }]);
    expect(await activity()).toEqual([]);
  });

  it('answers 200 with the sums of each completed day, model and endpoint, from the first to the last second of 30 days', async () => {
    const answer = {
      createdAt: yesterday(86_399_000),
      costUsd: '0.1',
      promptTokens: 100,
      completionTokens: 20,
      details: { reasoningTokens: 7 },
    };
    await used([
      answer,
      { ...answer, costUsd: '0.2', createdAt: yesterday() },
      { ...answer, isByok: true },
      { ...answer, endpoint: 'alpha/fast' },
      { ...answer, model: 'acme/spare', provider: 'beta' },
      { createdAt: dayBefore(30) },
      // Refused: neither of them is a request of a model.
      { ...FAILED, createdAt: yesterday() },
      { ...REFUSED, createdAt: yesterday(), model: 'acme/none' },
    ]);

    const row = {
      date: dateOf(yesterday()),
      model: 'acme/writer',
      model_permaslug: 'acme/writer-20260102',
      endpoint_id: 'alpha',
      provider_name: 'Alpha Cloud',
      usage: 0.1,
      byok_usage_inference: 0,
      requests: 1,
      prompt_tokens: 100,
      completion_tokens: 20,
      reasoning_tokens: 7,
    };
    expect(await activity()).toEqual([
      {
        ...row,
        date: dateOf(dayBefore(30)),
        usage: 1e-18,
        prompt_tokens: 0,
        completion_tokens: 0,
        reasoning_tokens: 0,
      },
      {
        ...row,
        model: 'acme/spare',
        model_permaslug: 'acme/spare-20260102',
        endpoint_id: 'beta',
        provider_name: 'Beta Cloud',
      },
      {
        ...row,
        usage: 0.3,
        byok_usage_inference: 0.1,
        requests: 3,
        prompt_tokens: 300,
        completion_tokens: 60,
        reasoning_tokens: 21,
      },
      { ...row, endpoint_id: 'alpha/fast' },
    ]);
  });

  it('answers 200 with what each filter leaves: a date, a key, a member, a workspace, and all of them', async () => {
    const { factory } = gateway.app;
    const workspaceId = await factory.workspace(organization);
    const userId = await factory.member(organization.organizationId);
    const theirs = await factory.key(organization, { userId, workspaceId });
    await used([{ createdAt: yesterday() }, { createdAt: dayBefore(2) }]);
    await used([{ createdAt: yesterday(), model: 'acme/spare', userId, workspaceId }], theirs);

    const found = async (query: string): Promise<string[]> =>
      (await activity(query)).map(({ date, model }) => `${date} ${model}`);
    const [latest, earlier] = [dateOf(yesterday()), dateOf(dayBefore(2))];
    const ours = [`${earlier} acme/writer`, `${latest} acme/writer`];

    expect(await found('')).toEqual([ours[0], `${latest} acme/spare`, ours[1]]);
    expect(await found(`?date=${earlier}`)).toEqual([ours[0]]);
    expect(await found(`?api_key_hash=${key.hash}`)).toEqual(ours);
    expect(await found(`?api_key_hash=${theirs.hash}&date=${latest}`)).toEqual([`${latest} acme/spare`]);
    expect(await found(`?api_key_hash=${theirs.hash}&date=${earlier}`)).toEqual([]);
    expect(await found(`?user_id=${organization.userId}`)).toEqual(ours);
    expect(await found(`?user_id=${userId}`)).toEqual([`${latest} acme/spare`]);
    expect(await found(`?workspace_id=${workspaceId.toUpperCase()}`)).toEqual([`${latest} acme/spare`]);
    expect(await found(`?workspace_id=${organization.workspaceId}`)).toEqual(ours);
    expect(await found(`?api_key_hash=${key.hash}&user_id=${userId}`)).toEqual([]);
    expect(
      await found(`?api_key_hash=${theirs.hash}&user_id=${userId}&workspace_id=${workspaceId}&date=${latest}`),
    ).toEqual([`${latest} acme/spare`]);
  });

  it('answers 200 with a row for each workspace when grouped by workspace, and else with their sum', async () => {
    const workspaceId = await gateway.app.factory.workspace(organization);
    await used([
      { createdAt: yesterday(), costUsd: '1' },
      { createdAt: yesterday(), costUsd: '2', workspaceId },
      // Of the time without a default workspace.
      { createdAt: yesterday(), costUsd: '4', workspaceId: null },
    ]);

    expect((await activity()).map(({ usage, workspace_id }) => [workspace_id, usage])).toEqual([[undefined, 7]]);
    const grouped = (await activity('?group_by=workspace')).map(({ usage, workspace_id }) => [workspace_id, usage]);
    expect(grouped).toHaveLength(3);
    expect(grouped).toEqual(
      expect.arrayContaining([
        [organization.workspaceId, 1],
        [workspaceId, 2],
        [undefined, 4],
      ]),
    );
  });

  it.each([
    ['date=yesterday', 'invalid_parameters', 'date'],
    ['date=2026-02-30', 'date_not_available', 'date'],
    [`date=${dateOf(dayBefore(0))}`, 'date_not_available', 'date'],
    [`date=${dateOf(dayBefore(31))}`, 'date_not_available', 'date'],
    [`date=${dateOf(dayBefore(1))}T00:00:00Z`, 'invalid_parameters', 'date'],
    ['date=', 'invalid_parameters', 'date'],
    ['api_key_hash=123', 'invalid_parameters', 'api_key_hash'],
    ['workspace_id=default', 'invalid_parameters', 'workspace_id'],
    ['group_by=model', 'invalid_parameters', 'group_by'],
    ['format=csv', 'invalid_parameters', 'format'],
  ])('answers 400 for ?%s', async (query, reason, path) => {
    const refusal = { status: 400, reason, paths: [path], userId: organization.userId };
    expectRefusal(await ask(`?${query}`), refusal);
    expectRefusal(await ask(`?${query}`, { accept: 'text/csv' }), refusal);
  });

  it('answers 400 for more rows than one answer has, and 200 for a part of them', async () => {
    await gateway.app.rows(
      `INSERT INTO usage_totals SELECT $1, 'day', 'key', $2, $3, gen_random_uuid()::text, 'user_x', 'acme/writer', 'alpha', 'alpha',
         1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 50001)`,
      [organization.organizationId, yesterday(), organization.workspaceId],
    );
    await used([{ createdAt: dayBefore(2) }]);

    expectRefusal(await ask('', { accept: 'text/csv' }), {
      status: 400,
      reason: 'too_many_rows',
      paths: [''],
      userId: organization.userId,
    });
    const part = await ask<string>(`?date=${dateOf(dayBefore(2))}`, { accept: 'text/csv' });
    expect(part.status).toBe(200);
    expect(part.text.split('\r\n')).toHaveLength(3);
  });

  it('answers 200 with a table of exact amounts for those who accept text/csv: byte for byte', async () => {
    const { factory } = gateway.app;
    const workspaceId = await factory.workspace(organization, 'sales-and-more');
    await gateway.app.rows('UPDATE workspaces SET name = $2 WHERE id = $1', [workspaceId, 'Sales, "EMEA"']);
    const named = await factory.key(organization, { name: '=HYPERLINK("http://evil.example")', workspaceId });
    const deleted = await factory.key(organization, { workspaceId });
    const [{ name: userName } = { name: '' }] = await gateway.app.rows<{ name: string }>(
      'SELECT name FROM users WHERE id = $1',
      [organization.userId],
    );
    const record = { createdAt: yesterday(), workspaceId, promptTokens: 10, completionTokens: 5 };
    await used([{ ...record, costUsd: '0.000000000000000001' }], named);
    await used([{ ...record, costUsd: '123456789.000000000000000001' }], named);
    await used([{ ...record, costUsd: '3', isByok: true }], deleted);
    const path = `/keys/${deleted.hash}`;
    expect((await gateway.app.api.delete(path, { key: organization.managementKey })).status).toBe(200);

    const answer = await ask<string>('', { accept: 'text/csv', 'x-request-id': 'table' });

    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="activity.csv"',
      'content-length': String(Buffer.byteLength(answer.text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'table',
    });
    const start = `${dateOf(yesterday())},${workspaceId},"Sales, ""EMEA""",`;
    const end = `,${organization.userId},${userName},acme/writer,acme/writer-20260102,alpha,Alpha Cloud`;
    const lines = answer.text.split('\r\n');
    expect(lines[0]).toBe(HEADER);
    expect(lines.slice(1, 3).sort()).toEqual(
      [
        `${start}${named.hash},"'=HYPERLINK(""http://evil.example"")"${end},2,20,10,0,123456789.000000000000000002,0`,
        `${start},${end},1,10,5,0,0,3`,
      ].sort(),
    );
    expect(lines.slice(3)).toEqual(['']);
  });

  it('answers 200 with a table of what the filters leave', async () => {
    const { factory } = gateway.app;
    const userId = await factory.member(organization.organizationId);
    const theirs = await factory.key(organization, { userId });
    await used([{ createdAt: yesterday() }]);
    await used([{ createdAt: yesterday(), userId }], theirs);

    const hashes = async (query: string): Promise<(string | undefined)[]> => {
      const { status, text } = await ask<string>(query, { accept: 'text/csv, */*;q=0.1' });
      expect(status).toBe(200);
      return text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[3]);
    };
    expect((await hashes('')).sort()).toEqual([key.hash, theirs.hash].sort());
    expect(await hashes(`?api_key_hash=${key.hash}`)).toEqual([key.hash]);
    expect(await hashes(`?user_id=${userId}&group_by=workspace`)).toEqual([theirs.hash]);
    expect(await hashes(`?date=${dateOf(dayBefore(2))}`)).toEqual([]);
  });
});
