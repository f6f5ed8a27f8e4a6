import { adjustmentsOf, CLAUDE, GPT, type Served, sentTo, translated, UNKNOWN } from './translation.fixture.js';

const MISTRAL: Served = { model: 'mistralai/mistral-large-2512', provider: 'mistral' };
const GEMINI: Served = { model: 'google/gemini-3.1-pro-preview', provider: 'google-ai-studio' };
const GROK: Served = { model: 'x-ai/grok-4.3', provider: 'xai' };
const HAIKU: Served = { ...CLAUDE, model: 'anthropic/claude-haiku-4.5' };

const user = (content: string): object => ({ role: 'user', content });
const calls = (...ids: string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{}' } })),
});
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: `Result of ${id}` });

interface Sent {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
}

const messagesTo = (served: Served, ...messages: object[]): readonly Sent[] =>
  sentTo(served, { messages })['messages'] as Sent[];

/** What a message is: a result by its call, any other by its role. */
const kindsOf = (messages: readonly Sent[]): string[] => messages.map(({ role, tool_call_id: id }) => id ?? role);

describe('Results of tools', () => {
  it.each<[Served]>([[GPT], [UNKNOWN], [GEMINI]])(
    'stand directly behind their calls, whatever came between: %j',
    (served) => {
      const sent = messagesTo(
        served,
        user('Go'),
        calls('one', 'two'),
        result('one'),
        { role: 'developer', content: 'The image was resized.' },
        user('And hurry'),
        result('two'),
      );
      expect(kindsOf(sent).map((kind) => kind.replace('developer', 'system'))).toEqual([
        'user',
        'assistant',
        'one',
        'two',
        'system',
        'user',
      ]);
    },
  );

  it('stand in the next message of the user for Claude, also where the assistant has spoken between', () => {
    const sent = messagesTo(
      CLAUDE,
      user('Go'),
      calls('one'),
      user('Wait'),
      { role: 'assistant', content: 'Yes.' },
      result('one'),
      user('Now'),
    );
    expect(sent[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'one' }, { text: 'Wait' }],
    });
  });

  it('stay where they are if their calls have the same ids in several turns', () => {
    const messages = [user('Go'), calls('call_0'), result('call_0'), calls('call_0'), result('call_0'), user('On')];
    const { body, adjustments } = translated(GPT, { messages });
    expect(body['messages']).toEqual(messages);
    expect(adjustments).toEqual([]);
  });

  it('are named where they change their place', () => {
    expect(adjustmentsOf(translated(GPT, { messages: [calls('one'), user('Wait'), result('one')] }))).toEqual([
      'messages: results_behind_calls',
    ]);
  });

  it.each<[Served]>([[MISTRAL], [{ model: 'mistralai/devstral-2512', provider: 'acme' }]])(
    'have words of the assistant between them and the user, where the model wants them: %j',
    (served) => {
      const sent = messagesTo(served, user('Go'), calls('one'), result('one'), user('And?'));
      expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    },
  );

  it('have no such words for others', () => {
    expect(kindsOf(messagesTo(GPT, user('Go'), calls('one'), result('one'), user('And?')))).toHaveLength(4);
  });
});

describe('Instructions within a conversation', () => {
  it('are messages of the user for Mistral, which refuses them behind the assistant', () => {
    const system = (content: string): object => ({ role: 'system', content });
    const sent = messagesTo(
      MISTRAL,
      system('One'),
      user('Hi'),
      { role: 'assistant', content: 'Yes?' },
      system('Two'),
      user('Go'),
    );
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'user']);
  });
});

