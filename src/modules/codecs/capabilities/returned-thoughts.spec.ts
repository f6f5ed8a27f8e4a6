import { capabilitiesOf } from '../../catalog/capabilities/default-capabilities.js';
import type { ChatMessage } from '../chat/chat-completion.js';
import { completionOf } from '../openai-chat/answer-decoder.js';
import { StreamedChoices } from '../openai-chat/stream-decoder.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { withRequiredSignature } from '../chat/thought-signatures.js';
import { withReturnedThoughts } from './returned-thoughts.js';
import { sentTo } from './translation.fixture.js';

const EXTRA = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };

const CALL = { id: 'call/1', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } };

const SIGNATURE = { type: 'reasoning.encrypted', format: 'google-gemini-v1', index: 0, id: 'call/1', data: 'c2lnbmVk' };

function returned(messages: readonly ChatMessage[], provider: string, areOff = false) {
  const adjustments = new RequestAdjustments();
  const served = { model: 'acme/writer', provider, protocol: 'openai', isWellKnown: true };
  const { returned_thoughts: form } = capabilitiesOf(served, []);
  return { messages: withReturnedThoughts(messages, { form, areOff, adjustments }), notes: adjustments.list };
}

describe('The signature of a thought behind a call', () => {
  it('is read as a detail of the reasoning, whole and in a part without an id', () => {
    const message = { role: 'assistant', content: null, tool_calls: [{ ...CALL, ...EXTRA }] };
    expect(completionOf({ choices: [{ message, finish_reason: 'tool_calls' }] }).choices[0]!.message).toMatchObject({
      tool_calls: [EXTRA],
      reasoning_details: [SIGNATURE],
    });

    const choices = new StreamedChoices();
    choices.read({ delta: { tool_calls: [{ index: 0, ...CALL }] } }, 0);
    const { delta } = choices.read({ delta: { tool_calls: [{ index: 0, ...EXTRA }] } }, 0);
    expect(delta.reasoning_details).toEqual([SIGNATURE]);
  });

  it('is that of the text where it stands beside it', () => {
    const { delta } = new StreamedChoices().read({ delta: { content: 'Hi', ...EXTRA } }, 0);
    const { id: _id, ...signature } = SIGNATURE;

    expect(delta.reasoning_details).toEqual([signature]);
    const message = { role: 'assistant' as const, content: 'Hi', reasoning_details: delta.reasoning_details! };
    expect(returned([message], 'google-vertex').messages).toEqual([{ role: 'assistant', content: 'Hi', ...EXTRA }]);
  });

  it.each(['google-ai-studio', 'google-vertex'])(
    'goes back to %s, also by the id that the Messages form has',
    (provider) => {
      const message = (id: string): ChatMessage => ({
        role: 'assistant',
        content: null,
        reasoning: 'Why?',
        reasoning_content: 'Why?',
        reasoning_details: [SIGNATURE],
        tool_calls: [{ ...CALL, id }],
      });
      for (const id of ['call/1', 'call_1']) {
        expect(returned([message(id)], provider).messages).toEqual([
          { role: 'assistant', content: null, tool_calls: [{ ...CALL, id, ...EXTRA }] },
        ]);
      }
      expect(returned([message('other')], provider).messages).toMatchObject([
        { tool_calls: [{ ...CALL, id: 'other' }] },
      ]);
    },
  );

  it.each(['openai', 'azure', 'mistral', 'groq', 'cerebras'])(
    'and other thoughts do not go to %s, which is noted',
    (provider) => {
      const message: ChatMessage = {
        role: 'assistant',
        content: null,
        reasoning: 'Why?',
        reasoning_content: 'Why?',
        reasoning_details: [SIGNATURE],
        tool_calls: [{ ...CALL, ...EXTRA }],
      };
      const { messages, notes } = returned([message], provider);

      expect(messages).toEqual([{ role: 'assistant', content: null, tool_calls: [CALL] }]);
      expect(notes.map(({ path, reason }) => [path, reason])).toEqual(
        ['reasoning_content', 'tool_calls.*.extra_content', 'reasoning_details'].map((field) => [
          `messages.*.${field}`,
          'thoughts_of_other_provider',
        ]),
      );
    },
  );
});

