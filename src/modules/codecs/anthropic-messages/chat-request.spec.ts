import { requestBody as openAiBody } from '../openai-chat/request-encoder.js';
import { CHAT_TEXTS } from '../../inference/pipeline/content/chat-texts.js';
import { requestBody as anthropicBody } from './request-encoder.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { withReturnedThoughts } from '../capabilities/returned-thoughts.js';
import { upstreamRequestOf } from '../../inference/pipeline/request/upstream-request.js';
import type { MessagesRequest } from './request-decoder.js';
import { chatRequestOfMessages } from './request-decoder.js';

const CLAUDE = { upstreamModel: 'claude', isByok: false };

const FORMAT = { type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'string' } } } };

const MARK = { type: 'ephemeral', ttl: '1h' };

const TOOL = { name: 'look_up', description: 'Looks up.', input_schema: { type: 'object' } };

function chatOf(fields: object) {
  const body = { model: 'acme/writer', messages: [{ role: 'user', content: 'Hello' }], ...fields };
  return chatRequestOfMessages(body as unknown as MessagesRequest, 'one-2025-01-01');
}

/** What a provider of the same form is sent. */
function sentToAnthropic(fields: object) {
  return anthropicBody(upstreamRequestOf(chatOf(fields), CLAUDE, []), false);
}

/** What a provider of the form of chat completions is sent that takes no thoughts back. */
function sentToOpenAi(fields: object): unknown {
  const request = upstreamRequestOf(chatOf(fields), { upstreamModel: 'gpt', isByok: false }, []);
  const how = { form: 'none', areOff: false, adjustments: new RequestAdjustments() } as const;
  const body = openAiBody({ ...request, messages: withReturnedThoughts(request.messages, how) }, false);
  return JSON.parse(JSON.stringify(body));
}

/** A turn of a coding agent: instructions, thoughts, calls and results, with marks for the cache. */
const AGENT = {
  max_tokens: 8_000,
  system: [
    { type: 'text', text: 'You write code.' },
    { type: 'text', text: 'Be brief.', cache_control: MARK },
  ],
  tools: [
    { ...TOOL, cache_control: MARK, input_examples: [{ a: 1 }] },
    { type: 'bash_20250124', name: 'bash' },
  ],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 2_000, display: 'summarized' },
  output_config: { effort: 'max' },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  stop_sequences: ['END'],
  service_tier: 'standard_only',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See this.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' }, title: 'Plan' },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A text.' }, cache_control: MARK },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I look.', signature: 'c2lnbmVk' },
        { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
        { type: 'text', text: 'Looking.' },
        { type: 'thinking', thinking: 'And read.', signature: 'YWdhaW4=' },
        { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { a: 1 } },
        { type: 'tool_use', id: 'toolu_2', name: 'bash', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: 'Found.' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          content: [{ type: 'text', text: 'No such file' }],
          is_error: true,
          cache_control: MARK,
        },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ],
};

