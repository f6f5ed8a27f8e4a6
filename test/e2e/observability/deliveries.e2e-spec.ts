import { Cipher } from '../../../src/modules/encryption/cipher.js';
import { INSERT_BROADCAST_GENERATIONS } from '../../../src/modules/generations/generations.repository.js';
import { LateGenerations } from '../../../src/modules/generations/late-generations.js';
import type { GenerationEvent } from '../../../src/modules/observability/delivery/generation-event.js';
import type { SealedEvent } from '../../../src/modules/observability/delivery/outbox/enqueue-events.js';
import type { EventOwner } from '../../../src/modules/observability/delivery/outbox/sealed-events.repository.js';
import { SealedEvents } from '../../../src/modules/observability/delivery/outbox/sealed-events.js';
import { OutboxUpkeepRepository } from '../../../src/modules/observability/delivery/outbox/outbox-upkeep.repository.js';
import { OutboxUpkeep } from '../../../src/modules/observability/delivery/outbox/outbox-upkeep.service.js';
import { DeliveryRepository } from '../../../src/modules/observability/delivery/sending/delivery.repository.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { attributesOf } from '../../support/delivery/generation-events.js';
import { type DecodedRequest, spansIn } from '../../support/delivery/trace-requests.js';
import { until } from '../../support/time/until.js';
import { Statements } from '../../../src/persistence/statements.js';
import { completion } from '../inference/provider-answers.js';
import { BroadcastingGateway } from './broadcasting-gateway.js';
import { filledBefore } from '../../support/application/filled-before.js';

const CANARY = 'canary-4711';

/** A question in which only the content has the canary. */
const ASKING = { messages: [{ role: 'user', content: `What is ${CANARY}?` }] };

