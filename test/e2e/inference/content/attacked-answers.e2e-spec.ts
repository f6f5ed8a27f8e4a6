import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { sharedOrganization } from '../../../support/application/shared-organization.js';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { ADDRESS, BLOCKED, CARD, REDACTED, toldBy } from './told-values.js';

type Fields = Readonly<Record<string, unknown>>;

/** Longer than what is held for the filters. */
const PROSE = 'And a few more words of prose. '.repeat(40);

const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

const said = (text: string, size: number, field = 'content'): Fields[] =>
  pieces(text, size).map((piece) => ({ [field]: piece }));

const calling = (index: number, fields: Fields = {}): Fields => ({
  tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'act', arguments: '' }, ...fields }],
});

const argued = (index: number, text: string, size: number): Fields[] =>
  pieces(text, size).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }));

/** Every character of a text as an escape of JSON. */
const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const inTurn = (...texts: readonly Fields[][]): Fields[] =>
  texts[0]!.flatMap((_, at) => texts.flatMap((text) => (text[at] === undefined ? [] : [text[at]])));

const INPUT = `{"input":"Pay ${ADDRESS} with ${CARD}"}`;

/** What a model may say to bring a value to its client, as the deltas of a stream of choices. */
const ATTACKS: Readonly<Record<string, readonly Fields[]>> = {
  'one character at a time': said(`Pay ${ADDRESS} with ${CARD}.`, 1),
  'two characters at a time': said(`Pay ${ADDRESS} with ${CARD}.`, 2),
  'seven characters at a time': said(`Pay ${ADDRESS} with ${CARD}.`, 7),
  'all at once': said(`Pay ${ADDRESS} with ${CARD}.`, 500),
  'behind much prose': said(`${PROSE}Pay ${ADDRESS} with ${CARD}. ${PROSE}`, 40),
  'at the very end': said(`${PROSE}${ADDRESS}`, 3),
  'after empty pieces': [{ content: '' }, ...said(ADDRESS, 1).flatMap((piece) => [{ content: '' }, piece])],
  'between emoji whose halves come apart': [...`😀${ADDRESS}😀`].flatMap((letter) =>
    letter.split('').map((half) => ({ content: half })),
  ),
  'behind half an emoji': [{ content: '\ud83d' }, ...said(` ${ADDRESS} `, 2), { content: '\ude00' }],
  'with invisible characters': said([...ADDRESS].join('\u200b'), 3),
  'in full-width digits': said('Pay ４１１１ １１１１ １１１１ １１１１.', 2),
  'as percent-encoding': said(`https://a.test/?to=${ADDRESS.replace('@', '%40')}`, 4),
  'as references of HTML': said(ADDRESS.replace('@', '&#64;'), 2),
  'as escapes of JSON': said(`{"to":"${ADDRESS.replace('@', '\\u0040')}"}`, 3),
  'in a thought': [...said(`I pay ${ADDRESS} with ${CARD}.`, 3, 'reasoning'), ...said('Done.', 2)],
  'in details of a thought': [
    { reasoning_details: [{ type: 'reasoning.text', text: `I pay ${ADDRESS}`, signature: 'c2ln', index: 0 }] },
    { reasoning_details: [{ type: 'reasoning.summary', summary: `with ${CARD}`, index: 1 }] },
    ...said('Done.', 2),
  ],
  'in a refusal': said(`I cannot write to ${ADDRESS}.`, 3, 'refusal'),
  'in arguments': [calling(0), ...argued(0, INPUT, 2)],
  'in arguments at once': [calling(0), ...argued(0, INPUT, 500)],
  'in arguments, escaped': [calling(0), ...argued(0, `{"input":"${escaped(ADDRESS)}"}`, 1)],
  'in arguments, as a number': [calling(0), ...argued(0, '{"input":"pay","card":4111111111111111}', 3)],
  'in arguments, as a name': [calling(0), ...argued(0, `{"${ADDRESS}":"1","input":"x"}`, 2)],
  'in arguments that are no JSON': [calling(0), ...argued(0, `pay ${ADDRESS} with ${CARD}`, 2)],
  'in arguments that never end': [calling(0), ...argued(0, INPUT.slice(0, -2), 2)],
  'in arguments within arguments': [calling(0), ...argued(0, JSON.stringify({ input: INPUT }), 3)],
  'in calls whose pieces come in turn': [
    calling(0),
    calling(1),
    ...inTurn(argued(0, INPUT, 2), argued(1, INPUT.replace('input', 'other'), 3)),
  ],
  'in calls beside a text, in turn': [calling(0), ...inTurn(said(`${ADDRESS} ${CARD}`, 2), argued(0, INPUT, 4))],
  'in the name of a tool': [calling(0, { function: { name: `pay ${ADDRESS}`, arguments: '{}' } })],
  'in the id of a call': [calling(0, { id: `call ${ADDRESS}` }), ...argued(0, '{"input":"x"}', 3)],
  'in fields that nobody knows': [{ content: 'Hello.', note: ADDRESS, extra: { deep: [CARD] } }],
};

