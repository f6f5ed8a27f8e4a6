import type { ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { PROVIDER_SECRET } from '../../../support/resources/provider-keys.js';
import { until } from '../../../support/time/until.js';
import { chunk, completion, embeddings, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

/** What the prompt of a question costs at Alpha, where it is estimated: 3 tokens. */
const PROMPT_AT_ALPHA = 0.000003;

/** What an answer of Beta with 10 and 5 tokens costs. */
const ANSWER_OF_BETA = 0.00005;

const ANY_TIME = { headers: 300_000, firstEvent: 300_000, gap: 300_000 };
const JSON_HEAD = { 'content-type': 'application/json' };

describe('An attempt that the gateway gives up', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  afterEach(() => gateway.limitAlpha(ANY_TIME));

  const setLimit = async ({ hash }: IssuedCredential, limit: number): Promise<void> => {
    const limited = await gateway.app.api.patch(`/keys/${hash}`, { key: organization.managementKey, json: { limit } });
    expect(limited.status).toBe(200);
  };

  const reserved = (): Promise<{ amount: string }[]> =>
    gateway.app.rows(`SELECT amount_usd::text AS amount FROM spend_reservations WHERE organization_id = $1`, [
      organization.organizationId,
    ]);

  it.each<[string, boolean, (response: ServerResponse) => void, number]>([
    ['with no head in time', false, () => undefined, PROMPT_AT_ALPHA],
    [
      'with a head and nothing more',
      false,
      (response) => response.writeHead(200, JSON_HEAD).flushHeaders(),
      PROMPT_AT_ALPHA,
    ],
    // 40 bytes are 10 tokens.
    [
      'with half a document',
      false,
      (response) => response.writeHead(200, JSON_HEAD).end(`{"choices":[${'"'.padEnd(28, 'x')}`),
      0.000023,
    ],
    [
      'with a document that is no answer',
      false,
      (response) => response.writeHead(200, JSON_HEAD).end('{}'),
      PROMPT_AT_ALPHA,
    ],
    [
      'with usage and no choices',
      false,
      (response) => {
        const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
        response.writeHead(200, JSON_HEAD).end(JSON.stringify(completion('', { choices: [], usage })));
      },
      0.000114,
    ],
    [
      'whose connection breaks off after the head',
      false,
      (response) => {
        response.writeHead(200, { ...JSON_HEAD, 'content-length': '100' }).write('    ');
        setImmediate(() => response.destroy());
      },
      PROMPT_AT_ALPHA,
    ],
    ['whose provider closes the connection without a word', false, (response) => void response.destroy(), 0],
    [
      'with a stream without an event',
      true,
      (response) => response.writeHead(200, STREAM_HEAD).flushHeaders(),
      PROMPT_AT_ALPHA,
    ],
    [
      'with a stream that is none',
      true,
      (response) => response.writeHead(200, STREAM_HEAD).end('data: nonsense\n\n'),
      PROMPT_AT_ALPHA,
    ],
    [
      'with a stream of usage alone',
      true,
      (response) => {
        const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
        response.writeHead(200, STREAM_HEAD).end(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
      },
      0.000114,
    ],
  ])(
    '%s is charged what it came to (streamed: %s), and the answer (200) of the next besides',
    async (_, stream, answer, cost) => {
      await gateway.limitAlpha({ headers: 100, firstEvent: 100, gap: 100 });
      gateway.alpha.answerWith((response) => answer(response));
      const response = await gateway.ask(key, { stream });

      expect(response.status).toBe(200);
      expect(gateway.alpha.received).toHaveLength(1);
      const record = await gateway.record(response, key);
      expect(record).toMatchObject({ provider_name: 'Beta Cloud', tokens_prompt: 10, tokens_completion: 5 });
      expect(record.total_cost).toBeCloseTo(cost + ANSWER_OF_BETA, 12);
      if (!stream) expect(response.body.usage.cost).toBe(record.total_cost);
    },
  );

  it.each([
    ['refuses with an error', 500, { error: { message: 'Overloaded' } }],
    ['refuses with a limit', 429, { error: { message: 'Slow down' } }],
    ['sends an error as its answer', 200, { error: { message: 'No' } }],
  ])('is not charged where the provider %s: %i', async (_, status, document) => {
    gateway.alpha.answerJson(document, status);
    const response = await gateway.ask(key);

    expect(response).toMatchObject({ status: 200, body: { usage: { cost: ANSWER_OF_BETA } } });
    expect(await gateway.record(response, key)).toMatchObject({ is_usage_estimated: false });
  });

  it('is charged, marked as estimated, where no other answers: 503', async () => {
    await gateway.limitAlpha({ headers: 100 });
    gateway.alpha.answerWith(() => undefined);
    const response = await gateway.ask(key, { provider: { only: ['alpha'] } });

    expect(response.status).toBe(503);
    expect(await gateway.record(response, key)).toMatchObject({
      status: 503,
      total_cost: PROMPT_AT_ALPHA,
      tokens_prompt: 3,
      tokens_completion: 0,
      is_usage_estimated: true,
      is_usage_capped: false,
    });
  });

  it('is charged for embeddings, whose vectors are of a wrong form: 503', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) {
      provider.answerJson(embeddings([], { usage: { prompt_tokens: 40, total_tokens: 40 } }));
    }
    const response = await gateway.embed(key);

    expect(response.status).toBe(503);
    expect(await gateway.record(response, key)).toMatchObject({ total_cost: 0.00016, tokens_prompt: 80 });
  });

  describe('keeps what it may cost reserved, so that', () => {
    // 12 bytes are 6 tokens at most, and 12 for their form; Beta costs three times, and twice, as much.
    const AT_ALPHA = 0.000028;
    const AT_BETA = 0.000074;
    const asked = { max_tokens: 5 };

    it.each([
      ['no further attempt is made where its worst case does not fit besides', AT_ALPHA + AT_BETA - 0.000001, 503, 0],
      ['a further attempt is made where it fits', AT_ALPHA + AT_BETA, 200, 1],
    ])('%s: with a limit of %d, %i', async (_, limit, status, attempts) => {
      await setLimit(key, limit);
      await gateway.limitAlpha({ headers: 100 });
      gateway.alpha.answerWith(() => undefined);
      const response = await gateway.ask(key, asked);

      expect(response.status).toBe(status);
      expect(gateway.beta.received).toHaveLength(attempts);
      expect(await reserved()).toEqual([]);
      const cost = status === 200 ? PROMPT_AT_ALPHA + ANSWER_OF_BETA : PROMPT_AT_ALPHA;
      expect((await gateway.record(response, key)).total_cost).toBeCloseTo(cost, 12);
    });

    it('both are reserved while the next answers: 200', async () => {
      await setLimit(key, 1);
      await gateway.limitAlpha({ headers: 100 });
      gateway.alpha.answerWith(() => undefined);
      let isReserved: { amount: string }[] = [];
      gateway.beta.answerWith(async (response) => {
        await until(async () => (isReserved = await reserved())[0]?.amount !== '0.000074');
        response.writeHead(200, JSON_HEAD).end(JSON.stringify(completion('Yes')));
      });

      expect((await gateway.ask(key, asked)).status).toBe(200);
      expect(isReserved).toEqual([{ amount: '0.000102' }]);
    });

    it('what a limit (200) leaves is never passed by 20 at once', async () => {
      await setLimit(key, 0.0005);
      await gateway.limitAlpha({ headers: 100 });
      gateway.alpha.answerWith(() => undefined);
      gateway.beta.answerJson(
        completion('Yes', { usage: { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 } }),
      );
      await Promise.all(Array.from({ length: 20 }, () => gateway.ask(key, asked)));

      const [spent] = await gateway.app.rows<{ sum: string }>(
        'SELECT sum(cost_usd)::text AS sum FROM generations WHERE key_id = $1',
        [key.id],
      );
      expect(Number(spent!.sum)).toBeGreaterThan(0);
      expect(Number(spent!.sum)).toBeLessThanOrEqual(0.0005);
      expect(await reserved()).toEqual([]);
    });
  });

  it('with an own key counts as usage of that key, and the answer (200) of the deployment as its own', async () => {
    const json = { provider: 'alpha', key: PROVIDER_SECRET };
    expect((await gateway.app.api.post('/byok', { key: organization.managementKey, json })).status).toBe(201);
    await gateway.limitAlpha({ headers: 100 });
    gateway.alpha.answerWith(() => undefined);
    const response = await gateway.ask(key, { provider: { order: ['alpha', 'beta'] } });
    expect(response.status).toBe(200);

    const [spent] = await gateway.app.rows<{ amount: string; byok: string }>(
      'SELECT amount_usd::text AS amount, byok_amount_usd::text AS byok FROM key_spend WHERE key_id = $1',
      [key.id],
    );
    // Alpha is asked once more with the key of the deployment.
    expect([Number(spent!.amount), Number(spent!.byok)]).toEqual([PROMPT_AT_ALPHA + ANSWER_OF_BETA, PROMPT_AT_ALPHA]);
  }, 120_000);
});