describe('A conversation that ends with the assistant', () => {
  const prefilled = [user('Write JSON'), { role: 'assistant', content: '{' }];

  it.each([
    'anthropic/claude-opus-4.6',
    'anthropic/claude-sonnet-4.6',
    'anthropic/claude-opus-4.7',
    'anthropic/claude-sonnet-5',
  ])('ends with a message of the user for %s, which does not continue what it has said by itself', (model) => {
    const { body, adjustments } = translated({ ...CLAUDE, model }, { messages: prefilled });
    expect((body['messages'] as Sent[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(adjustments).toEqual([{ path: 'messages', action: 'changed', reason: 'ends_with_assistant' }]);
  });

  it('has the field for it at Mistral', () => {
    expect(messagesTo(MISTRAL, ...prefilled)[1]).toEqual({ role: 'assistant', content: '{', prefix: true });
  });

  it.each<[Served]>([[HAIKU], [GPT], [UNKNOWN]])(
    'stays as it is for those that take it, or may do so: %j',
    (served) => {
      expect(messagesTo(served, ...prefilled)).toHaveLength(2);
    },
  );

  it('is answered without thoughts by a Claude that thinks with a budget', () => {
    const { body, adjustments } = translated(HAIKU, { messages: prefilled, reasoning: { max_tokens: 2_000 } });
    expect(body).not.toHaveProperty('thinking');
    expect(adjustments).toEqual([{ path: 'reasoning', action: 'left_out', reason: 'turn_without_thoughts' }]);
  });

  it('goes on behind the results of its calls', () => {
    expect(messagesTo({ ...CLAUDE, model: 'anthropic/claude-opus-4.7' }, user('Go'), calls('one'))).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'one' }] },
    ]);
  });
});

describe('Messages that say nothing', () => {
  it.each<[Served]>([[GEMINI], [MISTRAL], [GROK], [GPT]])('are left out for those that refuse them: %j', (served) => {
    for (const content of ['', null, [], ' ']) {
      expect(kindsOf(messagesTo(served, user('Hi'), { role: 'assistant', content }, user('On')))).toEqual([
        'user',
        'user',
      ]);
    }
  });

  it('stay if they refuse or call something', () => {
    const refusing = { role: 'assistant', content: '', refusal: 'No.' };
    expect(messagesTo(GPT, user('Hi'), refusing, user('On'), calls('one'), result('one'))).toHaveLength(5);
  });
});

describe('Messages of a provider whose roles must take turns', () => {
  const SONAR: Served = { model: 'perplexity/sonar', provider: 'perplexity' };
  const assistant = (content: string): object => ({ role: 'assistant', content });
  const picture = { type: 'image_url', image_url: { url: 'https://images.example/x.png' } };

  it('are one where they are of one role and follow each other, also with an instruction between', () => {
    const system = { role: 'system', content: 'Be brief.' };
    const translation = translated(SONAR, {
      messages: [system, user('One'), { ...system, content: 'Now.' }, assistant('A'), assistant('B'), user('Two')],
    });
    expect(translation.body['messages']).toEqual([system, user('One\n\nNow.'), assistant('A\n\nB'), user('Two')]);
    expect(adjustmentsOf(translation)).toContain('messages: roles_in_turn');
  });

  it('keep parts that are no texts, and begin with the user', () => {
    const parts = { role: 'user', content: [picture] };
    expect(messagesTo(SONAR, assistant('Hello'), user('See'), parts)).toEqual([
      user('Begin.'),
      assistant('Hello'),
      { role: 'user', content: [{ type: 'text', text: 'See' }, picture] },
    ]);
  });

  it('stay as they are in turn, and at other providers', () => {
    const inTurn = [user('One'), assistant('A'), user('Two')];
    expect(adjustmentsOf(translated(SONAR, { messages: inTurn }))).toEqual([]);
    expect(messagesTo(SONAR, ...inTurn)).toEqual(inTurn);
    expect(messagesTo(UNKNOWN, user('One'), user('Two'))).toHaveLength(2);
  });
});

