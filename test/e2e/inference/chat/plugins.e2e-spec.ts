import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { CHAT, endpoint, QUESTION } from '../test-gateway.js';
import { completion } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const METADATA = { 'x-router-metadata': 'enabled' };

const HEALING = { plugins: [{ id: 'response-healing' }], response_format: { type: 'json_object' } };

/** JSON as a model may write it, and as it was meant. */
const BROKEN = "```json\n{'answer': [1, 2,]}\n```";
const HEALED = '{"answer":[1,2]}';

describe('plugins', () => {
  const gateway = sharedGateway({ models: { 'acme/small': [endpoint('alpha', { context_length: 200 })] } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    gateway.alpha.received.length = 0;
  });

  const said = (role: string, text: string): object => ({ role, content: text.repeat(200) });

  const LONG = [
    { role: 'system', content: 'Be brief.' },
    said('user', 'a'),
    said('assistant', 'b'),
    said('user', 'c'),
    said('assistant', 'd'),
    said('user', 'e'),
  ];

  const askSmall = (fields: object, of = key): Promise<Answer<{ router_metadata: { pipeline?: object[] } }>> =>
    gateway.ask(of, { model: 'acme/small', messages: LONG, max_tokens: 100, provider: {}, ...fields }, METADATA);

  it.each([
    ['plugins', { plugins: [{ id: 'context-compression' }] }],
    ['transforms', { transforms: ['middle-out'] }],
  ])('leave messages out from the middle on where %s ask for it, and say so in the 200', async (_, fields) => {
    const answer = await askSmall(fields);

    expect(answer.status).toBe(200);
    const { messages } = gateway.alpha.received[0]!.body as { messages: object[] };
    expect(messages).toEqual([LONG[0], LONG[5]]);
    expect(answer.body.router_metadata.pipeline).toEqual([
      {
        type: 'context_compression',
        name: 'context-compression',
        summary: 'left out 4 of 6 messages',
        data: { omitted: 4 },
      },
    ]);
  });

  it.each([
    {},
    { transforms: [] },
    { plugins: [{ id: 'context-compression', enabled: false }], transforms: ['middle-out'] },
  ])('leave no message out of what fits, nor with %j: 200', async (fields) => {
    const answer = await askSmall(fields);
    const short = await askSmall({ transforms: ['middle-out'], messages: QUESTION });

    expect([answer.status, short.status]).toEqual([200, 200]);
    expect(gateway.alpha.received.map(({ body }) => (body as { messages: object[] }).messages)).toEqual([
      LONG,
      QUESTION,
    ]);
    expect(short.body.router_metadata.pipeline).toBeUndefined();
  });

  it('leave nothing out before content filters have seen it: 403', async () => {
    const settings = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };
    const blocked = await gateway.guardedKey(organization, settings);
    const messages = LONG.with(2, { role: 'assistant', content: 'jane.doe@example.com' });
    const answer = await askSmall({ transforms: ['middle-out'], messages }, blocked);
    expect([answer.status, gateway.alpha.received]).toEqual([403, []]);
  });

  it('repair JSON that was asked for, and say so in the 200', async () => {
    gateway.alpha.answerJson(completion(BROKEN));
    const answer = await gateway.ask(key, HEALING, METADATA);

    expect([answer.status, answer.body.choices[0]!.message.content]).toEqual([200, HEALED]);
    expect(answer.body['router_metadata']).toMatchObject({
      pipeline: [{ type: 'response_healing', name: 'response-healing', data: { repaired: 1 } }],
    });
  });

  it.each([
    ['is not asked for', { response_format: HEALING.response_format }, 'stop'],
    ['is switched off', { ...HEALING, plugins: [{ id: 'response-healing', enabled: false }] }, 'stop'],
    ['has no format of JSON', { plugins: HEALING.plugins }, 'stop'],
    ['was cut', HEALING, 'length'],
  ])('repair nothing that %s: 200', async (_, fields, finish) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: BROKEN }, finish_reason: finish }];
    gateway.alpha.answerJson(completion('', { choices }));
    const answer = await gateway.ask(key, fields);
    expect([answer.status, answer.body.choices[0]!.message.content]).toEqual([200, BROKEN]);
  });

  it.each<[path: string, input: object]>([
    [CHAT, { messages: QUESTION }],
    ['/messages', { messages: QUESTION }],
    ['/responses', { input: 'What is new?' }],
    ['/completions', { prompt: 'What is new?' }],
  ])('that the gateway does not have are a 400 of %s, but a 200 where they are switched off', async (path, input) => {
    const ask = (plugin: object): Promise<Answer<ErrorBody>> =>
      gateway.app.api.post(path, {
        key: key.plaintext,
        json: { model: 'gatehouse/echo', ...input, plugins: [{ id: 'response-healing' }, plugin] },
      });
    const refused = await ask({ id: 'web', max_results: 3 });

    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata.issues).toEqual([
      {
        path: 'plugins[1].id',
        message: 'is not a plugin of this gateway, which has context-compression and response-healing',
      },
    ]);
    expect((await ask({ id: 'web', enabled: false })).status).toBe(200);
  });

  it.each([
    ['plugins[0].id', { plugins: [{}] }],
    ['plugins[0].enabled', { plugins: [{ id: 'response-healing', enabled: 'yes' }] }],
    ['plugins[0].engine', { plugins: [{ id: 'context-compression', engine: 'other' }] }],
    ['transforms', { transforms: ['other'] }],
    ['transforms', { transforms: 'middle-out' }],
  ])('answer 400 for %s in %j', async (path, fields) => {
    const answer = await gateway.ask<ErrorBody>(key, fields);
    expect([answer.status, answer.body.error.metadata.issues?.map((issue) => issue.path)]).toEqual([400, [path]]);
  });
});