describe('the delivery of generations', () => {
  const broadcasting = filledBefore(beforeAll, () => BroadcastingGateway.start());
  beforeEach(() => broadcasting.reset());
  afterEach(async () => {
    // What one test leaves waiting is not the next one's.
    await broadcasting.app.rows('DELETE FROM observability_destinations');
    await broadcasting.app.rows('DELETE FROM broadcast_deliveries');
    await broadcasting.app.rows('DELETE FROM broadcast_events');
  });
  afterAll(() => broadcasting.stop());

  /** The events that wait, decrypted. */
  async function events(): Promise<GenerationEvent[]> {
    const rows = await broadcasting.app.rows<EventOwner & SealedEvent>(
      `SELECT organization_id AS "organizationId", generation_id AS id, payload, content FROM broadcast_events ORDER BY enqueued_at`,
    );
    const sealed = broadcasting.app.application.get(SealedEvents);
    return Promise.all(rows.map((row) => sealed.open(row, row)));
  }

  /** All that the receiver was sent, as text. */
  const sent = (): string => JSON.stringify(broadcasting.receiver.received.map(({ body }) => body));

  it('sends a webhook the generation of a request, once', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const answer = await broadcasting.gateway.ask(key, ASKING);
    expect(await broadcasting.waiting()).toEqual({ events: 1, deliveries: 1 });

    await broadcasting.deliver();
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toHaveLength(1);
    expect(sent()).toContain(answer.headers.get('x-generation-id'));
    expect(sent()).toContain(CANARY);
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('writes down what a request (200) says of itself', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const fields = {
      ...ASKING,
      session_id: 'session-1',
      user: 'user-1',
      trace: { trace_id: 'trace-1', feature: 'search' },
      metadata: { team: 'search' },
      temperature: 0.5,
      max_tokens: 100,
      tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }],
    };
    await broadcasting.gateway.ask(key, fields, { 'x-title': 'Search box', 'http-referer': 'https://example.com' });

    const [event] = await events();
    expect(event).toMatchObject({
      operation: 'chat',
      apiPath: '/api/v1/chat/completions',
      model: { requested: 'acme/writer', id: 'acme/writer', canonicalSlug: 'acme/writer-20260102', author: 'acme' },
      provider: { name: 'Alpha Cloud', slug: 'alpha' },
      status: 200,
      error: null,
      isStreamed: false,
      cost: { total: '0.00002', input: '0.00001', output: '0.00001', inputUnitPrice: '0.000001' },
      key: { id: key.id, hash: key.hash },
      externalUser: 'user-1',
      sessionId: 'session-1',
      trace: { trace_id: 'trace-1', feature: 'search' },
      metadata: { team: 'search' },
      parameters: { temperature: 0.5, max_tokens: 100 },
      app: { title: 'Search box', referer: 'https://example.com' },
      content: {
        input: { messages: ASKING.messages },
        output: { completion: 'All is well.', reasoning: null, toolCalls: [] },
        tools: fields.tools,
      },
    });
    const [attempt] = event!.attempts;
    expect(event!.startedAt).toBeLessThanOrEqual(attempt!.startedAt);
    expect(attempt!.startedAt + attempt!.latencyMs).toBeLessThanOrEqual(event!.endedAt + 1);
    expect(Math.abs(event!.endedAt - Date.now())).toBeLessThan(60_000);
  });

  it('says what filters did with a request and its answer (200), not what they found', async () => {
    const organization = await broadcasting.app.factory.organization();
    await broadcasting.broadcast(organization, true);
    await broadcasting.webhook(organization, { broadcast_generation_request_context: true });
    const applies_to = ['request', 'response'];
    const key = await broadcasting.gateway.guardedKey(organization, {
      content_filters: [{ pattern: CANARY, action: 'redact', label: 'canary', applies_to }],
    });
    broadcasting.gateway.alpha.answerJson(completion(`It is ${CANARY}.`));
    await broadcasting.gateway.ask(key, ASKING);
    const [event] = await events();
    expect(event!.filters).toMatchObject({
      guardrail_actions: [{ filter: 'canary' }, { filter: 'canary', place: 'response' }],
      answer_filtering: { held_characters: expect.any(Number) as number, milliseconds: expect.any(Number) as number },
    });

    await broadcasting.deliver();
    expect(sent()).toContain('gatehouse.guardrail_actions');
    expect(sent()).toContain('gatehouse.answer_filtering');
    expect(sent()).not.toContain(CANARY);
  });

  it('writes down streams with their tool calls, put together', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const deltas = [
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"word":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"new"}' } }] },
    ];
    const chunks = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
    ];
    broadcasting.gateway.alpha.answerStream(
      [...chunks.map((chunk) => JSON.stringify({ id: 'chatcmpl-1', ...chunk })), '[DONE]']
        .map((data) => `data: ${data}\n\n`)
        .join(''),
    );
    await broadcasting.gateway.stream(key, ASKING);

    expect(await events()).toMatchObject([
      {
        isStreamed: true,
        finishReason: 'tool_calls',
        content: {
          output: { completion: null, toolCalls: [{ id: 'call_1', name: 'look_up', arguments: '{"word":"new"}' }] },
        },
      },
    ]);
  });

  it.each([false, true])(
    'writes down how each choice has ended, and the text of a refusal (streamed: %s)',
    async (stream) => {
      const { organization, key } = await broadcasting.broadcasting();
      await broadcasting.webhook(organization);
      const said = [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, refusal: 'I will not.' } },
        { index: 1, finish_reason: 'length', message: { role: 'assistant', content: 'I would', refusal: null } },
      ];
      const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
      if (stream) {
        const deltas = said.map(({ message: { content, refusal }, index }) => ({
          choices: [{ index, delta: { content, refusal }, finish_reason: null }],
        }));
        // The second choice ends first.
        const ends = said
          .map(({ index, finish_reason }) => ({ choices: [{ index, delta: {}, finish_reason }] }))
          .reverse();
        broadcasting.gateway.alpha.answerStream(
          [
            ...[...deltas, ...ends, { choices: [], usage }].map((chunk) => JSON.stringify({ id: 'c', ...chunk })),
            '[DONE]',
          ]
            .map((data) => `data: ${data}\n\n`)
            .join(''),
        );
      } else broadcasting.gateway.alpha.answerJson({ id: 'c', choices: said, usage });
      await broadcasting.gateway.ask(key, { ...ASKING, n: 2, stream, response_format: { type: 'json_object' } });

      expect(await events()).toMatchObject([
        { finishReasons: ['stop', 'length'], content: { output: { completion: 'I will not.' } }, error: null },
      ]);
      await broadcasting.deliver();
      const [span] = spansIn(broadcasting.receiver.received[0]!.body as DecodedRequest);
      expect(attributesOf(span!)).toMatchObject({
        'gen_ai.response.finish_reasons': ['stop', 'length'],
        'gen_ai.output.type': 'json',
      });
    },
  );

  it('writes down a client that leaves before the first token (499) as that, and not as an error of the provider', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const leaving = new AbortController();
    broadcasting.gateway.alpha.answerWith(() => leaving.abort());
    await broadcasting.gateway.open(key, ASKING, leaving.signal).catch(() => undefined);
    await until(async () => (await events()).length > 0);

    expect(await events()).toMatchObject([{ isCancelled: true, error: null, status: 499 }]);
    await broadcasting.deliver();
    const [span] = spansIn(broadcasting.receiver.received[0]!.body as DecodedRequest);
    expect(span!.status).toEqual({ code: 2, message: 'The client has disconnected' });
    expect(attributesOf(span!)).toMatchObject({ 'error.type': 'client_disconnected' });
    expect(span!.events).toEqual([]);
  });

  it('writes down every operation of inference (200)', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const post = (path: string, json: object): Promise<{ status: number }> =>
      broadcasting.app.api.post(path, { key: key.plaintext, json: { model: 'acme/writer', ...json } });
    await broadcasting.gateway.ask(key);
    await post('/completions', { prompt: CANARY });
    await post('/messages', { max_tokens: 10, messages: ASKING.messages });
    await post('/responses', { input: CANARY });
    await broadcasting.gateway.embed(key, { input: CANARY });

    const written = await events();
    expect(written.map(({ operation, apiPath }) => `${operation} ${apiPath}`).sort()).toEqual([
      'chat /api/v1/chat/completions',
      'chat /api/v1/messages',
      'chat /api/v1/responses',
      'embeddings /api/v1/embeddings',
      'text_completion /api/v1/completions',
    ]);
    expect(written.filter(({ content }) => JSON.stringify(content?.input).includes(CANARY))).toHaveLength(4);
  });

  it('writes down what no provider has answered (503), with each attempt and no output', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    for (const provider of [broadcasting.gateway.alpha, broadcasting.gateway.beta]) {
      provider.answerJson({ error: { message: 'overloaded' } }, 503);
    }
    await broadcasting.gateway.ask(key, ASKING);

    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      error: { type: 'provider_unavailable' },
      attempts: [
        { providerSlug: 'alpha', status: 503 },
        { providerSlug: 'beta', status: 503 },
      ],
      content: { output: { completion: null } },
      cost: { total: '0', input: null },
    });
    expect(event!.status).toBeGreaterThanOrEqual(500);
  });

  it('writes down nothing of what was refused before a provider was asked', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    await broadcasting.gateway.ask(key, { ...ASKING, model: 'acme/missing' });
    await broadcasting.gateway.ask(key, { ...ASKING, model: 'acme/unconnected' });
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('writes down nothing where the workspace does not broadcast, and where the destination is disabled', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization, { enabled: false });
    await broadcasting.gateway.ask(key);
    await broadcasting.broadcast(organization, false);
    await broadcasting.webhook(organization);
    await broadcasting.gateway.ask(key);
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('keeps content from private destinations, and stores none where all are private', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization, { privacy_mode: true }, '/private');
    await broadcasting.gateway.ask(key, ASKING);
    expect(await events()).toMatchObject([{ content: null }]);
    await broadcasting.deliver();
    expect(broadcasting.receivedAt('/private')).toHaveLength(1);
    expect(sent()).not.toContain(CANARY);

    await broadcasting.webhook(organization, {}, '/open');
    await broadcasting.gateway.ask(key, ASKING);
    await broadcasting.deliver();
    await broadcasting.deliver();
    expect(JSON.stringify(broadcasting.receivedAt('/private'))).not.toContain(CANARY);
    expect(JSON.stringify(broadcasting.receivedAt('/open'))).toContain(CANARY);
  });

  it('keeps content no longer than a destination waits that gets it: none when that has answered 200', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization, {}, '/open');
    await broadcasting.webhook(organization, { privacy_mode: true }, '/private');
    await broadcasting.gateway.ask(key, ASKING);
    expect(await events()).toMatchObject([{ content: { input: ASKING } }]);
    broadcasting.receiver.answerWith(
      (response, { path }) => void response.writeHead(path === '/open' ? 200 : 503).end('{}'),
    );
    await broadcasting.deliver();
    expect(await broadcasting.waiting()).toEqual({ events: 1, deliveries: 1 });
    expect(await events()).toMatchObject([{ content: null, status: 200 }]);
  });

  it('keeps content as long as another destination waits that gets it, which has answered 503, and then sends it that', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization, {}, '/first');
    await broadcasting.webhook(organization, {}, '/later');
    await broadcasting.gateway.ask(key, ASKING);
    broadcasting.receiver.answerWith(
      (response, { path }) => void response.writeHead(path === '/first' ? 200 : 503).end('{}'),
    );
    await broadcasting.deliver();
    expect(await broadcasting.waiting()).toEqual({ events: 1, deliveries: 1 });
    expect(await events()).toMatchObject([{ content: { input: ASKING } }]);

    broadcasting.reset();
    await broadcasting.skipWaiting();
    await broadcasting.deliver();
    expect(JSON.stringify(broadcasting.receivedAt('/later'))).toContain(CANARY);
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
  });

  it('sends content as it was redacted', async () => {
    const { organization } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const content_filters = [{ pattern: CANARY, action: 'redact', label: 'canary' }];
    const key = await broadcasting.gateway.guardedKey(organization, { content_filters });
    await broadcasting.gateway.ask(key, ASKING);
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toHaveLength(1);
    expect(sent()).not.toContain(CANARY);
  });

  it('encrypts what waits, and binds it to its organization', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    await broadcasting.gateway.ask(key, ASKING);
    const [row] = await broadcasting.app.rows<{ id: string; payload: Buffer; content: Buffer }>(
      'SELECT generation_id AS id, payload, content FROM broadcast_events',
    );
    for (const part of [row!.payload, row!.content]) {
      expect(part.toString('latin1')).not.toContain(CANARY);
      expect(broadcasting.app.application.get(Cipher).isCurrent(part)).toBe(true);
    }
    const owner = { organizationId: 'org_other', id: row!.id };
    await expect(broadcasting.app.application.get(SealedEvents).open(owner, row!)).rejects.toThrow();
  });

  it('sends what could not be recorded in time (500), once it is recorded', async () => {
    const { organization, key } = await broadcasting.broadcasting();
    await broadcasting.webhook(organization);
    const { application } = broadcasting.app;
    const statements = application.get(Statements);
    const write = statements.write.bind(statements);
    const spy = jest.spyOn(statements, 'write').mockImplementation((statement, values) => {
      if (statement.name === INSERT_BROADCAST_GENERATIONS.name) throw new Error('the database is gone');
      return write(statement, values);
    });
    expect((await broadcasting.gateway.ask(key, ASKING)).status).toBe(500);
    expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    spy.mockRestore();
    await application.get(LateGenerations).store();
    await broadcasting.deliver();
    expect(broadcasting.receiver.received).toHaveLength(1);
    expect(sent()).toContain(CANARY);
  });

  describe('is for those generations that a destination is to get', () => {
    it.each([
      ['of other keys', { api_key_hashes: 'other' }],
      ['of other regions', { regions: ['us'] }],
      ['outside of its sample', { sampling_rate: 0 }],
      [
        'that its rules do not select',
        { filter_rules: { groups: [{ rules: [{ field: 'model', operator: 'equals', value: 'x' }] }] } },
      ],
      [
        'whose answer its rules do not select',
        { filter_rules: { groups: [{ rules: [{ field: 'output', operator: 'regex', value: '^none$' }] }] } },
      ],
      [
        'while a rule cannot be evaluated',
        { filter_rules: { groups: [{ rules: [{ field: 'output', operator: 'regex', value: '(' }] }] } },
      ],
    ])('and not for those %s', async (_, fields: Record<string, unknown>) => {
      const { organization, key } = await broadcasting.broadcasting();
      const other = await broadcasting.app.factory.key(organization);
      await broadcasting.webhook(organization, 'api_key_hashes' in fields ? { api_key_hashes: [other.hash] } : fields);
      await broadcasting.gateway.ask(key, ASKING);
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });

    it('and for those that its rules select, also by content that is not sent', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const rules = [
        { field: 'output', operator: 'regex', value: '^All .* well' },
        { field: 'input', operator: 'contains', value: CANARY },
        { field: 'completion_tokens', operator: 'gte', value: 5 },
      ];
      await broadcasting.webhook(organization, { privacy_mode: true, filter_rules: { groups: [{ rules }] } });
      await broadcasting.gateway.ask(key, ASKING);
      expect(await events()).toMatchObject([{ content: null }]);
    });

    it('and for all of a session or none', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      await broadcasting.webhook(organization, { sampling_rate: 0.5 });
      const counts: number[] = [];
      for (let session = 0; session < 12; session += 1) {
        for (let turn = 0; turn < 3; turn += 1)
          await broadcasting.gateway.ask(key, { session_id: `session-${session}` });
        const [row] = await broadcasting.app.rows<{ count: number }>(
          'SELECT count(*)::int AS count FROM broadcast_deliveries',
        );
        counts.push(row!.count);
      }
      const ofSessions = counts.map((count, index) => count - (counts[index - 1] ?? 0));
      expect(new Set(ofSessions)).toEqual(new Set([0, 3]));
    });

    it('and follows a change at once: what waits for a key that it no longer has is not sent', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      await broadcasting.gateway.ask(key);
      const other = await broadcasting.app.factory.key(organization);
      await broadcasting.patch(organization, id, { api_key_hashes: [other.hash] });
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toEqual([]);
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });

    it('and knows a key that was rotated (200) while its generation waited', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      await broadcasting.webhook(organization, { api_key_hashes: [key.hash] });
      await broadcasting.gateway.ask(key);
      await broadcasting.app.api.post(`/keys/${key.hash}/rotate`, { key: organization.managementKey, json: {} });
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toHaveLength(1);
    });

    it.each([
      ['leads to another address', { config: { url: 'http://127.0.0.1:9/elsewhere' } }],
      ['has become private', { privacy_mode: true }],
    ])('and sends nothing meant for before when it %s', async (what, fields) => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      await broadcasting.gateway.ask(key, ASKING);
      await broadcasting.patch(organization, id, fields);
      await broadcasting.deliver();
      expect(sent()).not.toContain(CANARY);
      expect(broadcasting.receiver.received).toHaveLength(what === 'has become private' ? 1 : 0);
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });

    it.each([
      [
        'a destination is disabled',
        (id: string, organization: NewOrganization, isOn: boolean) =>
          broadcasting.patch(organization, id, { enabled: isOn }),
      ],
      [
        'its workspace stops to broadcast',
        (_: string, organization: NewOrganization, isOn: boolean) => broadcasting.broadcast(organization, isOn),
      ],
    ])(
      'and keeps what waits while %s, as its deliveries say (200), and sends it when that is over',
      async (_, turn) => {
        const { organization, key } = await broadcasting.broadcasting();
        const { id } = await broadcasting.webhook(organization);
        const waiting = () => broadcasting.deliveriesOf(organization, id);
        await broadcasting.gateway.ask(key, ASKING);
        await turn(id, organization, false);
        await broadcasting.gateway.ask(key, { ...ASKING, user: 'too-late' });
        for (let time = 0; time < 2; time += 1) await broadcasting.deliver();
        expect(broadcasting.receiver.received).toEqual([]);
        expect(await waiting()).toMatchObject({ state: 'off', waiting: 1, dropped: 0, next_try_at: null });
        // Nothing asks for it again and again meanwhile.
        expect(await broadcasting.app.application.get(DeliveryRepository).dueQueues(10, 10)).toEqual([]);

        await turn(id, organization, true);
        await broadcasting.deliver();
        expect(broadcasting.receiver.received).toHaveLength(1);
        expect(sent()).toContain(CANARY);
        expect(sent()).not.toContain('too-late');
        expect(await waiting()).toMatchObject({ state: 'active', waiting: 0, delivered: 1, dropped: 0 });
      },
    );

    it('and keeps what waits for a paused one (401) that is disabled and mended, and sends it then', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      for (let count = 0; count < 3; count += 1) await broadcasting.gateway.ask(key, ASKING);
      broadcasting.receiver.answerWith((response) => void response.writeHead(401).end());
      await broadcasting.deliver();
      expect(await broadcasting.deliveriesOf(organization, id)).toMatchObject({ state: 'paused', waiting: 3 });
      await broadcasting.patch(organization, id, { enabled: false });
      await broadcasting.deliver();
      broadcasting.reset();
      await broadcasting.patch(organization, id, { enabled: true, config: { headers: { 'x-token': 'right' } } });
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toHaveLength(3);
    });

    it('and gives up what waits for a disabled one when it is too old, and does not call it late before (200)', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      await broadcasting.gateway.ask(key, ASKING);
      await broadcasting.patch(organization, id, { enabled: false });
      const upkeep = broadcasting.app.application.get(OutboxUpkeepRepository);
      const age = async (hours: number): Promise<void> => {
        for (const table of ['broadcast_events', 'broadcast_deliveries']) {
          await broadcasting.app.rows(`UPDATE ${table} SET enqueued_at = now() - $1 * interval '1 hour'`, [hours]);
        }
        await broadcasting.app.application.get(OutboxUpkeep).tidy();
      };
      await age(23);
      expect(await broadcasting.deliveriesOf(organization, id)).toMatchObject({ waiting: 1, dropped: 0 });
      expect(await upkeep.waiting()).toEqual({ waiting: 1, oldestSeconds: 0 });
      await age(25);
      expect(await broadcasting.deliveriesOf(organization, id)).toMatchObject({ waiting: 0, dropped: 1 });
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });

    it('and drops what waits for a disabled one that has another address', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      await broadcasting.gateway.ask(key, ASKING);
      const config = { url: `${new URL(broadcasting.receiver.baseUrl).origin}/elsewhere` };
      await broadcasting.patch(organization, id, { enabled: false, config });
      await broadcasting.deliver();
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });

    it('and drops what waits for a disabled one that is deleted, with its content (200)', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      await broadcasting.gateway.ask(key, ASKING);
      await broadcasting.patch(organization, id, { enabled: false });
      await broadcasting.app.api.delete(`/observability/destinations/${id}`, { key: organization.managementKey });
      await broadcasting.deliver();
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });

    it('and drops what waits for a destination that was deleted', async () => {
      const { organization, key } = await broadcasting.broadcasting();
      const { id } = await broadcasting.webhook(organization);
      await broadcasting.gateway.ask(key);
      await broadcasting.app.api.delete(`/observability/destinations/${id}`, { key: organization.managementKey });
      await broadcasting.deliver();
      expect(broadcasting.receiver.received).toEqual([]);
      expect(await broadcasting.waiting()).toEqual({ events: 0, deliveries: 0 });
    });
  });
});
