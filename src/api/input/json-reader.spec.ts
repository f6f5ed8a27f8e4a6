import fc from 'fast-check';
import { LongWork } from '../../concurrency/long-work.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { turnsDuring } from '../../../test/support/time/turns-during.js';
import type { ExtentBounds } from './json-extent.js';
import { parsedInTurns, PORTION_BYTES } from './json-reader.js';

const BOUNDS: Required<ExtentBounds> = { depth: 200, values: 4_000_000, parts: 2_000_000, fields: 20_000 };

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

/** What JSON.parse gives for a text; undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

describe('Parsing in turns', () => {
  const work = (): LongWork => new LongWork(new LoopTurns(), 'organization');

  /** Undefined for what is no JSON, and the word `extent` for what is beyond the bounds. */
  async function read(bytes: Buffer, portionBytes = PORTION_BYTES, bounds: ExtentBounds = BOUNDS): Promise<unknown> {
    const document = await parsedInTurns(bytes, bounds, work(), { portionBytes });
    if ('value' in document) return document.value;
    return document.failure === 'syntax' ? undefined : document.failure;
  }

  async function expectSame(document: string | Buffer, portions = PORTIONS): Promise<void> {
    const bytes = Buffer.from(document as string);
    const expected = described(parsed(bytes.toString()));
    for (const portion of portions) expect(described(await read(bytes, portion))).toEqual(expected);
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
      Object.fromEntries(Array.from({ length: BOUNDS.fields }, (_, index) => [`name ${index}`, [index]])),
      {
        ['name 😀\\"'.repeat(100_000)]: 1,
        ['other'.repeat(100_000)]: [{ ['inner'.repeat(50_000)]: { a: 1 } }],
        last: 2,
      },
      { text: '\\"ä😀'.repeat(200_000), lists: [[...Array(100_000).keys()], { a: 'x'.repeat(300_000) }, [[]]] },
    ];
    for (const document of documents) {
      const text = JSON.stringify(document);
      expect(JSON.stringify(await read(Buffer.from(text)))).toBe(text);
    }
  });

  it.each([
    ['lists', '[', ']', 1],
    ['objects', '{"a":', '}', 1],
    ['both', '[{"a":[', ']}]', 3],
  ])(
    'gives what JSON.parse gives for %s that nest 200 deep, and nothing for deeper ones',
    async (_, open, close, levels) => {
      const deepest = Math.floor(BOUNDS.depth / levels);
      const filler = (depth: number): string =>
        nested(depth, open, close).replaceAll('{}', '{"b":1}').replaceAll('":}', '":1}');
      await expectSame(filler(deepest));
      for (const portion of [1, undefined]) {
        expect(await read(Buffer.from(filler(deepest + 1)), portion)).toBe('extent');
      }
    },
  );

  it.each([
    ['parts', BOUNDS.parts, (count: number) => `[${'[],'.repeat(count - 2)}[]]`],
    ['fields', BOUNDS.fields, (count: number) => `[{"b":1${',"a":1'.repeat(count - 1)}}]`],
    ['values', 50_000, (count: number) => `[${'1,'.repeat(count - 2)}1]`],
    ['values', 50_000, (count: number) => `[{"a":[1${',{"a":1}'.repeat((count - 4) / 2)}]}]`],
  ] as const)('gives nothing for more %s than the %i that a document may have', async (name, most, documentOf) => {
    const bounds = { ...BOUNDS, [name]: most };
    expect(await read(Buffer.from(documentOf(most)), undefined, bounds)).toBeInstanceOf(Array);
    expect(await read(Buffer.from(documentOf(most + 2)), undefined, bounds)).toBe('extent');
  });

  it('parses no more than it reads at once, also where texts and names of fields are long', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      const long = 'ä'.repeat(500_000);
      await read(Buffer.from(JSON.stringify({ a: long, [long]: { [`x${long}`]: [long, 1] } })));
      expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(3 * PORTION_BYTES);
    } finally {
      parse.mockRestore();
    }
  });

  it('lets others use the event loop before it is done', async () => {
    const document = Buffer.from(JSON.stringify([...Array(2_000_000).keys()]));

    expect(await turnsDuring(() => read(document))).toBeGreaterThanOrEqual(10);
  });

  it('throws the reason of the signal that ends it', async () => {
    const controller = new AbortController();
    const ending = new LongWork(new LoopTurns(), 'organization', controller.signal);
    const parsing = parsedInTurns(Buffer.from(JSON.stringify([...Array(2_000_000).keys()])), BOUNDS, ending);
    controller.abort(new Error('The client has left'));

    await expect(parsing).rejects.toThrow('The client has left');
  });
});
