import { textOfUnits, unitsOf } from '../../../src/modules/spend/decimal-amount.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { INFERENCE } from '../../operations/inference.js';
import { INFERENCE_OPERATION_IDS } from '../../operations/inference-operations.js';
import type { SampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { attributesOf } from '../../support/delivery/generation-events.js';
import { type DecodedRequest, spansIn } from '../../support/delivery/trace-requests.js';
import { endpointEntry, imageEndpoint, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { moveReplicaClock, restoreReplicaClock } from '../../support/time/replica-clock.js';
import { until } from '../../support/time/until.js';
import { PIXEL } from '../inference/images/image-gateway.js';
import { OPERATION_SAMPLES } from '../inference/operation-samples.js';
import { chunk, completion, STREAM_HEAD } from '../inference/provider-answers.js';
import type { ShownGeneration } from '../inference/test-gateway.js';
import { BroadcastingGateway } from '../observability/broadcasting-gateway.js';
import { rollUpUsage } from './used-generations.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The forms of chats, which are asked for as streams too. */
const STREAMED = ['createCompletions', 'createMessages', 'createResponses', 'sendChatCompletionRequest'];

/** Models of the builtin provider with their prices. */
const PRICED = Object.values(OPERATION_SAMPLES).flatMap(({ builtin }) => builtin ?? []);

const IMAGE = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
const DRAWN = [{ index: 0, message: { role: 'assistant', content: '', images: [IMAGE] }, finish_reason: 'stop' }];

/** A sum of amounts, as exact decimal text. */
function sumOf(amounts: Iterable<string | number>): string {
  return textOfUnits([...amounts].reduce((sum, amount) => sum + unitsOf(String(amount)), 0n));
}

describe('A day of requests with every kind of end', () => {
  const broadcasting = filledBefore(beforeAll, () =>
    BroadcastingGateway.start({ RESPONSE_CACHE_CHARGE_PERCENT: '25' }),
  );
  let organization: NewOrganization;
  let key: IssuedCredential;
  let other: IssuedCredential;

  beforeAll(async () => {
    const { app } = broadcasting;
    const draws = {
      architecture: { modality: 'text->text+image', input_modalities: ['text'], output_modalities: ['text', 'image'] },
    };
    const image = (id: string, provider: string): object => ({
      id,
      name: id,
      description: 'It draws.',
      created: 1767312000,
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
      endpoints: [imageEndpoint(provider, {}, true)],
    });
    const free = { pricing: { prompt: '0', completion: '0' } };
    await importCatalog(app, {
      models: [
        ...PRICED.map(({ id, ...fields }) => modelEntry(id, fields)),
        modelEntry('acme/artist', draws),
        modelEntry('acme/writer:free', free),
      ],
      endpoints: [
        ...PRICED.map(({ id, pricing }) => ({ id, endpoints: [endpointEntry('gatehouse', { pricing })] })),
        { id: 'acme/artist', endpoints: [endpointEntry('alpha')] },
        { id: 'acme/writer:free', endpoints: [endpointEntry('alpha', free)] },
      ],
      image_models: [image('gatehouse/echo-image', 'gatehouse'), image('acme/artist', 'alpha')],
    });
    ({ organization, key } = await broadcasting.broadcasting());
    broadcasting.reset();
    await manage('patch', `/workspaces/${organization.workspaceId}`, { is_response_cache_enabled: true });
    for (const [index, interval] of ['lifetime', 'monthly', 'weekly', 'daily'].entries()) {
      await manage('put', `/workspaces/${organization.workspaceId}/budgets/${interval}`, { limit_usd: 1_000 - index });
    }
    other = await app.factory.key(organization, { limitUsd: 500 });
    await broadcasting.webhook(organization);
    await broadcasting.webhook(organization, { broadcast_generation_cost: true }, '/costs');
  });

  afterEach(restoreReplicaClock);
  afterAll(() => broadcasting.stop());

  async function manage(method: 'patch' | 'put' | 'post', path: string, json: object): Promise<void> {
    const { status } = await broadcasting.app.api[method](path, { key: organization.managementKey, json });
    expect({ path, isDone: status < 300 }).toEqual({ path, isDone: true });
  }

  async function read<Body>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Body> {
    const { status, body } = await broadcasting.app.api.get<Body>(path, { key: organization.managementKey, headers });
    expect({ path, status }).toEqual({ path, status: 200 });
    return body;
  }

  /** Sends the requests of the day. @returns how many records they must have */
  async function requests(): Promise<number> {
    const { gateway, app } = broadcasting;
    const statuses: number[] = [];
    // Each operation answers its own sample, and chats as streams too.
    const asked = INFERENCE_OPERATION_IDS.filter((id) => id !== 'countMessageTokens');
    for (const [index, id] of [...asked, ...STREAMED].entries()) {
      const { path, request } = INFERENCE[id]!;
      const { plaintext } = index % 2 === 0 ? key : other;
      const { json } = await request({ apiKey: plaintext } as SampleOrganization);
      const isStream = index >= asked.length;
      const answer = await app.api.post(path, { key: plaintext, json: { ...json, ...(isStream && { stream: true }) } });
      expect({ id, status: answer.status }).toEqual({ id, status: 200 });
      statuses.push(answer.status);
    }
    const ask = async (status: number, fields: object = {}, headers: object = {}): Promise<void> => {
      const answer = await gateway.ask(other, fields, { ...headers });
      expect({ fields, status: answer.status }).toEqual({ fields, status });
      statuses.push(status);
    };
    await ask(200);
    await ask(200, { stream: true });
    await ask(200, { model: 'acme/writer:free' });
    await ask(400, { model: 'acme/no-such-model' });
    await ask(200, { temperature: 0 }, { 'x-cache': 'use' });
    await ask(200, { temperature: 0 }, { 'x-cache': 'use' });
    gateway.alpha.answerJson(
      completion('', { choices: DRAWN, usage: { prompt_tokens: 7, completion_tokens: 1_290, total_tokens: 1_297 } }),
    );
    await ask(200, { model: 'acme/artist' });
    // The first provider counts what it has read before it fails, and another one answers.
    gateway.alpha.answerJson({ error: { message: 'Busy' } }, 503);
    await ask(200);
    gateway.beta.answerJson({ error: { message: 'Busy' } }, 503);
    await ask(503);
    gateway.reset();
    gateway.alpha.answerWith((response) => {
      response
        .writeHead(200, STREAM_HEAD)
        .write(chunk({ role: 'assistant', content: 'All is' }), () => response.destroy());
    });
    await ask(200, { stream: true, provider: { only: ['alpha'] } });
    await leave(true);
    await leave(false);
    gateway.reset();
    await manage('post', '/byok', { provider: 'beta', key: 'sk-own' });
    await ask(200, { provider: { only: ['beta'] } });
    return statuses.length + 2;
  }

  /** Asks for a stream, and leaves it after its first words, or before them. */
  async function leave(fromWords: boolean): Promise<void> {
    const { alpha } = broadcasting.gateway;
    alpha.answerWith((response) => {
      if (fromWords) response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: 'All is well.' }));
    });
    const leaving = new AbortController();
    const answer = broadcasting.gateway.open(key, { provider: { only: ['alpha'] } }, leaving.signal);
    if (fromWords) await (await answer).body!.getReader().read();
    await until(() => Promise.resolve(alpha.received.length > 0));
    leaving.abort();
    if (!fromWords) await expect(answer).rejects.toThrow();
  }

  /** All records, as `GET /generation` shows them, once there are as many. */
  async function records(count: number): Promise<ShownGeneration[]> {
    const ids = (): Promise<{ id: string }[]> =>
      broadcasting.app.rows('SELECT id FROM generations WHERE organization_id = $1', [organization.organizationId]);
    await until(async () => (await ids()).length >= count);
    const shown = await Promise.all(
      (await ids()).map(({ id }) => read<{ data: ShownGeneration }>(`/generation?id=${id}`)),
    );
    expect(shown).toHaveLength(count);
    return shown.map(({ data }) => data);
  }

  it('has one sum to the last digit (200): of records, keys, budgets, activity and its table, analytics, and what destinations got', async () => {
    const all = await records(await requests());
    const costs = (list: readonly ShownGeneration[]): string => sumOf(list.map(({ total_cost: cost }) => cost));
    const own = all.filter(({ is_byok: isOwn }) => isOwn === true);
    const [total, byok, ours] = [costs(all), costs(own), costs(all.filter((record) => !own.includes(record)))];
    // Every kind of end is among them, and most of them cost something.
    expect([...new Set(all.map(({ status }) => status))].sort()).toEqual([200, 400, 499, 503]);
    expect(all.filter(({ cancelled }) => cancelled)).toHaveLength(2);
    expect(all.filter(({ response_cache_source_id: source }) => source !== null)).toHaveLength(1);
    expect(own).toHaveLength(1);
    expect(all.filter(({ total_cost: cost }) => cost > 0).length).toBeGreaterThan(20);

    for (const credential of [key, other]) {
      const { data } = await read<{ data: Record<string, number> }>(`/keys/${credential.hash}`);
      const theirs = all.filter(({ key_hash: hash }) => hash === credential.hash);
      for (const period of ['', '_daily', '_weekly', '_monthly']) {
        const sum = sumOf([data[`usage${period}`]!, data[`byok_usage${period}`]!]);
        expect({ period, sum }).toEqual({ period, sum: costs(theirs) });
      }
    }
    expect(await read('/credits')).toMatchObject({ data: { total_usage: Number(ours) } });
    const { data: budgets } = await read<{ data: { spent_usd: number; reserved_usd: number }[] }>('/budgets');
    expect(budgets.map(({ spent_usd: spent, reserved_usd: reserved }) => [sumOf([spent]), reserved])).toEqual(
      Array.from({ length: 4 }, () => [ours, 0]),
    );
    const windows = await broadcasting.app.rows<{ amount: string; byok: string }>(
      `SELECT sum(amount_usd)::text AS amount, sum(byok_amount_usd)::text AS byok FROM spend_windows
       WHERE organization_id = $1 GROUP BY subject, subject_id, "interval"`,
      [organization.organizationId],
    );
    expect(windows.length).toBeGreaterThanOrEqual(4);
    for (const { amount, byok: throughOwn } of windows)
      expect([sumOf([amount]), sumOf([throughOwn])]).toEqual([ours, byok]);

    const analytics = async (fields: object): Promise<Record<string, string>> => {
      const time_range = {
        start: new Date(Date.now() - HOUR_MS).toISOString(),
        end: new Date(Date.now() + HOUR_MS).toISOString(),
      };
      const metrics = ['total_usage', 'credits_usage', 'byok_usage'];
      const { status, body } = await broadcasting.app.api.post<{ data: { data: Record<string, string | number>[] } }>(
        '/analytics/query',
        { key: organization.managementKey, json: { metrics, time_range, ...fields } },
      );
      expect({ fields, status }).toEqual({ fields, status: 200 });
      return Object.fromEntries(metrics.map((name) => [name, sumOf(body.data.data.map((row) => row[name]!))]));
    };
    const expected = { total_usage: total, credits_usage: ours, byok_usage: byok };
    /** The tables that are read tomorrow, when the day is complete. */
    const tomorrow = async (): Promise<void> => {
      for (const query of ['', '?group_by=workspace']) {
        const { data } = await read<{ data: { usage: number; byok_usage_inference: number }[] }>(`/activity${query}`);
        expect([sumOf(data.map((row) => row.usage)), sumOf(data.map((row) => row.byok_usage_inference))]).toEqual([
          ours,
          byok,
        ]);
      }
      const { text } = await broadcasting.app.api.get<string>('/activity', {
        key: organization.managementKey,
        headers: { accept: 'text/csv' },
      });
      const lines = text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(','));
      expect([sumOf(lines.map((cells) => cells.at(-2)!)), sumOf(lines.map((cells) => cells.at(-1)!))]).toEqual([
        ours,
        byok,
      ]);
    };
    // Before and after they are added to the totals.
    for (const isAdded of [false, true]) {
      if (isAdded) await rollUpUsage(broadcasting.app);
      for (const fields of [
        {},
        { granularity: 'day' },
        { granularity: 'hour' },
        { granularity: 'minute' },
        { dimensions: ['model'] },
        { dimensions: ['provider'] },
        { dimensions: ['api_key_id'] },
        { dimensions: ['user', 'workspace'] },
      ]) {
        expect({ fields, sums: await analytics(fields) }).toEqual({ fields, sums: expected });
      }
      moveReplicaClock(DAY_MS);
      await tomorrow();
      restoreReplicaClock();
    }

    await broadcasting.deliver();
    for (const [path, name] of [
      ['/traces', 'gen_ai.usage.total_cost'],
      ['/costs', 'trace.metadata.gatehouse.total_cost'],
    ] as const) {
      const spans = broadcasting.receivedAt(path).flatMap(({ body }) => spansIn(body as DecodedRequest));
      const sent = spans.map((span) => attributesOf(span)[name] as number | undefined);
      // A generation has one span with its cost, whatever other spans it has.
      expect({ path, sum: sumOf(sent.filter((cost) => cost !== undefined)) }).toEqual({ path, sum: total });
    }
  });
});