describe('Calls of tools in messages', () => {
  it.each<[Served]>([[GPT], [GEMINI], [CLAUDE], [UNKNOWN]])('are left out if there are none: %j', (served) => {
    for (const none of [[], null]) {
      const sent = messagesTo(served, user('Hi'), { role: 'assistant', content: 'Yes?', tool_calls: none }, user('On'));
      expect(sent[1]).not.toHaveProperty('tool_calls');
    }
  });

  it('have an object as arguments where a client has kept none', () => {
    const call = { id: 'one', type: 'function', function: { name: 'look_up', arguments: '' } };
    const { body, adjustments } = translated(UNKNOWN, {
      messages: [{ role: 'assistant', tool_calls: [call] }, result('one')],
    });
    expect(body['messages']).toMatchObject([{ tool_calls: [{ function: { arguments: '{}' } }] }, {}]);
    expect(adjustments).toEqual([
      { path: 'messages.0.tool_calls.0.function.arguments', action: 'changed', reason: 'arguments_missing' },
    ]);
  });

  it.each([
    ['null', '{}', 'arguments_missing'],
    ['{"word":"x', '{"arguments":"{\\"word\\":\\"x"}', 'arguments_no_object'],
    ['[1]', '{"arguments":"[1]"}', 'arguments_no_object'],
  ])('have an object as arguments in place of %s, because servers parse them', (given, expected, reason) => {
    const call = { id: 'one', type: 'function', function: { name: 'look_up', arguments: given } };
    const { body, adjustments } = translated(UNKNOWN, {
      messages: [{ role: 'assistant', tool_calls: [call] }, result('one')],
    });
    expect(body['messages']).toMatchObject([{ tool_calls: [{ function: { arguments: expected } }] }, {}]);
    expect(adjustments.map((one) => one.reason)).toEqual([reason]);
  });
});

describe('Ids of calls', () => {
  interface Called extends Sent {
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly content: readonly { readonly id?: string; readonly tool_use_id?: string }[];
  }

  it('have at most 40 characters at OpenAI, the same in a call and its result', () => {
    const [short, long, other] = ['c'.repeat(40), 'c'.repeat(41), `${'c'.repeat(41)}d`];
    const sent = messagesTo(
      GPT,
      user('Go'),
      calls(short, long, other),
      result(short),
      result(long),
      result(other),
    ) as Called[];
    const ids = sent[1]!.tool_calls!.map(({ id }) => id);

    expect(ids[0]).toBe(short);
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(40);
    expect(new Set(ids).size).toBe(3);
    expect(sent.slice(2).map(({ tool_call_id: id }) => id)).toEqual(ids);
  });

  it('are unique for Claude, which refuses those that servers give anew in each answer', () => {
    const sent = messagesTo(
      CLAUDE,
      user('Go'),
      ...[1, 2, 3].flatMap(() => [calls('call_0', 'call_1'), result('call_1'), result('call_0')]),
    ) as Called[];
    const used = sent.flatMap(({ content }) => content.flatMap(({ id }) => id ?? []));
    const answered = sent.flatMap(({ content }) => content.flatMap(({ tool_use_id: id }) => id ?? []));

    expect(used).toEqual(['call_0', 'call_1', 'call_0_2', 'call_1_2', 'call_0_3', 'call_1_3']);
    expect(answered).toEqual(['call_1', 'call_0', 'call_1_2', 'call_0_2', 'call_1_3', 'call_0_3']);
  });

  it('are unique for Claude also in the characters that it takes', () => {
    const sent = messagesTo(CLAUDE, user('Go'), calls('a.b', 'a:b'), result('a.b'), result('a:b')) as Called[];
    expect(sent[1]!.content.map(({ id }) => id)).toEqual(['a_b', 'a_b_2']);
    expect(sent[2]!.content.map(({ tool_use_id: id }) => id)).toEqual(['a_b', 'a_b_2']);
  });

  it('stay what they are for others', () => {
    const messages = [user('Go'), calls('c'.repeat(100)), result('c'.repeat(100))];
    expect(messagesTo(UNKNOWN, ...messages)).toEqual(messages);
  });
});

