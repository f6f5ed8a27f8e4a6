import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/http/openapi/json-schema.js';
import type { Interface } from '../support/openapi/described-operations.js';
import { bodyWith, exampleBody, type Place, placeName } from '../support/openapi/example-bodies.js';
import { CountedCode } from '../support/work/counted-code.js';

/** The requests of inference, by the paths of their operations. */
const PATHS = [
  ...['chat/completions', 'responses', 'messages', 'completions', 'embeddings', 'rerank', 'audio/speech'],
  ...['audio/transcriptions', 'images', 'images/generations', 'images/edits'],
];

/** How much more work a request may be whose list is twice as long. */
const MOST = 2.5;

/** The length of the lists, as far as they may be that long. */
const LENGTH = 200;

/** A shorter list is bounded by its schema. */
const LEAST = 16;

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody: { readonly content: Content } } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

type Content = Readonly<Record<'application/json', { readonly schema: JsonSchema }>>;

const api: Interface = {
  operations: [],
  schemas: document.components.schemas,
  resolve: (schema) =>
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!,
};

const schemaOf = (path: string): JsonSchema =>
  document.paths[`/api/v1/${path}`]!.post!.requestBody.content['application/json'].schema;

/** A list or a map of a request: where it stands, and how it is filled. */
interface DescribedList {
  readonly place: Place;
  readonly most: number;
  readonly filled: (length: number) => unknown;
}

function listsIn(schema: JsonSchema, place: Place = []): DescribedList[] {
  const { type, items, properties, maxItems = Infinity, examples } = api.resolve(schema);
  const types = [type].flat();
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, child]) => listsIn(child, [...place, name]));
  }
  const isFree = type === undefined;
  const named = (length: number) => Array.from({ length }, (_, at) => [`name_${at}`, `value ${at}`]);
  const lists = (isFree || types.includes('array') ? [maxItems] : []).map((most) => ({
    place,
    most,
    filled: (length: number) =>
      Array.from({ length }, (_, at) => (items === undefined ? `value ${at}` : exampleOf(items, examples, at))),
  }));
  const maps = isFree || types.includes('object') ? [Infinity] : [];
  return [
    ...lists,
    ...maps.map((most) => ({ place, most, filled: (length: number) => Object.fromEntries(named(length)) as unknown })),
    ...(items === undefined ? [] : listsIn(items, [...place, 0])),
  ];
}

function exampleOf(items: JsonSchema, examples: readonly unknown[] | undefined, at: number): unknown {
  const [example] = examples ?? [];
  if (Array.isArray(example) && example.length > 0) return example[at % example.length] as unknown;
  return exampleBody(api, { type: 'object', properties: { one: items }, required: ['one'] })['one'];
}

const LISTS = PATHS.flatMap((path) =>
  listsIn(schemaOf(path))
    .filter(({ most }) => most >= 2 * LEAST)
    .map((list) => [path, placeName(list.place), list] as const),
);

describe('A request', () => {
  let counted: CountedCode;

  beforeAll(async () => {
    counted = await CountedCode.of('test/work/request-work.fixture.mjs');
  });
  afterAll(() => counted.end());

  it('has lists in each operation of inference', () => {
    expect([...new Set(LISTS.map(([path]) => path))]).toEqual(PATHS);
  });

  it.each(LISTS)(
    'of %s with a long list as %s is read or refused with work in proportion to it',
    async (path, _, list) => {
      const { place, most, filled } = list;
      const ofLength = async (length: number) => {
        const { work, error } = await counted.call(
          'readBody',
          path,
          bodyWith(api, schemaOf(path), place, filled(length)),
        );
        expect(error).toBeUndefined();
        return work;
      };
      const length = Math.min(LENGTH, Math.floor(most / 2));
      await ofLength(1);
      const [once, twice] = [await ofLength(length), await ofLength(2 * length)];
      expect(twice / once).toBeLessThan(MOST);
    },
  );
});
