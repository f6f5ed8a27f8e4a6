import { filledBefore } from '../../../support/application/filled-before.js';
import { sharedOrganization } from '../../../support/application/shared-organization.js';
import { importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { chunk, completion, STREAM, STREAM_END } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { expectTyped } from '../chat/typed-answer-schemas.js';

const SEES = {
  architecture: { modality: 'text+image->text', input_modalities: ['text', 'image'], output_modalities: ['text'] },
};

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const message = (role: string, content: unknown): object => ({ type: 'message', role, content });

const ASKS_WEATHER = {
  input: [message('user', 'Is it raining in Ulm?')],
  tools: [
    {
      type: 'function',
      name: 'weather',
      description: 'Tells the weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
};

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } };

interface Resource {
  readonly status: string;
  readonly output: readonly { readonly type: string }[];
}

interface Event {
  readonly type: string;
  readonly item?: { readonly type: string };
  readonly response?: Resource;
}

/** What the seven public acceptance tests of Open Responses over HTTP ask for, with requests of our own. */
describe('createResponses, as Open Responses has it,', () => {
  const gateway = sharedGateway({ models: { 'acme/seer': [endpoint('alpha')] } });
  const organization = sharedOrganization(gateway);
  const key = filledBefore(beforeAll, () => gateway.app.factory.key(organization));

  beforeAll(() => importCatalog(gateway.app, { models: [modelEntry('acme/seer', SEES)] }));

  const respond = async (fields: object): Promise<Resource> => {
    const json = { model: 'acme/seer', stream: false, ...fields };
    const { status, body, text } = await gateway.app.api.post<Resource>('/responses', { key: key.plaintext, json });
    expect({ status, text }).toEqual({ status: 200, text });
    expectTyped('response', body);
    return body;
  };

  const stream = async (fields: object): Promise<Event[]> => {
    const json = { model: 'acme/seer', stream: true, ...fields };
    const { status, text } = await gateway.app.api.post('/responses', { key: key.plaintext, json });
    expect(status).toBe(200);
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Event);
    for (const event of events) expectTyped('responseEvent', event);
    return events;
  };

  it.each([
    ['a message of a user', [message('user', 'Say hello.')], ['user']],
    ['a system prompt', [message('system', 'Be brief.'), message('user', 'Say hello.')], ['system', 'user']],
    [
      'a conversation',
      [message('user', 'I am Jane.'), message('assistant', 'Hello Jane.'), message('user', 'Who am I?')],
      ['user', 'assistant', 'user'],
    ],
    [
      'a picture',
      [
        message('user', [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: PICTURE },
        ]),
      ],
      ['user'],
    ],
  ])('answers 200 to %s, complete and with an output', async (_, input, roles) => {
    const { status, output } = await respond({ input });
    const { messages } = gateway.alpha.received.at(-1)!.body as { messages: { role: string }[] };

    expect(status).toBe('completed');
    expect(output.map(({ type }) => type)).toEqual(['message']);
    expect(messages.map(({ role }) => role)).toEqual(roles);
  });

  it('answers 200 with the call of a function', async () => {
    const choices = [
      { index: 0, message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'tool_calls' },
    ];
    gateway.alpha.answerJson(completion('', { choices }));

    expect((await respond(ASKS_WEATHER)).output).toMatchObject([{ type: 'function_call', name: 'weather' }]);
  });

  it('answers 200 with a stream that ends with the complete response', async () => {
    gateway.alpha.answerStream(STREAM);
    const events = await stream({ input: [message('user', 'Count to three.')] });
    const last = events.at(-1)!;

    expect([last.type, last.response!.status]).toEqual(['response.completed', 'completed']);
    expectTyped('response', last.response);
  });

  it('answers 200 with a stream of the call of a function and of its arguments', async () => {
    const { function: called, ...call } = CALL;
    gateway.alpha.answerStream(
      [
        chunk({
          role: 'assistant',
          tool_calls: [{ index: 0, ...call, function: { name: called.name, arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: called.arguments } }] }),
        STREAM_END.replace('"stop"', '"tool_calls"'),
      ].join(''),
    );
    const events = await stream(ASKS_WEATHER);
    const ofCall = events.filter(({ type, item }) => item?.type === 'function_call' || type.includes('arguments'));

    expect(ofCall.map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ]);
    expectTyped('response', events.at(-1)!.response);
  });
});