describe('What earlier answers have spoken', () => {
  const spoken = (further: object = {}): object => ({
    role: 'assistant',
    content: null,
    audio: { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'It is.', ...further },
  });
  const asked = [user('Is it a family dog?'), spoken(), user('Why?')];
  const AUDIO_MODEL: Served = { model: 'openai/gpt-audio', provider: 'openai' };

  it.each<[Served, object]>([
    [AUDIO_MODEL, spoken()],
    [UNKNOWN, spoken()],
    [AUDIO_MODEL, { role: 'assistant', audio: { id: 'audio_1' } }],
  ])('stays by its id at providers of the form for chats: %j', (served, message) => {
    const sent = messagesTo(served, asked[0]!, message, asked[2]!);
    expect(sent).toMatchObject([{ role: 'user' }, { role: 'assistant', audio: { id: 'audio_1' } }, { role: 'user' }]);
    expect(Object.keys((sent[1] as unknown as { audio: object }).audio)).toEqual(['id']);
  });

  it.each<[string, Served]>([
    ['a provider that knows no such field', { ...UNKNOWN, capabilities: { message_fields: ['role', 'content'] } }],
    ['Mistral', MISTRAL],
    ['the Messages form', CLAUDE],
    ['the Responses interface', { ...UNKNOWN, protocol: 'openai-responses' }],
    ['Gemini', { ...GEMINI, protocol: 'gemini' }],
    ['Converse', { ...CLAUDE, provider: 'amazon-bedrock', protocol: 'converse' }],
  ])('is a text for %s', (_, served) => {
    const { body, adjustments } = translated(served, { messages: asked });
    expect(JSON.stringify(body)).toMatch(/"It is\."/);
    expect(JSON.stringify(body)).not.toContain('audio_1');
    expect(adjustments).toContainEqual({ path: 'messages.1.audio', action: 'changed', reason: 'audio_as_text' });
  });

  it('is left out where the message says something, or nothing is known of it', () => {
    const said = { ...spoken(), content: 'It is, yes.' };
    const sent = JSON.stringify(sentTo(CLAUDE, { messages: [user('Hi'), said, user('Why?')] }));
    expect(sent).toContain('It is, yes.');
    expect(sent).not.toContain('It is.');
    const unknown = { role: 'assistant', audio: { id: 'audio_1' } };
    expect(messagesTo(CLAUDE, user('Hi'), unknown, user('Why?'))).toHaveLength(1);
  });
});

describe('Calls without results', () => {
  it.each<[Served]>([[GPT], [UNKNOWN], [GEMINI], [MISTRAL]])(
    'get one behind the others, which says so: %j',
    (served) => {
      const given = { messages: [user('Go'), calls('one', 'two'), result('two'), user('Stop'), calls('three')] };
      const { body, adjustments } = translated(served, given);
      const sent = (body['messages'] as Sent[]).filter(({ role }) => role === 'tool');
      expect(sent.map(({ content }) => content)).toEqual(['Result of two', 'interrupted', 'interrupted']);
      expect(adjustments).toContainEqual({ path: 'messages', action: 'changed', reason: 'result_missing' });
      expect(adjustments.map(({ reason }) => reason)).not.toContain('results_behind_calls');
    },
  );

  it.each<[string, Served]>([
    ['the Messages form', CLAUDE],
    ['the Responses interface', { ...UNKNOWN, protocol: 'openai-responses' }],
    ['Gemini', { ...GEMINI, protocol: 'gemini' }],
    ['Converse', { ...CLAUDE, provider: 'amazon-bedrock', protocol: 'converse' }],
  ])('get one in %s', (_, served) => {
    const asked = (...messages: readonly object[]): string => JSON.stringify(sentTo(served, { messages }));
    expect(asked(user('Go'), calls('one'), user('Stop'))).toContain('interrupted');
    expect(asked(user('Go'), calls('one'), result('one'), user('Stop'))).not.toContain('interrupted');
  });

  it('get one for each turn whose ids repeat', () => {
    const sent = messagesTo(UNKNOWN, user('Go'), calls('one'), user('Again'), calls('one'), result('one'));
    expect(sent.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'interrupted',
      'Result of one',
    ]);
  });
});
