import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer } from '../../../support/network/api-client.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { endpointEntry, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { STREAM_HEAD } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const PRICES = { prompt: '0.00001', completion: '0.00005', request: '0.001' };

/** 0.0001 for the prompt, 0.005 for the answer. */
const USAGE = { input_tokens: 10, output_tokens: 100 };

const TOKENS = 0.0051;
const REQUEST = 0.001;

const BUDGET = { type: 'tokens', total: 20_000 };

/** A model that Anthropic and Alpha have, one that Alpha alone has, and one whose fast mode costs less. */
const BOTH = 'anthropic/claude-next';
const ELSEWHERE = 'anthropic/claude-elsewhere';
const CHEAPER = 'anthropic/claude-opus-4.8';

const messageWith = (usage: object): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Well' }],
  stop_reason: 'end_turn',
  usage: { ...USAGE, ...usage },
});

const eventsWith = (usage: object): string => {
  const events = [
    { type: 'message_start', message: { ...messageWith(usage), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: USAGE.output_tokens } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
};

const QUESTION = [{ role: 'user', content: 'What is new?' }];

/** A question of each form. */
const FORMS: readonly (readonly [path: string, question: object])[] = [
  ['/messages', { messages: QUESTION, max_tokens: 100 }],
  ['/chat/completions', { messages: QUESTION, max_tokens: 100 }],
  ['/responses', { input: 'What is new?', max_output_tokens: 100 }],
  ['/completions', { prompt: 'What is new?', max_tokens: 100 }],
];

describe('Where data are processed, and how fast', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let anthropic: ProviderServer;

  beforeAll(async () => {
    anthropic = await ProviderServer.start();
    await gateway.app.application.get(ConnectionsService).connect({
      provider: 'anthropic',
      protocol: 'anthropic',
      baseUrl: anthropic.baseUrl,
      apiKey: 'provider-key-0123456789',
      models: {},
      timeouts: {},
    });
    const priced = (...providers: readonly string[]): object[] =>
      providers.map((slug) => endpointEntry(slug, { pricing: PRICES }));
    await importCatalog(gateway.app, {
      providers: ['alpha', 'anthropic'].map((slug) => ({ slug, name: slug })),
      models: [BOTH, ELSEWHERE, CHEAPER].map((id) => modelEntry(id)),
      endpoints: [
        { id: BOTH, endpoints: priced('alpha', 'anthropic') },
        { id: ELSEWHERE, endpoints: priced('alpha') },
        { id: CHEAPER, endpoints: priced('anthropic') },
      ],
    });
  });

  afterAll(() => anthropic.stop());

  const answerWith = (usage: object): void => {
    anthropic.answerWith((response, { body }) => {
      const isStreamed = (body as { stream?: boolean }).stream === true;
      const head = isStreamed ? STREAM_HEAD : { 'content-type': 'application/json' };
      response.writeHead(200, { ...head }).end(isStreamed ? eventsWith(usage) : JSON.stringify(messageWith(usage)));
    });
  };

  beforeEach(() => {
    answerWith({});
    anthropic.received.length = 0;
  });

  const ask = <Body = WholeAnswer>(path: string, fields: object): Promise<Answer<Body>> => {
    const [, question] = FORMS.find(([of]) => of === path)!;
    return gateway.app.api.post<Body>(path, { key: key.plaintext, json: { model: BOTH, ...question, ...fields } });
  };

  const atAlpha = { provider: { only: ['alpha'] } };
  const atAnthropic = { provider: { only: ['anthropic'] } };

  const limitKey = async (limit: number): Promise<void> => {
    const { managementKey } = organization;
    const { status } = await gateway.app.api.patch(`/keys/${key.hash}`, { key: managementKey, json: { limit } });
    expect(status).toBe(200);
  };

  const costOf = async (answer: { readonly headers: Headers }): Promise<unknown> =>
    (await gateway.record(answer, key)).total_cost;

  const sent = (): unknown => anthropic.received.at(-1)?.body;

  describe.each(FORMS)('of %s', (path) => {
    it.each([false, true])(
      'goes with inference_geo us (200) to Anthropic alone, at 1.1 times the price of tokens; streamed: %s',
      async (stream) => {
        const fields = { inference_geo: 'us', stream, provider: { order: ['alpha'] } };
        const answer = await ask<unknown>(path, fields);
        expect(answer.status).toBe(200);
        expect(sent()).toMatchObject({ inference_geo: 'us' });
        expect(gateway.alpha.received).toEqual([]);
        expect(await costOf(answer)).toBeCloseTo(REQUEST + 1.1 * TOKENS, 10);
      },
    );

    it('answers 404 for inference_geo us where no provider keeps to it, and asks none', async () => {
      const answer = await ask<{ error: { message: string } }>(path, { model: ELSEWHERE, inference_geo: 'us' });
      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).toContain(
        '1 endpoint excluded: it cannot be told where data may be processed',
      );
      expect(gateway.alpha.received).toEqual([]);
    });

    it('answers 400 for an inference_geo that is not known', async () => {
      expect((await ask(path, { inference_geo: 'eu' })).status).toBe(400);
    });

    it('answers 200 for inference_geo global from every provider, and says which is not told', async () => {
      const [told, untold] = [
        await ask(path, { inference_geo: 'global', ...atAnthropic }),
        await ask(path, { inference_geo: 'global', ...atAlpha }),
      ];
      expect([told.status, untold.status]).toEqual([200, 200]);
      expect(sent()).toMatchObject({ inference_geo: 'global' });
      expect(await costOf(told)).toBeCloseTo(REQUEST + TOKENS, 10);
      expect(gateway.alpha.received[0]?.body).not.toHaveProperty('inference_geo');
      expect((await gateway.record(untold, key))['adjustments']).toContainEqual({
        path: 'inference_geo',
        action: 'left_out',
        reason: 'unknown_field',
      });
    });
  });

  it('has for embeddings no endpoint that keeps to inference_geo us: answers 404', async () => {
    expect((await gateway.embed(key, { inference_geo: 'us' })).status).toBe(404);
  });

  it.each([
    ['fast, as the answer says', BOTH, { speed: 'fast' }, { speed: 'fast' }, 6],
    ['fast, and the answer says nothing', BOTH, { speed: 'fast' }, {}, 6],
    ['fast, and the answer is not', BOTH, { speed: 'fast' }, { speed: 'standard' }, 1],
    ['fast, of a model for which that costs less', CHEAPER, { speed: 'fast' }, { speed: 'fast' }, 2],
    ['fast and within the USA', BOTH, { speed: 'fast', inference_geo: 'us' }, {}, 6.6],
    ['within the USA, and the answer was made anywhere', BOTH, { inference_geo: 'us' }, { inference_geo: 'global' }, 1],
    ['standard, and the answer says fast', BOTH, { speed: 'standard' }, { speed: 'fast' }, 1],
  ])('charges (200) for what was wished and done: %s', async (_, model, wishes, usage, factor) => {
    answerWith(usage);
    for (const stream of [false, true]) {
      const answer = await ask<unknown>('/messages', { model, stream, ...wishes, ...atAnthropic });
      expect(answer.status).toBe(200);
      expect(await costOf(answer)).toBeCloseTo(REQUEST + factor * TOKENS, 10);
    }
    if (factor > 1) expect(sent()).toMatchObject(wishes);
  });

  it.each([
    ['no wish', {}, 0.006, 0.0065],
    ['inference_geo us', { inference_geo: 'us' }, 0.0065, 0.0071],
    ['speed fast', { speed: 'fast' }, 0.03, 0.035],
  ])(
    'reserves what may be charged for %s: answers 402 below that, and 200 with it',
    async (_, wishes, less, enough) => {
      const fields = { ...wishes, ...atAnthropic };
      await limitKey(less);
      expect((await ask('/messages', fields)).status).toBe(402);
      expect(anthropic.received).toEqual([]);
      await limitKey(enough);
      expect((await ask('/messages', fields)).status).toBe(200);
    },
  );

  it.each([
    ['no wish', {}, 50],
    ['inference_geo us', { inference_geo: 'us' }, 55],
    ['speed fast', { speed: 'fast' }, 300],
  ])(
    'compares max_price with what tokens cost by %s: answers 404 below that, and 200 at it',
    async (_, wishes, price) => {
      const at = (completion: number): object => ({
        ...wishes,
        provider: { only: ['anthropic'], max_price: { completion, request: 0.001 } },
      });
      const { status, body } = await ask<{ error: { message: string } }>('/messages', at(price - 0.001));
      expect([status, body.error.message]).toEqual([404, expect.stringContaining('the price is too high')]);
      expect(anthropic.received).toEqual([]);
      expect((await ask('/messages', at(price))).status).toBe(200);
    },
  );

  it('asks the provider that ignores speed fast (200) where max_price pays for the usual speed alone', async () => {
    const answer = await ask('/messages', { speed: 'fast', provider: { max_price: { completion: 50 } } });
    expect(answer).toMatchObject({ status: 200, body: { provider: 'alpha' } });
  });

  it('hands on the budget of a task (200) to Anthropic, beside effort', async () => {
    const output = { effort: 'low', task_budget: BUDGET };
    const betas = { 'anthropic-beta': 'task-budgets-2026-03-13' };
    const json = { model: BOTH, messages: QUESTION, max_tokens: 100, output_config: output, ...atAnthropic };
    const answer = await gateway.app.api.post('/messages', { key: key.plaintext, json, headers: betas });
    expect(answer.status).toBe(200);
    expect(sent()).toMatchObject({ output_config: { task_budget: BUDGET } });
    expect(sent()).not.toHaveProperty('task_budget');
    expect(anthropic.received.at(-1)?.headers).toMatchObject(betas);
  });

  it('leaves out speed and the budget of a task (200) at other providers at the usual price, and says so', async () => {
    const answer = await ask('/messages', { speed: 'fast', output_config: { task_budget: BUDGET }, ...atAlpha });
    expect(answer.status).toBe(200);
    for (const field of ['speed', 'output_config', 'task_budget']) {
      expect(gateway.alpha.received[0]?.body).not.toHaveProperty(field);
    }
    const {
      adjustments,
      tokens_prompt: prompt,
      tokens_completion: completion,
      total_cost: cost,
    } = await gateway.record(answer, key);
    expect(adjustments).toEqual(
      expect.arrayContaining(
        ['speed', 'output_config.task_budget'].map((path) => ({ path, action: 'left_out', reason: 'unknown_field' })),
      ),
    );
    expect(cost).toBeCloseTo(REQUEST + Number(prompt) * 0.00001 + Number(completion) * 0.00005, 10);
  });

  it('says nothing of the standard speed (200), which every provider has', async () => {
    const answer = await ask('/messages', { speed: 'standard', ...atAlpha });
    expect(answer.status).toBe(200);
    expect((await gateway.record(answer, key))['adjustments']).not.toContainEqual(
      expect.objectContaining({ path: 'speed' }),
    );
  });

  it('answers 400 for a speed that is not known, and a budget that is no object', async () => {
    expect((await ask('/messages', { speed: 'faster' })).status).toBe(400);
    expect((await ask('/messages', { output_config: { task_budget: 5 } })).status).toBe(400);
  });
});