describe('A call that must have a signature', () => {
  it('gets a placeholder where none is known, which is noted', () => {
    const noted = jest.fn();
    const message: ChatMessage = { role: 'assistant', content: null, tool_calls: [CALL, CALL] };
    const extra = { google: { thought_signature: 'skip_thought_signature_validator' } };

    expect(withRequiredSignature(message, noted).tool_calls).toEqual([{ ...CALL, extra_content: extra }, CALL]);
    expect(noted).toHaveBeenCalledTimes(1);
    for (const signed of [
      { ...message, reasoning_details: [SIGNATURE] },
      { ...message, tool_calls: [{ ...CALL, ...EXTRA }] },
      { role: 'assistant' as const, content: 'Hi' },
    ]) {
      expect(withRequiredSignature(signed, noted)).toBe(signed);
    }
    expect(noted).toHaveBeenCalledTimes(1);
  });
});

describe('A provider that demands its thoughts back', () => {
  const TURN: ChatMessage[] = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: null, tool_calls: [CALL], reasoning: 'I look.' },
    { role: 'tool', tool_call_id: CALL.id, content: 'x' },
    { role: 'assistant', content: null, tool_calls: [CALL] },
    { role: 'tool', tool_call_id: CALL.id, content: 'x' },
  ];

  it.each(['deepseek', 'moonshotai', 'xiaomi'])(
    'gets a placeholder in turns with calls that have none: %s',
    (provider) => {
      const { messages, notes } = returned(TURN, provider);

      expect(messages.map(({ reasoning_content: text }) => text)).toEqual([
        undefined,
        undefined,
        undefined,
        'I look.',
        undefined,
        ' ',
        undefined,
      ]);
      expect(notes).toEqual([
        { path: 'messages.*.reasoning_content', action: 'changed', reason: 'demanded_by_provider' },
      ]);
    },
  );

  it('gets none where it is not to think, and others get none', () => {
    for (const { messages } of [returned(TURN, 'deepseek', true), returned(TURN, 'z-ai'), returned(TURN, 'example')]) {
      expect(messages[5]).not.toHaveProperty('reasoning_content');
    }
  });
});

describe('The reasoning of earlier turns', () => {
  const ofMessages = { type: 'reasoning.text', format: 'anthropic-claude-v1', text: 'x', signature: 's' };
  const own = { type: 'reasoning.encrypted', format: 'openai-responses-v1', data: 'x' };
  const message = { role: 'assistant', content: 'Hi', reasoning: 'They greet.', reasoning_details: [ofMessages, own] };
  const text = { role: 'assistant', content: 'Hi' };

  it.each([
    ['acme', { ...text, reasoning_details: [own] }],
    ['openai', text],
    ['mistral', text],
    ['groq', text],
    ['google-ai-studio', text],
    ['vllm', { ...text, reasoning: 'They greet.', reasoning_details: [own] }],
    ['ollama', { ...text, reasoning: 'They greet.', reasoning_details: [own] }],
    ['sglang', { ...text, reasoning_content: 'They greet.', reasoning_details: [own] }],
    ['deepseek', { ...text, reasoning_content: 'They greet.', reasoning_details: [own] }],
  ])('goes back as %s wants it, and never in the form of the Messages interface', (provider, expected) => {
    const next = { role: 'user', content: 'Go on' };
    expect(sentTo({ provider }, { messages: [message, next] })['messages']).toEqual([expected, next]);
  });

  it.each([
    ['vllm', { ...text, reasoning: 'They greet.' }],
    ['ollama', { ...text, reasoning: 'They greet.' }],
    ['sglang', { ...text, reasoning_content: 'They greet.' }],
    ['openai', text],
  ])('goes back as %s reads it from a client that knows `reasoning_content` alone', (provider, expected) => {
    const kept = { ...text, reasoning_content: 'They greet.' };
    const next = { role: 'user', content: 'Go on' };
    expect(sentTo({ provider }, { messages: [kept, next] })['messages']).toEqual([expected, next]);
  });

  it('goes back as the operator says of a server', () => {
    const served = { provider: 'acme', capabilities: { returned_thoughts: 'demanded_text' } } as const;
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const turn = { role: 'assistant', content: null, tool_calls: [call] };
    const result = { role: 'tool', tool_call_id: 'c', content: 'x' };
    const demanded = { messages: [turn, result] };

    expect(sentTo(served, demanded)['messages']).toMatchObject([{ reasoning_content: ' ' }, result]);
    const unthinking = sentTo(served, { ...demanded, reasoning: { enabled: false } });
    expect(unthinking['messages']).toEqual([turn, result]);
  });
});
