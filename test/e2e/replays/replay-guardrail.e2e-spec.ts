import type { Replay } from '../../../src/modules/replays/dto/replay.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { newReplay } from '../../support/resources/replays.js';
import { until } from '../../support/time/until.js';
import { completion, embeddings } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';

const EMAIL = [{ role: 'user', content: 'Write to jane.doe@example.com today' }];

/** Guardrails that are replayed, in the form of an update. */
const DRAFTS: readonly (readonly [string, object])[] = [
  ['nothing', {}],
  ['an ignored model', { ignored_models: ['acme/writer'] }],
  ['an allowed model', { allowed_models: ['acme/spare'] }],
  ['an ignored provider', { ignored_providers: ['beta'] }],
  ['an allowed provider that no one is connected to', { allowed_providers: ['nobody'] }],
  ['zero data retention', { enforce_zdr_other: true }],
  ['training that is forbidden', { enable_paid_model_training: false }],
  ['another region', { allowed_data_regions: ['us'] }],
  ['content that is blocked', { content_filter_builtins: [{ slug: 'email', action: 'block' }] }],
  ['content that is redacted', { content_filter_builtins: [{ slug: 'email', action: 'redact' }] }],
  ['a budget of nothing', { limit_usd: 0, reset_interval: 'daily' }],
];

interface Asked {
  readonly key: IssuedCredential;
  readonly operation: string;
  readonly request: object;
}

