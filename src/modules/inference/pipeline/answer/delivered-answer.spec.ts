import type { ChatDelta } from '../../../codecs/chat/chat-completion.js';
import { DeliveredAnswer, type DeliveredTokens } from './delivered-answer.js';

/** What deltas count as that came one after the other. */
function tokensOf(deltas: readonly ChatDelta[], isComplete = true, audio?: object): DeliveredTokens {
  const answer = new DeliveredAnswer(audio);
  for (const delta of deltas) answer.add(delta);
  return answer.tokens(isComplete);
}

const LETTERS = 'x'.repeat(400);

describe('What was delivered of an answer counts', () => {
  it('four bytes of text as a token: of content, reasoning, refusals and calls', () => {
    const call = { index: 0, id: 'call_1', function: { name: 'xxxx', arguments: LETTERS } };
    const deltas = [{ content: LETTERS }, { reasoning: LETTERS }, { refusal: LETTERS }, { tool_calls: [call] }];
    expect(tokensOf(deltas)).toEqual({ texts: 401, audio: 0, images: 0 });
  });

  it('a token for each character of three bytes, and two tokens for three characters of two bytes', () => {
    expect(tokensOf([{ content: '東京は大きい' }]).texts).toBe(6);
    expect(tokensOf([{ content: 'Москва' }]).texts).toBe(4);
  });

  it('as many tokens as parts had text, in an answer that was left', () => {
    const digits = Array.from({ length: 100 }, () => ({ content: '7' }));
    expect(tokensOf(digits).texts).toBe(25);
    expect(tokensOf([{ role: 'assistant' }, ...digits], false).texts).toBe(100);
  });

  it('audio by its length and its format, with its transcript', () => {
    const spoken = [{ audio: { id: 'a', data: 'A'.repeat(64_000) } }, { audio: { transcript: LETTERS } }];
    expect(tokensOf(spoken, true, { format: 'pcm16' })).toEqual({ texts: 100, audio: 20, images: 0 });
    expect(tokensOf(spoken, true, { format: 'mp3' }).audio).toBe(250);
    expect(tokensOf(spoken).audio).toBe(250);
  });

  it('no token for sources, which no model writes', () => {
    const cited = { type: 'url_citation', url_citation: { url: 'https://a.example', content: LETTERS } };
    expect(tokensOf([{ content: LETTERS, annotations: [cited] }]).texts).toBe(100);
  });

  it('2,048 tokens for each image', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(tokensOf([{ images: [image, image] }])).toEqual({ texts: 0, audio: 0, images: 4_096 });
  });

  it('texts in fields that the gateway does not know, and reasoning beyond its text once', () => {
    expect(tokensOf([{ monologue: [{ said: LETTERS }] }]).texts).toBe(100);
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function' as const,
      function: { arguments: '', note: LETTERS },
      said: [LETTERS],
    };
    expect(tokensOf([{ tool_calls: [call] }]).texts).toBe(200);
    const detail = { type: 'reasoning.text', text: LETTERS, signature: 's'.repeat(1_000) };
    expect(tokensOf([{ reasoning: LETTERS, reasoning_details: [detail] }]).texts).toBe(100);
    expect(tokensOf([{ reasoning_details: [{ type: 'reasoning.encrypted', data: LETTERS }] }]).texts).toBe(100);
  });

  it.each([
    ['a text of reasoning', { reasoning: 'So', reasoning_details: [{ type: 'reasoning.text', text: 'So' }] }, true],
    ['reasoning without details', { reasoning: 'So' }, true],
    ['a summary', { reasoning: 'So', reasoning_details: [{ type: 'reasoning.summary', summary: 'So' }] }, false],
    ['encrypted reasoning', { reasoning_details: [{ type: 'reasoning.encrypted', data: 'So' }] }, false],
    ['a text', { content: 'So' }, false],
  ])('as reasoning that is shown, or not: %s', (_, delta, isShown) => {
    const answer = new DeliveredAnswer(undefined);
    answer.add(delta);
    expect(answer.showsReasoning).toBe(isShown);
  });
});
