import { chunk, STREAM_END } from '../provider-answers.js';

const TOKEN = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] };

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"at":"here"}' } };

/** The tool that is called in them. */
export const TOOL = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } };

function choice(message: object, reason: string | null = 'stop', fields: object = {}): object {
  return { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: reason, ...fields };
}

/** What providers of the form of chat completions answer, as choices, with other fields of the answer. */
export const SAMPLE_ANSWERS: [what: string, choices: readonly object[], fields?: object][] = [
  ['a text', [choice({ content: 'Hi' })]],
  ['an empty text', [choice({ content: '' })]],
  ['a cut text', [choice({ content: 'H' }, 'length')]],
  ['nothing, for a filter', [{ index: 0, finish_reason: 'content_filter' }]],
  ['a refusal', [choice({ refusal: 'I cannot.' })]],
  ['a call', [choice({ tool_calls: [CALL] }, 'tool_calls')]],
  ['a call in the old form of a reason', [choice({ tool_calls: [CALL] }, 'function_call')]],
  ['thoughts', [choice({ content: 'Hi', reasoning_content: 'Hm.' })]],
  ['probabilities', [choice({ content: 'Hi' }, 'stop', { logprobs: { content: [TOKEN] } })]],
  ['probabilities of a refusal', [choice({ refusal: 'Hi' }, 'stop', { logprobs: { refusal: [TOKEN] } })]],
  ['no probabilities', [choice({ content: 'Hi' }, 'stop', { logprobs: null })]],
  ['several choices', [choice({ content: 'Hi' }), { ...choice({ content: 'Ho' }), index: 1 }]],
  ['sources', [choice({ content: 'Hi', annotations: [] })], { citations: ['https://example.com/'] }],
  ['a text without a reason', [choice({ content: 'Hi' }, null)]],
  ['no usage', [choice({ content: 'Hi' })], { usage: undefined }],
  [
    'usage with details that are null',
    [choice({ content: 'Hi' })],
    {
      usage: {
        prompt_tokens: 3,
        completion_tokens: 2,
        total_tokens: 5,
        prompt_tokens_details: { cached_tokens: 1, audio_tokens: null },
        completion_tokens_details: { reasoning_tokens: null },
      },
    },
  ],
  ['a fingerprint and a tier', [choice({ content: 'Hi' })], { system_fingerprint: 'fp_1', service_tier: 'flex' }],
  ['neither, said as null', [choice({ content: 'Hi' })], { system_fingerprint: null, service_tier: null }],
];

/** Sample answers as streams, as pieces of the only choice. */
export const SAMPLE_STREAMS: [what: string, pieces: readonly string[]][] = [
  ['a text', [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hi' }), STREAM_END]],
  ['a refusal', [chunk({ refusal: 'I cannot.' }), STREAM_END]],
  ['thoughts', [chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Hi' }), STREAM_END]],
  [
    'a call',
    [
      chunk({ tool_calls: [{ index: 0, ...CALL, function: { name: 'weather', arguments: '' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"at":"here"}' } }] }),
      chunk({}, 'tool_calls'),
      STREAM_END,
    ],
  ],
  ['a cut text', [chunk({ content: 'H' }, 'length'), STREAM_END]],
  ['nothing more, for a filter', [chunk({ content: 'H' }, 'content_filter'), STREAM_END]],
  [
    'probabilities',
    [
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' }, logprobs: { content: [TOKEN] } }] })}\n\n`,
      STREAM_END,
    ],
  ],
  ['a fingerprint', [chunk({ content: 'Hi' }, null, { system_fingerprint: 'fp_1' }), STREAM_END]],
  ['no fingerprint, said as null', [chunk({ content: 'Hi' }, null, { system_fingerprint: null }), STREAM_END]],
  ['an error in the middle', [chunk({ content: 'H' }), 'data: {"error":{"message":"Broken","code":500}}\n\n']],
];