describe('replayGuardrail', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  const call = async <Data>(method: 'get' | 'post' | 'patch', path: string, json?: object): Promise<Data> => {
    const answer = await gateway.app.api[method]<{ data: Data }>(path, { key: organization.managementKey, json });
    expect({ path, text: answer.text }).toEqual({ path, text: expect.stringContaining('"data"') as unknown });
    return answer.body.data;
  };

  const logContents = (): Promise<unknown> =>
    call('patch', `/workspaces/${organization.workspaceId}`, {
      is_observability_io_logging_enabled: true,
      io_logging_sampling_rate: 1,
    });

  /** What is between an hour before and the second that has just begun. */
  const span = (): { from: string; to: string } => ({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date().toISOString(),
  });

  const replayed = async (guardrailId: string, fields: object = {}): Promise<Replay> => {
    const begun = await call<Replay>('post', `/guardrails/${guardrailId}/replay`, { ...span(), ...fields });
    expect(begun).toMatchObject({ state: 'running', result: null, guardrail_id: guardrailId });
    let replay = begun;
    await until(async () => {
      replay = await call<Replay>('get', `/replays/${begun.id}`);
      return replay.state !== 'running';
    });
    return replay;
  };

  /** 100 requests of three keys, answered by different models. */
  const ask = async (): Promise<Asked[]> => {
    const plain = await gateway.app.factory.key(organization);
    const other = await gateway.app.factory.key(organization);
    const guarded = await gateway.guardedKey(organization, { ignored_providers: ['alpha'] });
    const asked: Asked[] = [];
    for (let index = 0; index < 100; index += 1) {
      const key = [plain, other, guarded][index % 3]!;
      const messages = index % 4 === 0 ? EMAIL : [{ role: 'user', content: 'What is new?' }];
      const model = index % 5 === 0 ? 'acme/spare' : 'acme/writer';
      const isChat = index % 7 !== 0;
      const request = isChat ? { model, messages } : { model: 'acme/embedder', input: 'jane.doe@example.com' };
      const operation = isChat ? 'chat/completions' : 'embeddings';
      for (const provider of [gateway.alpha, gateway.beta]) {
        provider.answerJson(isChat ? completion('All is well.') : embeddings([[0.5, 0.25]]));
      }
      // Evaluations take the other forms of a chat as the chat that they are translated to.
      const path = isChat && index % 3 === 1 ? 'messages' : operation;
      const json = path === 'messages' ? { ...request, max_tokens: 50 } : request;
      const { status } = await gateway.app.api.post(`/${path}`, { key: key.plaintext, json });
      expect({ path, status }).toEqual({ path, status: 200 });
      asked.push({ key, operation, request });
    }
    return asked;
  };

  it('answers 202, and finds of 100 requests those that evaluateGuardrail refuses one by one', async () => {
    await logContents();
    const asked = await ask();
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const refusing: string[] = [];
    for (const [name, draft] of DRAFTS) {
      const refused: Record<string, number> = {};
      const outcomes = new Map<string, string>();
      for (const { key, operation, request } of asked) {
        const json = { api_key_hash: key.hash, operation, request, guardrail: draft };
        // Equal requests of one key are evaluated once.
        const name = JSON.stringify(json);
        if (!outcomes.has(name)) {
          const { outcome } = await call<{ outcome: string }>('post', `/guardrails/${id}/evaluate`, json);
          outcomes.set(name, outcome);
        }
        if (outcomes.get(name) === 'refused') refused[key.hash] = (refused[key.hash] ?? 0) + 1;
      }
      const { state, read_count, result } = await replayed(id, { draft });

      expect({ name, state, read_count, undecided: result!.undecided_count }).toEqual({
        name,
        state: 'finished',
        read_count: 100,
        undecided: 0,
      });
      const found = Object.fromEntries(result!.keys.map(({ key_hash, count }) => [key_hash, count]));
      expect({ name, found }).toEqual({ name, found: refused });
      expect(result!.refused_count).toBe(Object.values(refused).reduce((sum, count) => sum + count, 0));
      if (result!.refused_count > 0) refusing.push(name);
      expect(result!.examples).toHaveLength(Math.min(20, result!.refused_count));
    }
    expect(refusing).toHaveLength(DRAFTS.length - 2);
    expect(refusing).not.toContain('content that is redacted');
  });

  it('sums up costs (202), and refuses what comes behind a budget that the requests before it meet', async () => {
    const key = await gateway.app.factory.key(organization);
    const costs: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      costs.push((await gateway.record(await gateway.ask(key), key)).total_cost);
    }
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const { result } = await replayed(id, { draft: { limit_usd: costs[0]! * 1.5, reset_interval: 'daily' } });

    expect(result).toMatchObject({
      refused_count: 2,
      rules: [{ outcome: 'refused', reason: 'budget', count: 2 }],
      keys: [{ key_hash: key.hash, count: 2 }],
    });
    expect(result!.refused_cost_usd).toBeCloseTo(costs[0]! * 2, 12);
  });

  it('records the reading of contents (202), and reads none without filters', async () => {
    await logContents();
    const key = await gateway.app.factory.key(organization);
    await gateway.ask(key, { messages: EMAIL });
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const without = await replayed(id);
    const draft = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };
    const reading = await replayed(id, { draft });

    expect([without.result!.contents_read, reading.result!.contents_read]).toEqual([0, 1]);
    expect((await auditEventsOf(gateway.app, reading.id)).map(({ action }) => action)).toEqual([
      'replay.create',
      'replay.read_contents',
    ]);
    expect(await auditEventsOf(gateway.app, without.id)).toHaveLength(1);
  });

  it('answers 202 to a draft of more than 16 KiB, as an update of the guardrail may be', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const draft = { content_filters: [{ pattern: 'a'.repeat(20_000), action: 'block' }] };

    await call('patch', `/guardrails/${id}`, draft);
    expect((await replayed(id, { draft })).state).toBe('finished');
  });

  it('answers 409 while a replay of the organization runs, and 202 once its process has ended or it is cancelled', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const post = async (): Promise<number> =>
      (await gateway.app.api.post(`/guardrails/${id}/replay`, { key: organization.managementKey, json: span() }))
        .status;
    const running = await newReplay(gateway.app, organization);

    expect(await post()).toBe(409);
    await gateway.app.rows(`UPDATE replay_jobs SET alive_until = now() - interval '1 second' WHERE id = $1`, [running]);
    expect((await replayed(id)).state).toBe('finished');
    expect((await call<Replay>('get', `/replays/${running}`)).state).toBe('failed');

    const another = await newReplay(gateway.app, organization);
    const cancelled = await gateway.app.api.delete<{ data: Replay }>(`/replays/${another}`, {
      key: organization.managementKey,
    });
    expect(cancelled.body.data.state).toBe('cancelled');
    expect(await post()).toBe(202);
  });

  it.each([
    ['an empty span', { from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    ['a span that is too long', { from: '2026-01-01T00:00:00Z', to: '2026-02-02T00:00:00Z' }],
    ['the future', { from: new Date().toISOString(), to: new Date(Date.now() + 3_600_000).toISOString() }],
  ])('answers 400 for %s, and begins nothing', async (_, json) => {
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const answer = await gateway.app.api.post(`/guardrails/${id}/replay`, { key: organization.managementKey, json });

    expect(answer.status).toBe(400);
    expect(answer.text).toContain('invalid_replay_span');
    expect(
      await gateway.app.rows('SELECT id FROM replay_jobs WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([]);
  });
});
