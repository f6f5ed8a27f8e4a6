import 'reflect-metadata';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { ChatCompletionRequest } from './chat/dto/chat-completion-request.dto.js';
import { EmbeddingsRequest } from './embeddings/dto/embeddings-request.dto.js';
import { MessagesRequest } from './messages/dto/messages-request.dto.js';
import { ResponsesRequest } from './responses/dto/responses-request.dto.js';
import { type DtoClass, fieldsOf } from '../../../http/validation/dto-fields.js';
import { meetsConstraints } from '../../../http/validation/met-constraints.js';
import { toInstance } from '../../../http/validation/validate.js';

/** Bodies of each class: 10,000 in all, always the same. */
const BODIES = 2_500;
const SEED = 20_261_129;

/** Each with a body that its operation takes. */
const CLASSES: readonly (readonly [string, DtoClass, Readonly<Record<string, unknown>>])[] = [
  [
    'ChatCompletionRequest',
    ChatCompletionRequest,
    {
      model: 'acme/writer',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      max_tokens: 5,
      stream: true,
    },
  ],
  [
    'MessagesRequest',
    MessagesRequest,
    { model: 'acme/writer', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] },
  ],
  ['ResponsesRequest', ResponsesRequest, { model: 'acme/writer', input: 'Hello' }],
  ['EmbeddingsRequest', EmbeddingsRequest, { model: 'acme/vectors', input: ['Hello', 'you'] }],
];

const instanceOf = (type: DtoClass, body: Readonly<Record<string, unknown>>): object => {
  return toInstance(type, body, '', { issues: [], isPublic: true });
};

const issuesOf = (instance: object): unknown[] => validateSync(instance, { forbidUnknownValues: false });

describe('whether an instance meets the constraints of its class', () => {
  it.each(CLASSES)('of %s it tells for an ordinary body', (_, type, body) => {
    const instance = instanceOf(type, body);
    expect(issuesOf(instance)).toEqual([]);
    expect(meetsConstraints(instance)).toBe(true);
  });

  it.each(CLASSES)('of %s it never says so where class-validator has an issue', (_, type, body) => {
    const names = [...fieldsOf(type).keys()];
    const parts = fc.dictionary(
      fc.constantFrom('role', 'content', 'type', 'text', 'name', 'id'),
      fc.constantFrom<unknown>('user', 'text', 'Hello', 5, null, [{ type: 'text', text: 5 }]),
      { maxKeys: 3 },
    );
    const value = fc.oneof(
      fc.array(parts, { minLength: 1, maxLength: 2 }),
      fc.constantFrom<unknown>(
        null,
        true,
        '',
        'user',
        'auto',
        0,
        1,
        -1,
        0.5,
        1e21,
        [],
        {},
        [null],
        ['user'],
        [{}],
        [[]],
      ),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(...Object.values(body)),
    );
    const counts = { met: 0, unmet: 0 };
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), (changes) => {
        const instance = instanceOf(type, { ...body, ...changes });
        const isMet = meetsConstraints(instance);
        counts[isMet ? 'met' : 'unmet'] += 1;
        if (isMet) expect(issuesOf(instance)).toEqual([]);
      }),
      { seed: SEED, numRuns: BODIES },
    );
    expect(Math.min(counts.met, counts.unmet)).toBeGreaterThan(BODIES / 50);
  });

  it('cannot be told of an object without a class', () => {
    expect(meetsConstraints({})).toBe(false);
    expect(meetsConstraints(Object.create(null) as object)).toBe(false);
  });
});