describe('A request of the Messages form', () => {
  it('comes to a provider of that form as it was, but for the model', () => {
    expect(sentToAnthropic(AGENT)).toEqual({ ...AGENT, model: 'claude' });
  });

  it('comes to such a provider with its marks for the cache, also of the request and of a call', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {}, cache_control: MARK };
    const request = { cache_control: { type: 'ephemeral' }, messages: [{ role: 'assistant', content: [call] }] };
    expect(sentToAnthropic(request)).toMatchObject(request);
  });

  it.each([{ type: 'adaptive', display: 'omitted' }, { type: 'disabled' }])(
    'says to such a provider how to think: %j',
    (thinking) => {
      expect(sentToAnthropic({ thinking })['thinking']).toEqual(thinking);
    },
  );

  it('says to such a provider how hard to try without making it think', () => {
    const sent = sentToAnthropic({ output_config: { effort: 'low' }, temperature: 0.5 });

    expect(sent).toMatchObject({ output_config: { effort: 'low' }, temperature: 0.5 });
    expect(sent).not.toHaveProperty('thinking');
  });

  it('never lets such a provider think for more than the answer has room for', () => {
    const thinking = { type: 'enabled', budget_tokens: 9_000 };

    expect(sentToAnthropic({ thinking, max_tokens: 4_000 })['thinking']).toEqual({ ...thinking, budget_tokens: 3_999 });
    expect(sentToAnthropic({ thinking, max_tokens: 1_000 })).not.toHaveProperty('thinking');
  });

  it('comes to other providers as a chat, without what only its own form has', () => {
    const call = (id: string, name: string, input: string): object => ({
      id,
      type: 'function',
      function: { name, arguments: input },
    });
    expect(sentToOpenAi({ ...AGENT, tools: [AGENT.tools[0]] })).toEqual({
      model: 'gpt',
      max_tokens: 8_000,
      stop: ['END'],
      service_tier: 'default',
      parallel_tool_calls: false,
      tool_choice: 'auto',
      reasoning_effort: 'max',
      tools: [
        {
          type: 'function',
          function: { name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } },
        },
      ],
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'You write code.' },
            { type: 'text', text: 'Be brief.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See this.' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,BBBB', filename: 'Plan' } },
            { type: 'text', text: 'A text.' },
          ],
        },
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [call('toolu_1', 'look_up', '{"a":1}'), call('toolu_2', 'bash', '{}')],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: [{ type: 'text', text: 'Found.' }] },
        { role: 'tool', tool_call_id: 'toolu_2', content: 'No such file' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Result of the tool call toolu_1:' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    });
  });

  it('has every text where content filters look, and no redacted one is sent', () => {
    const secret = (what: string): string => `SECRET ${what}`;
    const request = chatOf({
      system: secret('instruction'),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: secret('text') },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: secret('document') },
              title: secret('title'),
              context: secret('context'),
            },
            { type: 'document', source: { type: 'content', content: secret('content') } },
            { type: 'search_result', source: 'x', title: secret('found'), content: [{ type: 'text', text: 'y' }] },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: secret('thought'), signature: 'c2ln' },
            { type: 'tool_use', id: 't', name: 'look_up', input: { a: secret('input') } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: secret('result') }] },
      ],
    });
    const redacted = CHAT_TEXTS.replacedIn(
      request,
      CHAT_TEXTS.scannedIn(request).map(({ text }) => text.replaceAll('SECRET', '[SECRET_WORD]')),
    );
    const sent = anthropicBody(upstreamRequestOf(redacted, CLAUDE, []), false);

    expect(JSON.stringify(sent)).not.toMatch(/(?<!\[)SECRET (?!_WORD)/);
    expect(JSON.stringify(sent).match(/\[SECRET_WORD\]/g)).toHaveLength(9);
    // A thought that was changed would be refused.
    expect(JSON.stringify(sent)).not.toContain('c2ln');
  });

  it.each([
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
    [
      { type: 'tool', name: 'look_up' },
      { type: 'function', function: { name: 'look_up' } },
    ],
  ])('reads the choice of tools %j', (choice, expected) => {
    expect(chatOf({ tools: [TOOL], tool_choice: choice })).toMatchObject({ tool_choice: expected });
  });

  it('reads a format, models to fall back to, and the end user', () => {
    const schema = { type: 'object' };
    const metadata = { user_id: `user\0${'x'.repeat(300)}` };

    expect(
      chatOf({ output_config: { format: { type: 'json_schema', schema } }, fallbacks: [{ model: 'a/b' }], metadata }),
    ).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
      models: ['a/b'],
      user: `user${'x'.repeat(251)}`,
    });
    expect(chatOf({ metadata, user: 'u-1' })).toMatchObject({ user: 'u-1' });
  });

  it.each([
    ['alone', { output_format: FORMAT }],
    ['beside an effort', { output_config: { effort: 'low', format: null }, output_format: FORMAT }],
    ['beside the same under its newer name', { output_config: { format: FORMAT }, output_format: FORMAT }],
  ])('reads a format under its older name, %s', (_, fields) => {
    const json_schema = { name: 'answer', schema: FORMAT.schema };

    expect(chatOf(fields)).toMatchObject({ response_format: { type: 'json_schema', json_schema } });
    expect(sentToAnthropic(fields)).toMatchObject({ output_config: { format: FORMAT } });
    expect(sentToAnthropic(fields)).not.toHaveProperty('output_format');
  });

  it('leaves out what is absent, null or unknown', () => {
    expect({ ...chatOf({ tools: null, thinking: null, system: [], unknown: 1, container: 'c' }) }).toEqual(
      expect.not.objectContaining({ tools: expect.anything() as unknown }),
    );
    expect(Object.keys(chatOf({ tools: null, thinking: null, system: [], unknown: 1, container: 'c' }))).toEqual([
      'messages',
      'model',
    ]);
  });
});

describe('The line before the instructions that is for accounts at Anthropic', () => {
  const LINE = 'x-anthropic-billing-header: cc_version=2.1.37.fbe; cc_entrypoint=cli; cch=1f2e3;';
  const RULES = { type: 'text', text: 'You write code.', cache_control: MARK };

  it.each<[string, unknown, unknown]>([
    ['in a text of its own', [{ type: 'text', text: LINE }, RULES], [RULES]],
    ['before other words of a text', [{ ...RULES, text: `${LINE}\n\n${RULES.text}` }], [RULES]],
    ['in instructions that are one text', `${LINE}\n${RULES.text}`, [{ type: 'text', text: RULES.text }]],
    ['alone', [{ type: 'text', text: LINE }], undefined],
  ])('is not sent, and is named: %s', (_, system, expected) => {
    expect(sentToAnthropic({ system })['system']).toEqual(expected);
    const adjustments = new RequestAdjustments();
    const body = { model: 'acme/writer', messages: [{ role: 'user', content: 'Hello' }], system };
    chatRequestOfMessages(body as unknown as MessagesRequest, undefined, adjustments);
    expect(adjustments.list).toEqual([{ path: 'system', action: 'left_out', reason: 'billing_header' }]);
  });

  it('stays where it is no beginning', () => {
    const system = [{ type: 'text', text: `What is ${LINE}` }];
    expect(sentToAnthropic({ system })['system']).toEqual(system);
  });
});