describe('A usage beyond what is possible', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  it.each([false, true])('is charged at what is (200), marked, and teaches nothing (streamed: %s)', async (stream) => {
    const usage = { prompt_tokens: 1_000_000_000, completion_tokens: 1_000_000_000, total_tokens: 2_000_000_000 };
    gateway.alpha.answerWith((response) => {
      if (!stream) response.writeHead(200, JSON_HEAD).end(JSON.stringify(completion('Hi', { usage })));
      else {
        const last = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;
        response.writeHead(200, STREAM_HEAD).end([chunk({ content: 'Hi' }), chunk({}, 'stop'), last].join(''));
      }
    });
    const response = await gateway.ask(key, { stream, max_tokens: 50, n: 2 });

    expect(response.status).toBe(200);
    // A context of 128,000 tokens, and twice 50 of the answer.
    expect(await gateway.record(response, key)).toMatchObject({
      tokens_prompt: 128_000,
      tokens_completion: 100,
      total_cost: 0.1282,
      is_usage_capped: true,
    });
  });

  it('does not refuse later requests (200) that fit their limit', async () => {
    const usage = { prompt_tokens: 1_000_000_000, completion_tokens: 5, total_tokens: 1_000_000_005 };
    gateway.alpha.answerJson(completion('Hi', { usage }));
    const limit = { limit: 0.1281 };
    await gateway.app.api.patch(`/keys/${key.hash}`, { key: organization.managementKey, json: limit });
    expect((await gateway.ask(key, { max_tokens: 5, provider: { only: ['alpha'] } })).status).toBe(200);

    gateway.reset();
    expect((await gateway.ask(key, { max_tokens: 5, provider: { only: ['alpha'] } })).status).toBe(200);
  });
});
