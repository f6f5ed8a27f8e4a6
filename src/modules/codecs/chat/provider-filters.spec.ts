import { completionOf as messageOf } from '../anthropic-messages/answer-decoder.js';
import { completionOf as converseOf } from '../converse/answer-decoder.js';
import { requestFor, UPSTREAM } from '../converse/converse.fixture.js';
import { completionOf as geminiOf } from '../gemini/answer-decoder.js';
import { completionOf } from '../openai-chat/answer-decoder.js';
import type { ChatCompletion } from './chat-completion.js';
import type { ProviderFilter } from './provider-filter.js';
import { ProviderFilters } from './provider-filters.js';

function listOf(...answers: readonly ChatCompletion[]): readonly ProviderFilter[] {
  const filters = new ProviderFilters();
  for (const answer of answers) filters.add(answer);
  return filters.list;
}

const chat = (choice: object): ChatCompletion =>
  completionOf({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, ...choice }] });

const gemini = (answer: object): ChatCompletion => geminiOf(answer, UPSTREAM);

const candidate = (fields: object): object => ({ content: { parts: [{ text: 'Hi' }] }, ...fields });

const converse = (fields: object): ChatCompletion =>
  converseOf({ output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, ...fields }, requestFor({}));

const message = (fields: object): ChatCompletion => messageOf({ content: [{ type: 'text', text: 'Hi' }], ...fields });

const RATED = { category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'LOW' };

describe('the filters of providers', () => {
  it.each<[what: string, answer: ChatCompletion, expected: readonly object[]]>([
    ['nothing', chat({ finish_reason: 'stop' }), []],
    [
      'results of Azure',
      chat({ finish_reason: 'stop', content_filter_results: { hate: { filtered: false, severity: 'Low' }, x: 3 } }),
      [{ source: 'answer', category: 'hate', filtered: false, severity: 'low' }],
    ],
    [
      'an end without a result',
      chat({ finish_reason: 'content_filter' }),
      [{ source: 'answer', category: 'content_filter', filtered: true }],
    ],
    [
      'an end with a result',
      chat({
        finish_reason: 'content_filter',
        content_filter_results: { jailbreak: { filtered: true, detected: true } },
      }),
      [{ source: 'answer', category: 'jailbreak', filtered: true, detected: true }],
    ],
    [
      'a refusal of OpenAI',
      chat({ finish_reason: 'stop', message: { role: 'assistant', content: null, refusal: 'I cannot.' } }),
      [{ source: 'answer', category: 'refusal', filtered: true }],
    ],
    [
      'ratings of Gemini',
      gemini({ candidates: [candidate({ finishReason: 'STOP', safetyRatings: [RATED, 7, {}] })] }),
      [{ source: 'answer', category: 'hate_speech', filtered: false, severity: 'low' }],
    ],
    [
      'a severity of Vertex',
      gemini({
        candidates: [
          candidate({
            finishReason: 'SAFETY',
            safetyRatings: [{ ...RATED, severity: 'HARM_SEVERITY_HIGH', blocked: true }],
          }),
        ],
      }),
      [{ source: 'answer', category: 'hate_speech', filtered: true, severity: 'high' }],
    ],
    [
      'an end of Gemini alone',
      gemini({ candidates: [candidate({ finishReason: 'RECITATION' })] }),
      [{ source: 'answer', category: 'recitation', filtered: true }],
    ],
    [
      'a prompt that Gemini blocks',
      gemini({ promptFeedback: { blockReason: 'SAFETY', safetyRatings: [RATED] } }),
      [
        { source: 'prompt', category: 'hate_speech', filtered: false, severity: 'low' },
        { source: 'prompt', category: 'safety', filtered: true },
      ],
    ],
    [
      'an end of Bedrock',
      converse({ stopReason: 'guardrail_intervened' }),
      [{ source: 'answer', category: 'guardrail_intervened', filtered: true }],
    ],
    [
      'a trace of Bedrock',
      converse({
        stopReason: 'guardrail_intervened',
        trace: {
          guardrail: {
            inputAssessment: {
              gr1: { contentPolicy: { filters: [{ type: 'HATE', confidence: 'HIGH', action: 'BLOCKED' }] } },
            },
            outputAssessments: {
              gr1: [
                {
                  topicPolicy: { topics: [{ name: 'mergers', type: 'DENY', action: 'BLOCKED' }] },
                  sensitiveInformationPolicy: {
                    piiEntities: [{ type: 'EMAIL', match: 'jane.roe@example.com', action: 'ANONYMIZED' }],
                    regexes: [{ name: 'project', match: 'PROJECT-1', action: 'NONE', detected: true }],
                  },
                },
              ],
            },
          },
        },
      }),
      [
        { source: 'prompt', category: 'hate', filtered: true, severity: 'high' },
        { source: 'answer', category: 'topic', filtered: true },
        { source: 'answer', category: 'email', filtered: true },
        { source: 'answer', category: 'regex', filtered: false, detected: true },
      ],
    ],
    [
      'a refusal of Anthropic',
      message({ stop_reason: 'refusal' }),
      [{ source: 'answer', category: 'refusal', filtered: true }],
    ],
    [
      'a refusal of Anthropic with its category',
      message({ stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' } }),
      [{ source: 'answer', category: 'cyber', filtered: true }],
    ],
  ])('are read from %s', (_, answer, expected) => {
    expect(listOf(answer)).toEqual(expected);
  });

  it('have of each category the strictest result', () => {
    const rated = (result: object): ChatCompletion => chat({ content_filter_results: { hate: result } });
    const [one, other] = [rated({ filtered: false, severity: 'high' }), rated({ filtered: true, severity: 'safe' })];
    const strictest = [{ source: 'answer', category: 'hate', filtered: true, severity: 'high' }];
    expect(listOf(one, other)).toEqual(strictest);
    expect(listOf(other, one)).toEqual(strictest);
  });

  it('are words, and no more than 32', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => [`category_${index}`, { filtered: false }] as const);
    const results = { 'a text': { filtered: true }, é: { filtered: true }, hate: { severity: 'jane.roe@example.com' } };
    expect(listOf(chat({ content_filter_results: results }))).toEqual([]);
    const list = listOf(
      chat({ content_filter_results: Object.fromEntries(many) }),
      chat({ content_filter_results: Object.fromEntries(many.slice(500)), finish_reason: 'content_filter' }),
    );
    expect(list).toHaveLength(32);
    expect(list.at(-1)).toEqual({ source: 'answer', category: 'content_filter', filtered: true });
  });
});
