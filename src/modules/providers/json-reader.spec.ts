import fc from 'fast-check';
import { LongWork } from '../../limits/long-work.js';
import { LoopTurns } from '../../limits/loop-turns.js';
import { DEEPEST_NESTING, MOST_FIELDS, MOST_PARTS } from './json-extent.js';
import { parsedInTurns } from './json-reader.js';
import { parsed } from './json-values.js';

/** So few bytes that nearly every list, object and text is put together. */
const PORTIONS = [1, 2, 3, 8, 40];

const PIECES = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"',
  '\\',
  ' ',
  '\n',
  '1',
  '-0.5e3',
  'null',
  'true',
  '"a"',
  '"__proto__"',
  '"ä😀"',
  '\u{feff}',
  'x',
];

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** A value with what equality does not see: the order of fields, and of which of them `__proto__` is one. */
function described(value: unknown): unknown {
  if (Array.isArray(value)) return { list: value.map(described) };
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 'minus zero' : value;
  const names = Object.keys(value);
  const fields = names.map((name) => [name, described(Object.getOwnPropertyDescriptor(value, name)!.value)]);
  return { fields, isPlain: Object.getPrototypeOf(value) === Object.prototype };
}

describe('Parsing in turns', () => {
  const work = (): LongWork => new LongWork(new LoopTurns(), 'organization');

  async function expectSame(document: string | Buffer, portions = PORTIONS): Promise<void> {
    const bytes = Buffer.from(document as string);
    const expected = described(parsed(bytes.toString()));
    for (const portion of portions) expect(described(await parsedInTurns(bytes, work(), portion))).toEqual(expected);
  }

  it('gives what JSON.parse gives for any document, with any white space', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
        fc.constantFrom('', ' ', '\t', '\n '),
        async (value, space) => {
          const text = JSON.stringify(value, undefined, space);
          await expectSame(`${space}${text}${space}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['', ' ', '[]', '{}', '[ ]', '{\n}', '[[]]', '[{}]', '{"a":[]}', '{"a":{}}', '1', '"a"', 'null'],
    [
      '[1,]',
      '[,1]',
      '[,]',
      '[1,,2]',
      '[[],]',
      '[,[]]',
      '[[],,[]]',
      '{"a":[],}',
      '{,"a":1}',
      '{"a":1,,"b":2}',
      ',',
      '[1],',
      ',[1]',
    ],
    [
      '[[1]',
      '[1]]',
      '[1}',
      '{"a":1]',
      '[{"a":[1}]]',
      '[[1][2]]',
      '[[1]2]',
      '[1[2]]',
      '[[1],[2]][3]',
      '[1]x',
      'x[1]',
      '[1][2]',
    ],
    [
      '{"a"[1]}',
      '{"a":[1][2]}',
      '{"a":"b"[1]}',
      '{"a":1[1]}',
      '{[1]}',
      '{"a":b:[1]}',
      '{"a":[1]:1}',
      '{:[1]}',
      '{"a":n[1]}',
    ],
    [
      '["a',
      '["a\\"]',
      '["a\\\\"]',
      '["\\\\\\"]",[1]]',
      '["\n"]',
      '["\\x"]',
      '["\\u12"]',
      '"\\',
      '[1]\\',
      '[1]"',
      '["[{:,", [","]]',
    ],
    [
      '{"a":[1],"b":[2],"a":[3]}',
      '{"a":1,"a":[2],"a":3}',
      '{"2":[1],"1":[2],"x":[3]}',
      '{"constructor":[1],"toString":[2]}',
    ],
    [
      '{"__proto__":[1]}',
      '{"__proto__":{"a":[1]},"b":1}',
      '{"a":1,"__proto__":2,"__proto__":[3]}',
      '[{"\\u005f_proto__":[1]}]',
    ],
    [
      '\u{feff}[1]',
      '[1]\u{feff}',
      '[\u{a0}[1]]',
      '[[1]\u{b}]',
      '[[1] \t\r\n, [2]]',
      '["\u{2028}",[1]]',
      '[01]',
      '[1 2]',
      '[+1,[1]]',
      '[NaN]',
    ],
  ])('gives what JSON.parse gives for %j and the like', async (...documents) => {
    for (const document of documents) await expectSame(document);
  });

  it('gives what JSON.parse gives for anything that is put together of pieces of JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) =>
        expectSame(pieces.join('')),
      ),
      { numRuns: 3_000 },
    );
  });

  it('gives what JSON.parse gives for every beginning of a document, and for one with any byte changed', async () => {
    const document = Buffer.from(
      '{"list":[1,"ä😀\\"]",[],{"a":[{"b":"\\\\"}]}],"__proto__":{"x":[0.5,-1e3]},"list":[[[1]],[2, 3]] , "e": {}}',
    );
    for (let end = 0; end <= document.length; end += 1) await expectSame(document.subarray(0, end), [1, 8]);
    const changes = [...'[]{},:"\\ 1n']
      .map((character) => character.charCodeAt(0))
      .concat(0x00, 0x80, 0xc3, 0xf0, 0xff);
    for (let place = 0; place < document.length; place += 1) {
      for (const change of changes) {
        const changed = Buffer.from(document);
        changed[place] = change;
        await expectSame(changed, [1, 8]);
      }
    }
  });

  it('reads bytes that are no UTF-8 as Buffer.toString does', async () => {
    for (const bytes of [[0xc3], [0xf0, 0x9f], [0xff], [0x80], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf]]) {
      const quoted = Buffer.concat([Buffer.from('[["'), Buffer.from(bytes), Buffer.from('"],["a"]]')]);
      const bare = Buffer.concat([Buffer.from('[[1]'), Buffer.from(bytes), Buffer.from(',[2]]')]);
      for (const document of [quoted, bare, Buffer.from(bytes)]) await expectSame(document);
    }
    const parts = fc.constantFrom(0x80, 0xbf, 0xc3, 0xe4, 0xed, 0xf0, 0xff, ...Buffer.from('a\\"n'));
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 20 }), async (bytes) =>
        expectSame(Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')])),
      ),
      { numRuns: 1_000 },
    );
  });

  it('gives the whole of long lists, objects and texts, wherever the bytes that are read at once end', async () => {
    const documents = [
      Array.from({ length: 40_000 }, (_, index) => ({ token: `ä😀${index}\\"`, list: [index, [index / 7]] })),
      Object.fromEntries(Array.from({ length: MOST_FIELDS }, (_, index) => [`name ${index}`, [index]])),
      { text: '\\"ä😀'.repeat(200_000), lists: [[...Array(100_000).keys()], { a: 'x'.repeat(300_000) }, [[]]] },
    ];
    for (const document of documents) {
      const text = JSON.stringify(document);
      expect(JSON.stringify(await parsedInTurns(Buffer.from(text), work()))).toBe(text);
    }
  });

  it.each([
    ['lists', '[', ']', 1],
    ['objects', '{"a":', '}', 1],
    ['both', '[{"a":[', ']}]', 3],
  ])(
    'gives what JSON.parse gives for %s that nest 200 deep, and nothing for deeper ones',
    async (_, open, close, levels) => {
      const deepest = Math.floor(DEEPEST_NESTING / levels);
      const filler = (depth: number): string =>
        nested(depth, open, close).replaceAll('{}', '{"b":1}').replaceAll('":}', '":1}');
      await expectSame(filler(deepest));
      expect(await parsedInTurns(Buffer.from(filler(deepest)), work(), 1)).toBeDefined();
      expect(await parsedInTurns(Buffer.from(filler(deepest + 1)), work(), 1)).toBeUndefined();
    },
  );

  it('gives nothing for more parts or fields than a document may have, as all at once does', async () => {
    const lists = (count: number): string => `[${'[],'.repeat(count - 2)}[]]`;
    const fields = (count: number): string => `[{"b":1${',"a":1'.repeat(count - 1)}}]`;
    for (const [most, more] of [
      [lists(MOST_PARTS), lists(MOST_PARTS + 1)],
      [fields(MOST_FIELDS), fields(MOST_FIELDS + 1)],
    ] as const) {
      expect([parsed(most), parsed(more)]).toEqual([expect.anything(), undefined]);
      expect(await parsedInTurns(Buffer.from(most), work())).toBeDefined();
      expect(await parsedInTurns(Buffer.from(more), work())).toBeUndefined();
    }
  });

  it('lets others use the event loop before it is done', async () => {
    let isDone = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await parsedInTurns(Buffer.from(JSON.stringify([...Array(2_000_000).keys()])), work());
    isDone = true;

    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('throws the reason of the signal that ends it', async () => {
    const controller = new AbortController();
    const ending = new LongWork(new LoopTurns(), 'organization', controller.signal);
    const parsing = parsedInTurns(Buffer.from(JSON.stringify([...Array(2_000_000).keys()])), ending);
    controller.abort(new Error('The client has left'));

    await expect(parsing).rejects.toThrow('The client has left');
  });
});
