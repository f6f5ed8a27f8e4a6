import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { chunk, completion, embeddings, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const PLAIN = { prompt: '0.00000125', completion: '0.00001' };

/** Prices with more than 18 decimals, where they are discounted. */
const ALL_PRICES = {
  ...PLAIN,
  request: '0.0001',
  image: '0.003',
  image_token: '5e-6',
  image_output: '0.04',
  image_output_token: '0.00003',
  audio: '0.00003',
  audio_output: '0.00006',
  input_audio_cache: '0.000001',
  internal_reasoning: '0.0000123456789012345',
  input_cache_read: '0.000000125',
  input_cache_write: '0.0000015625',
  input_cache_write_1h: '0.0000025',
};

const PRICE_LISTS: readonly object[] = [
  PLAIN,
  ALL_PRICES,
  { ...ALL_PRICES, discount: 0.123456789 },
  {
    ...ALL_PRICES,
    discount: 0.25,
    overrides: [
      { min_prompt_tokens: 500, prompt: '0.0000025', completion: '0.000015', input_cache_read: '0.00000025' },
      { min_prompt_tokens: 5_000, prompt: '0.000005', request: '0.01' },
      { utc_start: 1200, prompt: '0.000004', audio: '0.00005' },
      { utc_end: 1200, utc_days: ['monday', 'tuesday', 'wednesday', 'thursday'], completion: '0.00002' },
    ],
  },
  { ...PLAIN, audio: '0.00003', image_token: '0.000005', input_cache_read: '0.000000125' },
  { ...PLAIN, input_cache_write: '0.0000015625', overrides: [{ utc_start: 2200, utc_end: 1000, completion: '0' }] },
];

const MODELS = Object.fromEntries(
  ['acme', 'anthropic'].flatMap((author) =>
    PRICE_LISTS.map((pricing, index) => [
      `${author}/priced-${index}`,
      ['alpha', 'beta'].map((tag) => endpoint(tag, { pricing })),
    ]),
  ),
);

const count = fc.nat({ max: 8_000 });

const USAGES = fc.record({
  prompt: fc.integer({ min: 1, max: 9_000 }),
  completion: fc.nat({ max: 900 }),
  cached: count,
  written: count,
  writtenForAnHour: count,
  audio: count,
  image: count,
  reasoning: fc.nat({ max: 1_500 }),
  answerAudio: fc.nat({ max: 900 }),
  answerImage: fc.nat({ max: 900 }),
  isForAnHour: fc.boolean(),
  author: fc.constantFrom('acme', 'anthropic'),
  isStreamed: fc.boolean(),
  isOfMessages: fc.boolean(),
  isGivenUpFirst: fc.boolean(),
  price: fc.nat({ max: PRICE_LISTS.length - 1 }),
});

type Usage = typeof USAGES extends fc.Arbitrary<infer Value> ? Value : never;

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

describe('The cost of every record', () => {
  const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' }, models: MODELS });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const differences = async (): Promise<object[]> => {
    const text = await readFile(path.join(process.cwd(), 'catalog/recompute.sql'), 'utf8');
    return (await gateway.app.rows<{ organization_id: string }>(text)).filter(
      ({ organization_id: id }) => id === organization.organizationId,
    );
  };

  const openAiUsage = (of: Usage): object => ({
    prompt_tokens: of.prompt,
    completion_tokens: of.completion,
    total_tokens: of.prompt + of.completion,
    prompt_tokens_details: {
      cached_tokens: of.cached,
      cache_write_tokens: of.written,
      audio_tokens: of.audio,
      image_tokens: of.image,
    },
    completion_tokens_details: {
      reasoning_tokens: of.reasoning,
      audio_tokens: of.answerAudio,
      image_tokens: of.answerImage,
    },
  });

  const messagesUsage = (of: Usage): object => ({
    input_tokens: of.prompt,
    output_tokens: of.completion,
    cache_read_input_tokens: of.cached,
    cache_creation_input_tokens: of.written,
    cache_creation: {
      ephemeral_5m_input_tokens: of.written,
      ephemeral_1h_input_tokens: of.writtenForAnHour,
    },
    output_tokens_details: { thinking_tokens: of.reasoning },
  });

  /** Lets the provider that is asked report a usage; one that is given up reports it without an answer. */
  const answerWith = (of: Usage): void => {
    const usage = openAiUsage(of);
    let isGivenUp = of.isGivenUpFirst;
    gateway.alpha.answerWith((response) => {
      const document = isGivenUp ? completion('', { choices: [], usage }) : completion('Well', { usage });
      isGivenUp = false;
      if (!of.isStreamed) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      else {
        const last = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
        const said = of.isGivenUpFirst ? '' : chunk({ content: 'Well' }) + chunk({}, 'stop');
        response.writeHead(200, STREAM_HEAD).end(`${said}${last}data: [DONE]\n\n`);
      }
    });
    gateway.beta.answerWith((response) => {
      const counted = messagesUsage(of);
      const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Well' }] };
      if (!of.isStreamed) {
        const document = { ...message, stop_reason: 'end_turn', usage: counted };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
        return;
      }
      const events = [
        event('message_start', { message: { ...message, content: [], usage: { ...counted, output_tokens: 1 } } }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: 'Well' } }),
        event('content_block_stop', { index: 0 }),
        event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: of.completion } }),
        event('message_stop', {}),
      ];
      response.writeHead(200, STREAM_HEAD).end(events.join(''));
    });
  };

  it('is the same when it is calculated again from its usage, whatever providers count: 200', async () => {
    for (const of of fc.sample(USAGES, { numRuns: 80, seed: 7 })) {
      answerWith(of);
      const answer = await gateway.ask(key, {
        model: `${of.author}/priced-${of.price}`,
        messages: [{ role: 'user', content: 'What?' }],
        ...(of.isForAnHour && { cache_control: { type: 'ephemeral', ttl: '1h' } }),
        stream: of.isStreamed,
        provider: { order: of.isOfMessages ? ['beta', 'alpha'] : ['alpha', 'beta'] },
      });
      expect(answer.status).toBe(200);
    }
    gateway.alpha.answerJson(embeddings([[1, 2]], { usage: { prompt_tokens: 1_234, total_tokens: 1_234 } }));
    expect((await gateway.embed(key)).status).toBe(200);

    const [records] = await gateway.app.rows<{ charged: string; attempts: string }>(
      `SELECT count(*) FILTER (WHERE cost_usd > 0) AS charged, sum(jsonb_array_length(details -> 'charges')) AS attempts
       FROM generations WHERE organization_id = $1`,
      [organization.organizationId],
    );
    expect(Number(records!.charged)).toBeGreaterThan(60);
    expect(Number(records!.attempts)).toBeGreaterThan(Number(records!.charged));
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['of what is charged', `cost_usd = cost_usd + 0.000000000000000001`, ['record']],
    ['of a count', `details = jsonb_set(details, '{charges,0,usage,promptTokens}', '11')`, ['charge', 'record']],
    [
      'of a price',
      `details = jsonb_set(details, '{charges,0,prices,completion}', '"0.000001"')`,
      ['charge', 'prices', 'record'],
    ],
    ['that has no usage', `details = details - 'charges'`, ['uncharged']],
  ])('is found to differ, where the record of an answer (200) is changed: %s', async (_, change, found) => {
    expect((await gateway.ask(key)).status).toBe(200);
    expect(await differences()).toEqual([]);
    await gateway.app.rows(`UPDATE generations SET ${change} WHERE organization_id = $1`, [
      organization.organizationId,
    ]);

    expect((await differences()).map((difference) => (difference as { what: string }).what)).toEqual(found);
  });
});