/** A message as the deltas of a stream put it together. */
function messageOf(deltas: readonly Fields[]): Fields {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: { id: unknown; type: string; function: { name: string; arguments: string } }[] = [];
  for (const { tool_calls: parts, reasoning_details: details, ...fields } of deltas) {
    for (const [name, value] of Object.entries(fields)) {
      message[name] = typeof value === 'string' ? `${(message[name] ?? '') as string}${value}` : value;
    }
    if (details !== undefined)
      message['reasoning_details'] = [...((message['reasoning_details'] ?? []) as []), details].flat();
    for (const { index, id, function: called } of (parts ?? []) as {
      index: number;
      id?: unknown;
      function: Record<string, string>;
    }[]) {
      const call = (calls[index] ??= { id, type: 'function', function: { name: '', arguments: '' } });
      call.function.name += called['name'] ?? '';
      call.function.arguments += called['arguments'] ?? '';
    }
  }
  return { ...message, ...(calls.length > 0 && { tool_calls: calls }) };
}

const TOOL = {
  name: 'act',
  description: 'Acts.',
  parameters: { type: 'object', properties: { input: { type: 'string' } } },
};

/** Requests of each form, with a tool where the form has any. */
const FORMS: Readonly<Record<string, { readonly path: string; readonly fields: Fields }>> = {
  chats: {
    path: '/chat/completions',
    fields: { messages: [{ role: 'user', content: 'Go.' }], tools: [{ type: 'function', function: TOOL }] },
  },
  messages: {
    path: '/messages',
    fields: {
      max_tokens: 4_000,
      messages: [{ role: 'user', content: 'Go.' }],
      tools: [{ name: TOOL.name, input_schema: TOOL.parameters }],
    },
  },
  responses: { path: '/responses', fields: { input: 'Go.', tools: [{ type: 'function', ...TOOL }] } },
  'responses with a custom tool': {
    path: '/responses',
    fields: { input: 'Go.', tools: [{ type: 'custom', name: 'act' }] },
  },
  'responses with a search for tools': {
    path: '/responses',
    fields: { input: 'Go.', tools: [{ type: 'tool_search', execution: 'client', parameters: { type: 'object' } }] },
  },
  completions: { path: '/completions', fields: { prompt: 'Go.' } },
};

const FORM_NAMES = Object.keys(FORMS);

const ATTACK_NAMES = Object.keys(ATTACKS);

/** The deltas of an attack with the name of the tool that a request offers. */
function attackFor(form: string, attack: string): readonly Fields[] {
  const deltas = ATTACKS[attack]!;
  return form.includes('search')
    ? (JSON.parse(JSON.stringify(deltas).replaceAll('"name":"act"', '"name":"tool_search"')) as Fields[])
    : deltas;
}

/** The events of a provider of the Responses interface that say what some deltas put together, each in one piece and in small ones. */
function responsesEvents(deltas: readonly Fields[]): string {
  const {
    content,
    reasoning,
    tool_calls: calls = [],
  } = messageOf(deltas) as {
    content: string | null;
    reasoning?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  };
  const items = [
    ...(reasoning === undefined
      ? []
      : [
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: reasoning }],
            encrypted_content: 'b3Bh',
          },
        ]),
    ...(content === null
      ? []
      : [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: content, annotations: [] }],
          },
        ]),
    ...calls.map(({ id, function: called }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      status: 'completed',
      ...called,
    })),
  ];
  const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: items, usage };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap((item, at) => {
      const place = { output_index: at, item_id: item.id };
      const [type, text, begun] = deltasOfItem(item);
      return [
        { type: 'response.output_item.added', output_index: at, item: { ...item, ...begun } },
        ...pieces(text, 3).map((delta) => ({
          type: `response.${type}.delta`,
          ...place,
          content_index: 0,
          summary_index: 0,
          delta,
        })),
        { type: 'response.output_item.done', output_index: at, item },
      ];
    }),
    { type: 'response.completed', response },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** The deltas of an item of an answer, their text, and what the item has before they come. */
function deltasOfItem(item: Fields): readonly [type: string, text: string, begun: Fields] {
  if (item['type'] === 'reasoning') {
    return ['reasoning_summary_text', (item['summary'] as { text: string }[])[0]!.text, { summary: [] }];
  }
  return item['type'] === 'message'
    ? ['output_text', (item['content'] as { text: string }[])[0]!.text, { content: [] }]
    : ['function_call_arguments', item['arguments'] as string, { arguments: '' }];
}

