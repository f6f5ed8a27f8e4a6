import type { ChatMessage, ChatRequest } from '../chat/chat-completion.js';
import { requestBody } from './request-encoder.js';

function bodyOf(request: Partial<ChatRequest>) {
  return requestBody({ model: 'claude', messages: [{ role: 'user', content: 'Hello' }], ...request }, false);
}

function messagesOf(messages: readonly ChatMessage[]): unknown {
  return bodyOf({ messages })['messages'];
}

const TOOL = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } };

describe('The body of a request to the Messages API', () => {
  it('has what the form demands, and nothing that was not asked for', () => {
    expect(bodyOf({})).toEqual({
      model: 'claude',
      max_tokens: 4_096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  it('has the fields that the form knows, under its own names and within its bounds', () => {
    expect(
      bodyOf({
        max_tokens: 10,
        max_completion_tokens: 20,
        temperature: 1.7,
        top_p: 0.5,
        top_k: 3,
        stop: ['END', ' '],
        user: 'u-1',
        service_tier: 'default',
        cache_control: { type: 'ephemeral' },
        seed: 7,
        logit_bias: {},
      }),
    ).toEqual({
      model: 'claude',
      max_tokens: 20,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      temperature: 1,
      top_p: 0.5,
      top_k: 3,
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
      service_tier: 'standard_only',
      cache_control: { type: 'ephemeral' },
    });
  });

  describe('has of the messages', () => {
    it('the instructions at the beginning apart, with their marks for the cache', () => {
      const mark = { type: 'ephemeral', ttl: '1h' };
      const body = bodyOf({
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: mark }] },
          { role: 'developer', content: 'Be kind.' },
          { role: 'user', content: 'Hello' },
        ],
      });
      expect(body['system']).toEqual([
        { type: 'text', text: 'Be brief.', cache_control: mark },
        { type: 'text', text: 'Be kind.' },
      ]);
      expect(body['messages']).toHaveLength(1);
    });

    it('later instructions in their place, as texts of the user behind the results of tools', () => {
      const call = { id: 'c', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } };
      const body = bodyOf({
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hi', tool_calls: [call] },
          { role: 'system', content: 'The user is in a hurry.' },
          { role: 'tool', tool_call_id: 'c', content: 'Found' },
          { role: 'assistant', content: 'So.' },
          { role: 'developer', content: [{ type: 'text', text: 'Stop.', cache_control: { type: 'ephemeral' } }] },
        ],
      });
      expect(body).not.toHaveProperty('system');
      expect(body['messages']).toEqual([
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'tool_use', id: 'c', name: 'look_up', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'Found' }] },
            { type: 'text', text: 'The user is in a hurry.' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'So.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Stop.', cache_control: { type: 'ephemeral' } }] },
      ]);
    });

    it('instructions as those of the user if there are no others', () => {
      const body = bodyOf({ messages: [{ role: 'system', content: 'Say hello.' }] });
      expect(body).not.toHaveProperty('system');
      expect(body['messages']).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }]);
    });

    it('the two roles in turn, and names before their texts', () => {
      expect(
        messagesOf([
          { role: 'user', content: 'One', name: 'Ann' },
          { role: 'user', content: 'Two' },
          { role: 'assistant', content: 'Three' },
          { role: 'assistant', content: 'Four' },
          { role: 'user', content: '  ' },
          { role: 'user', content: 'Five' },
        ]),
      ).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Ann: One' },
            { type: 'text', text: 'Two' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Three' },
            { type: 'text', text: 'Four' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Five' }] },
      ]);
    });

    it('the calls of tools, and their results in one message of the user', () => {
      expect(
        messagesOf([
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call:1', type: 'function', function: { name: 'look_up', arguments: '{"word":"a"}' } },
              { id: 'call_2', type: 'function', function: { name: 'look_up', arguments: '' } },
              { id: 'call_3', type: 'function', function: { name: 'look_up', arguments: '{"cut' } },
            ],
          },
          { role: 'tool', tool_call_id: 'call:1', content: 'first' },
          { role: 'tool', tool_call_id: 'call_2', content: '' },
          { role: 'user', content: 'Go on' },
        ]),
      ).toEqual([
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_1', name: 'look_up', input: { word: 'a' } },
            { type: 'tool_use', id: 'call_2', name: 'look_up', input: {} },
            { type: 'tool_use', id: 'call_3', name: 'look_up', input: { arguments: '{"cut' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'first' }] },
            { type: 'tool_result', tool_use_id: 'call_2' },
            { type: 'text', text: 'Go on' },
          ],
        },
      ]);
    });

    it('images and documents, by value and by address', () => {
      expect(
        messagesOf([
          {
            role: 'user',
            content: [
              {
                type: 'image_url',
                image_url: { url: 'data:image/png;base64,AAAA' },
                cache_control: { type: 'ephemeral' },
              },
              { type: 'image_url', image_url: { url: 'https://images.example.com/1.png' } },
              { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
              { type: 'file', file: { file_id: 'file_1' } },
            ],
          },
        ]),
      ).toEqual([
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
              cache_control: { type: 'ephemeral' },
            },
            { type: 'image', source: { type: 'url', url: 'https://images.example.com/1.png' } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
              title: 'a.pdf',
            },
            { type: 'document', source: { type: 'file', file_id: 'file_1' } },
          ],
        },
      ]);
    });

    it('the beginning of the answer, without the white space at its end', () => {
      expect(
        messagesOf([
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Good \n' },
        ]),
      ).toMatchObject([{ role: 'user' }, { role: 'assistant', content: [{ type: 'text', text: 'Good' }] }]);
    });

    it('no thoughts at the end of an answer that broke off, wherever it stands', () => {
      const thought = { type: 'reasoning.text', format: 'anthropic-claude-v1', text: 'Hm', signature: 's' };
      const [begun, later] = [
        { ...thought, index: 0 },
        { ...thought, index: 1, id: 'after-4-0' },
      ];
      const user = (text: string): ChatMessage => ({ role: 'user', content: text });
      expect(
        messagesOf([
          user('One'),
          { role: 'assistant', content: null, reasoning_details: [begun] },
          user('Two'),
          { role: 'assistant', content: 'Good', reasoning_details: [begun, later] },
          user('Three'),
        ]),
      ).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'Two' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's' },
            { type: 'text', text: 'Good' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Three' }] },
      ]);
    });

    it('refusals of the model as its texts', () => {
      const refusal = { type: 'refusal', refusal: 'Nor this.' };
      expect(
        messagesOf([
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: null, refusal: 'I will not.' },
          { role: 'user', content: 'And this?' },
          { role: 'assistant', content: [{ type: 'text', text: 'Well.' }, refusal], refusal: null },
        ]),
      ).toMatchObject([
        { role: 'user' },
        { role: 'assistant', content: [{ type: 'text', text: 'I will not.' }] },
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Well.' },
            { type: 'text', text: 'Nor this.' },
          ],
        },
      ]);
    });

    it('nothing that has no block: such a request is refused', () => {
      for (const part of [
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'image_url', image_url: { url: 'data:image/svg+xml,<svg/>' } },
        { type: 'image_url', image_url: { url: 'data:' } },
      ]) {
        expect(() => messagesOf([{ role: 'user', content: [part] }])).toThrow(
          expect.objectContaining({ kind: 'refused', status: 400 }),
        );
      }
    });
  });

  describe('has of the tools', () => {
    it('their names, descriptions, schemas and marks', () => {
      const { function: called } = TOOL;
      const tools = [
        {
          ...TOOL,
          function: { ...called, description: 'Looks up', strict: true },
          cache_control: { type: 'ephemeral' },
        },
        { type: 'function', function: { name: 'stop' } },
      ];
      expect(bodyOf({ tools })['tools']).toEqual([
        {
          name: 'look_up',
          description: 'Looks up',
          input_schema: { type: 'object' },
          strict: true,
          cache_control: { type: 'ephemeral' },
        },
        { name: 'stop', input_schema: { type: 'object', properties: {} } },
      ]);
    });

    it.each([
      ['auto', undefined, { type: 'auto' }],
      ['none', false, { type: 'none' }],
      ['required', undefined, { type: 'any' }],
      ['required', false, { type: 'any', disable_parallel_tool_use: true }],
      [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
      [undefined, true, undefined],
      [{ type: 'function', function: { name: 'look_up' } }, undefined, { type: 'tool', name: 'look_up' }],
    ] as const)('for the choice %j with parallel calls %j the choice %j', (choice, parallel, expected) => {
      const body = bodyOf({
        tools: [TOOL],
        ...(choice === undefined ? {} : { tool_choice: choice }),
        ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
      });
      expect(body['tool_choice']).toEqual(expected);
    });

    it.each([
      ['auto', ['stop'], ['stop'], { type: 'auto' }],
      ['required', ['stop'], ['stop'], { type: 'any' }],
      ['required', ['stop', 'look_up'], ['look_up', 'stop'], { type: 'any' }],
      ['required', ['unknown'], ['look_up', 'stop'], { type: 'none' }],
      ['auto', [], ['look_up', 'stop'], { type: 'none' }],
      ['required', undefined, ['look_up', 'stop'], { type: 'any' }],
    ] as const)(
      'where the mode is %s and %j are allowed, %j with the choice %j',
      (mode, allowed, offered, expected) => {
        const named = allowed?.map((name) => ({ type: 'function', function: { name } }));
        const body = bodyOf({
          tools: [TOOL, { type: 'function', function: { name: 'stop' } }],
          tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: named } },
        });
        expect(body['tools']).toMatchObject(offered.map((name) => ({ name })));
        expect(body['tool_choice']).toEqual(expected);
      },
    );

    it('no choice if there are none', () => {
      expect(bodyOf({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })).not.toHaveProperty('tool_choice');
    });
  });

  describe('has of the reasoning', () => {
    it.each([
      [{ effort: 'high' }, 10_000, 8_000],
      [{ effort: 'max' }, 10_000, 9_500],
      [{ enabled: true }, 10_000, 5_000],
      [{ effort: 'minimal' }, 5_000, 1_024],
      [{ effort: 'xhigh' }, 1_000_000, 128_000],
      [{ max_tokens: 3_000 }, 10_000, 3_000],
      [{ max_tokens: 30_000 }, 10_000, 9_999],
      [{ effort: 'high' }, 1_024, undefined],
      [{ effort: 'none' }, 10_000, undefined],
      [{ effort: 'high', enabled: false }, 10_000, undefined],
      [{ exclude: true }, 10_000, undefined],
    ] as const)('for %j within %d tokens a budget of %p', (reasoning, longest, budget) => {
      const body = bodyOf({ reasoning, max_tokens: longest });
      expect(body['max_tokens']).toBe(longest);
      expect(body['thinking']).toEqual(budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget });
    });

    it('a budget, and then nothing that a thinking model cannot do', () => {
      const body = bodyOf({
        reasoning: { effort: 'low' },
        max_tokens: 10_000,
        temperature: 0.2,
        top_k: 5,
        top_p: 0.5,
        tools: [TOOL],
        tool_choice: 'required',
      });
      expect(body['tool_choice']).toEqual({ type: 'auto' });
      for (const field of ['temperature', 'top_k', 'top_p']) expect(body).not.toHaveProperty(field);
    });
  });

  it('has the schema that the answer is to have', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    expect(bodyOf({ response_format: format })['output_config']).toEqual({ format: { type: 'json_schema', schema } });
    expect(bodyOf({ response_format: { type: 'json_object' } })).not.toHaveProperty('output_config');
  });
});
