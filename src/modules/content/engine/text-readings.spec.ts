import fc from 'fast-check';
import { LongWork } from '../../../concurrency/long-work.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { Span } from '../../../../packages/content-detectors/index.js';
import { readingsOf, type TextReading } from './text-readings.js';

const readings = (text: string): Promise<readonly TextReading[]> =>
  readingsOf(text, new LongWork(new LoopTurns(), 'organization-1'));

const unescaped = async (text: string): Promise<TextReading> => (await readings(text))[1]!;

describe('readingsOf', () => {
  it.each(['', 'a line\nand another', 'C:\\Documents', 'a \\ b \\', '\\u12', '\\'.repeat(100), '5% & 7%', 'R&D; &lt;'])(
    'reads a text without escapes as it is: %j',
    async (text) => {
      expect(await readings(text)).toMatchObject([{ text, isOnly: true }]);
    },
  );

  it('reads strings of JSON, also of JSON in JSON, as what they say', async () => {
    const said = 'a\nb\tc"d/é\u2028😀';
    const once = JSON.stringify(said).replace('é', '\\u00e9');
    const twice = JSON.stringify(once);

    expect((await unescaped(once)).text).toBe(`"${said}"`);
    expect((await unescaped(twice)).text).toBe(`""${said}""`);
  });

  it('reads percent codes, entities of HTML and ignorable characters as what they say', async () => {
    expect((await unescaped('a%40b%2540c%252540d 5% %zz %80')).text).toBe('a@b@c@d 5% %zz %80');
    expect((await unescaped('a&#64;b&#x2e;c&commat;d &lt;i&gt; &#60; &nbsp;1&nbsp;2 R&D; &amp;')).text).toBe(
      'a@b.c@d &lt;i&gt; &#60; &nbsp;1\u00a02 R&D; &amp;',
    );
    expect((await unescaped('a\u200b\u200db \u200b \u00adc\u00add&shy;e \u0645\u200c\u0646')).text).toBe(
      'ab  cde \u0645\u0646',
    );
  });

  it('leaves out every character that is ignorable by its Unicode properties, wherever it stands', async () => {
    const missed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (!/[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(character)) continue;
      const [, reading] = await readings(`4111 ${character}1111${character}${character}2\u00e9${character}`);
      if (reading?.text !== '4111 11112\u00e9') missed.push(code.toString(16));
    }
    expect(missed).toEqual([]);
  });

  it('leaves out ignorable characters that are written as escapes, and no others beyond ASCII', async () => {
    const written =
      'a\\u200bb\\udb40\\udc01c\\\\ufe0fd%E2%80%8Be%c2%adf%F3%A0%80%81g&#x200b;h&#917505;i&ZeroWidthSpace;j&rlm;k';
    expect((await unescaped(written)).text).toBe('abcdefghijk');
    expect((await unescaped('\\ud83d\\ude00%C3%A9&#233; &#9999999;')).text).toBe('\ud83d\ude00%C3%A9\u00e9 &#9999999;');
  });

  it('gives the place of a match without the ignorable characters around it, and with those inside', async () => {
    const { text, placeOf } = await unescaped('x\u{e0001}ab\u{e0001}\u200dc\ufe0f');
    expect(text).toBe('xabc');
    expect(placeOf({ start: 1, end: 4 })).toEqual({ start: 3, end: 9 });
  });

  it('reads whole numbers with an exponent or a fraction of zeros as their digits', async () => {
    const said = async (number: string): Promise<string | undefined> =>
      (await readings(`[${number}]`))[1]?.text.slice(1, -1);
    expect(await said('4.111111111111111e15')).toBe('4111111111111111');
    expect(await said('4111111.111111111E+9')).toBe('4111111111111111');
    expect(await said('41111111111111110e-1')).toBe('4111111111111111');
    expect(await said('4111111111111111.00')).toBe('4111111111111111');
    expect(await said('0.4111111111111111e16')).toBe('4111111111111111');
    for (const other of [
      '1.5',
      '1e5',
      '2.25e-7',
      '4.1111111111111115e15',
      '4.111111111111111e60',
      'x4.111111111e9',
      '1.2.3456789e9',
      '1234567.00',
    ])
      expect(await said(other)).toBeUndefined();
    const { text, placeOf } = await unescaped('n\\n4.111111111111111e15,');
    expect(text).toBe('n\n4111111111111111,');
    expect(placeOf({ start: 2, end: 18 })).toEqual({ start: 3, end: 23 });
  });

  it('reads numbers and ignorable characters where two portions meet', async () => {
    for (let before = 65_490; before <= 65_538; before += 1) {
      expect((await unescaped(`${'.'.repeat(before)} 4.111111111111111e15\u{e0001}A`)).text).toBe(
        `${'.'.repeat(before)} 4111111111111111A`,
      );
    }
  });

  it('leaves characters that are not seen out where two portions meet', async () => {
    for (let before = 65_530; before <= 65_538; before += 1) {
      const { text, placeOf } = await unescaped(`${'.'.repeat(before)}\u200b\u200bA`);
      expect(text).toBe(`${'.'.repeat(before)}A`);
      expect(placeOf({ start: before, end: before + 1 })).toEqual({ start: before + 2, end: before + 3 });
      expect(placeOf({ start: 0, end: before })).toEqual({ start: 0, end: before });
    }
  });

  it('says of every part where it stands, with the whole escapes that say it', async () => {
    const piece = fc.constantFrom('a', 'n', '\\n', '\\\\n', '\\u0061', '\\\\\\u00e9', '\\"', ' ', '\\x', '4111');
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.nat(), fc.nat(), async (pieces, one, other) => {
        const source = `\\t${pieces.join('|')}`;
        const reading = await unescaped(source);
        const [start, end] = [one, other].map((offset) => offset % (reading.text.length + 1)).sort((a, b) => a - b);
        const place = reading.placeOf({ start: start!, end: end! });
        const part = source.slice(place.start, place.end);
        const said = part.includes('\\') ? (await readings(part)).at(-1)!.text : part;
        expect(said).toBe(reading.text.slice(start, end));
      }),
    );
  });

  it('never gives a part of an escape of the text as it is', async () => {
    const source = 'x\\njo@example.com\\u00e9y';
    const [plain] = await readings(source);

    expect(plain!.placeOf({ start: 2, end: 17 })).toEqual({ start: 1, end: 17 });
    expect(plain!.placeOf({ start: 3, end: 19 })).toEqual({ start: 3, end: 23 });
    expect(plain!.placeOf({ start: 0, end: 1 })).toEqual({ start: 0, end: 1 });
    expect(plain!.placeOf({ start: 3, end: 17 })).toEqual({ start: 3, end: 17 });
  });

  it('has a second reading only around escapes, each stretch once', async () => {
    const stretchesOf = async (text: string): Promise<unknown> => [...(await unescaped(text)).stretches()];
    const gap = '.'.repeat(10_000);

    expect(await stretchesOf(`${gap}\\n${gap}\\t\\t${gap}`)).toEqual([
      { start: 8_976, end: 11_024 },
      { start: 18_977, end: 21_026 },
    ]);
    expect(await stretchesOf(`\\n${gap}\\n`)).toEqual([
      { start: 0, end: 1_024 },
      { start: 8_977, end: 10_002 },
    ]);
    const dense = (await stretchesOf('.\\n'.repeat(100_000))) as Span[];
    expect(dense.length).toBeGreaterThan(2);
    expect(dense[0]!.start).toBe(0);
    expect(dense.at(-1)!.end).toBe(200_000);
    for (const [index, { start }] of dense.entries()) if (index > 0) expect(start).toBe(dense[index - 1]!.end);
  });

  it('has a first reading of all of the text', async () => {
    const [plain] = await readings('a\\nb');
    expect([...plain!.stretches()]).toEqual([{ start: 0, end: 4 }]);
  });

  it('finds escapes where two portions of a long text meet', async () => {
    for (let before = 65_528; before <= 65_538; before += 1) {
      const { text, placeOf } = await unescaped(`${' '.repeat(before)}\\u0041\\nB`);
      expect(text.trimStart()).toBe('A\nB');
      expect(placeOf({ start: before, end: before + 1 })).toEqual({ start: before, end: before + 6 });
    }
  });

  it('reads a text of a million backslashes in a time that grows with its length', async () => {
    expect(await readings('\\'.repeat(1_000_000))).toHaveLength(1);
    expect((await unescaped('\\\\n'.repeat(200_000))).text).toBe('\n'.repeat(200_000));
    expect((await unescaped('a\u200b'.repeat(100_000))).text).toHaveLength(100_000);
    expect((await unescaped('4.1234567e9 '.repeat(50_000))).text).toHaveLength(550_000);
    expect(await readings('%25&#'.repeat(200_000) + '\u200b'.repeat(200_000))).toHaveLength(2);
  });
});