describe('an answer with values that filters block or take out', () => {
  const gateway = sharedGateway({
    variables: { PROVIDER_BETA_PROTOCOL: 'openai-responses' },
    models: { 'acme/thinker': [endpoint('beta', { supported_parameters: ['max_tokens', 'tools', 'reasoning'] })] },
  });
  const organization = sharedOrganization(gateway);
  const keys = {} as Record<'block' | 'redact' | 'none', IssuedCredential>;

  beforeAll(async () => {
    keys.block = await gateway.guardedKey(organization, BLOCKED);
    keys.redact = await gateway.guardedKey(organization, REDACTED);
    keys.none = await gateway.factory.key(organization);
  });

  /** Has Alpha say something, whole or as a stream of which each delta is a write of its own. */
  function say(deltas: readonly Fields[]): void {
    gateway.alpha.answerWith((response, { body }) => {
      if ((body as Fields)['stream'] !== true) {
        const choices = [{ index: 0, message: messageOf(deltas), finish_reason: 'stop' }];
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(completion('', { choices })));
        return;
      }
      response.writeHead(200, STREAM_HEAD);
      for (const delta of deltas) response.write(chunk(delta));
      response.end(STREAM_END);
    });
  }

  /** Has Beta say something as the Responses interface has it. */
  function sayAsResponses(deltas: readonly Fields[]): void {
    gateway.beta.answerWith((response, { body }) => {
      const events = responsesEvents(deltas);
      if ((body as Fields)['stream'] === true) return void response.writeHead(200, STREAM_HEAD).end(events);
      const [, whole] = /"response\.completed","response":(.*)\}\n\n$/.exec(events)!;
      response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
    });
  }

  const ask = (key: IssuedCredential, form: string, fields: object) =>
    gateway.app.api.post<Fields>(FORMS[form]!.path, {
      key: key.plaintext,
      json: { model: 'acme/writer', provider: { only: ['alpha'] }, ...FORMS[form]!.fields, ...fields },
    });

  /** Asks for an answer under filters that block and that take out, whole and as a stream, and expects none of its bytes to tell a value. */
  async function expectNothingTold(form: string, fields: object = {}): Promise<void> {
    const ways = (['block', 'redact'] as const).flatMap((action) =>
      [true, false].map((stream) => ({ action, stream })),
    );
    const answers = ways.map(async ({ action, stream }) => {
      const { status, text } = await ask(keys[action], form, { stream, ...fields });
      return { action, stream, status, told: toldBy(text) };
    });
    const found = await Promise.all(answers);
    // Where something has left of a stream that is blocked, it ends.
    expect(found).toEqual(
      ways.map((way, at) => ({
        ...way,
        status: way.action === 'block' && found[at]!.status === 403 ? 403 : 200,
        told: [],
      })),
    );
  }

  it.each(ATTACK_NAMES)('tells them (200) without filters that come %s', async (attack) => {
    say(ATTACKS[attack]!);
    const { status, text } = await ask(keys.none, 'chats', { stream: true });

    expect(status).toBe(200);
    expect(toldBy(text)).not.toEqual([]);
  });

  it('tells nothing of them (200, or 403) in probabilities of the tokens of a completion, and of a second answer', async () => {
    const answered = ['Hello.', `Pay ${ADDRESS}.`].map((text, index) => ({
      index,
      message: { role: 'assistant', content: text },
      delta: { content: text },
      logprobs: {
        content: pieces(text, 3).map((token) => ({
          token,
          logprob: -1,
          bytes: [...Buffer.from(token)],
          top_logprobs: [],
        })),
      },
      finish_reason: 'stop',
    }));
    gateway.alpha.answerWith((response, { body }) => {
      if ((body as Fields)['stream'] === true) {
        response.writeHead(200, STREAM_HEAD);
        for (const choice of answered) response.write(chunk({}, null, { choices: [choice] }));
        return void response.end(STREAM_END);
      }
      const document = completion('', { choices: answered });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });

    const unfiltered = await ask(keys.none, 'completions', { n: 2, logprobs: 1 });
    expect([unfiltered.status, toldBy(unfiltered.text)]).toEqual([200, expect.arrayContaining(['jane.'])]);
    await expectNothingTold('completions', { n: 2, logprobs: 1 });
    await expectNothingTold('chats', { n: 2, logprobs: true });
  });

  describe.each(FORM_NAMES)('in the form of %s', (form) => {
    it.each(ATTACK_NAMES)('tells nothing of them (200, or 403 before anything left) that come %s', async (attack) => {
      say(attackFor(form, attack));
      await expectNothingTold(form);
    });

    it.each(['one character at a time', 'in a thought', 'in arguments', 'in arguments, escaped'])(
      'tells nothing of them (200, or 403) that come %s from a provider of the Responses interface, which repeats them at the end',
      async (attack) => {
        sayAsResponses(attackFor(form, attack));
        await expectNothingTold(form, { model: 'acme/thinker', provider: { only: ['beta'] } });
      },
    );
  });
});
