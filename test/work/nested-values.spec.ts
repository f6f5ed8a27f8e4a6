import { CountedCode } from '../support/work/counted-code.js';
import { SERVED_MODELS } from '../support/work/served-models.js';

const QUESTION = { role: 'user', content: 'Ask' };

/** A value within itself, as objects and lists in turn. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value, type: 'text' } : [value];
  return value;
}

/** Where a request may have values of any form, by the paths of the operations. */
const PLACES: Readonly<Record<string, readonly ((value: unknown) => object)[]>> = {
  'chat/completions': [
    (value) => ({ messages: [QUESTION], unknown: value }),
    (value) => ({ messages: [QUESTION], metadata: { a: value } }),
    (value) => ({ messages: [{ ...QUESTION, unknown: value }] }),
    (value) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Ask', unknown: value }] }] }),
    (value) => ({ messages: [{ role: 'user', content: [{ type: 'unknown', content: value }] }] }),
    (value) => ({
      messages: [
        QUESTION,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: value }) } }],
        },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: JSON.stringify(value), content: value }] },
      ],
    }),
    (value) => ({
      messages: [
        QUESTION,
        { role: 'assistant', content: 'Said', reasoning_details: [{ type: 'reasoning.text', text: 'a', more: value }] },
        QUESTION,
      ],
    }),
    (value) => ({
      messages: [QUESTION],
      tools: [{ type: 'function', function: { name: 'f', parameters: { default: value } } }],
    }),
  ],
  responses: [
    (value) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'Ask', unknown: value }] }] }),
    (value) => ({ input: [QUESTION, { type: 'unknown', content: value }] }),
    (value) => ({
      input: [
        QUESTION,
        { type: 'tool_search_call', call_id: 'a', arguments: { a: value } },
        {
          type: 'tool_search_output',
          call_id: 'a',
          tools: [{ type: 'function', name: 'f', parameters: { a: value } }],
        },
      ],
    }),
    (value) => ({
      input: [
        QUESTION,
        { type: 'function_call', call_id: 'a', name: 'f', arguments: JSON.stringify({ a: value }) },
        { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'Found', unknown: value }] },
      ],
    }),
  ],
  messages: [
    (value) => ({
      max_tokens: 9,
      messages: [
        QUESTION,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { a: value } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'unknown', content: value }] }],
        },
      ],
    }),
    (value) => ({ max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'unknown', content: value }] }] }),
    (value) => ({ max_tokens: 9, messages: [QUESTION], tools: [{ name: 'f', input_schema: { default: value } }] }),
  ],
};

/** How much more work a value may be that is twice as deep: paths of adjustments are longer for each level. */
const MOST = 4.5;

describe('A value within itself', () => {
  let counted: CountedCode;

  beforeAll(async () => {
    counted = await CountedCode.of('test/work/request-work.fixture.mjs');
  });
  afterAll(() => counted.end());

  it.each(Object.entries(PLACES).flatMap(([path, places]) => places.map((place, at) => [path, at, place] as const)))(
    'in a request of %s, place %i, is read and translated in proportion to its depth',
    async (path, _at, place) => {
      const calls = [
        (body: object) => counted.call('readChat', path, body),
        ...Object.values(SERVED_MODELS).map((served) => (body: object) => counted.call('sendChat', path, served, body)),
      ];
      for (const call of calls) {
        const ofDepth = async (levels: number) => {
          const { work, error } = await call({ model: 'up', ...place(nested(levels)) });
          if (error?.kind !== 'refused' && error?.reason !== 'request_too_complex') expect(error).toBeUndefined();
          return work;
        };
        await ofDepth(1);
        const [shallow, deep] = [await ofDepth(26), await ofDepth(52)];
        expect(deep / shallow).toBeLessThan(MOST);
      }
    },
  );
});
