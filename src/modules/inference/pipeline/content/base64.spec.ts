import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { isBase64 } from './base64.js';

/** Of the usual alphabet, with letters that only it has. */
const DATA = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7_919) % 251)).toString('base64');

const URL_DATA = DATA.replaceAll('+', '-').replaceAll('/', '_');

const inLines = (length: number, lineBreak = '\n'): string =>
  DATA.replaceAll(new RegExp(`.{${length}}`, 'g'), `$&${lineBreak}`);

const isWhole = (text: string, start = 0): Promise<boolean> =>
  isBase64(text, start, new LongWork(new LoopTurns(), 'organization'));

describe('isBase64', () => {
  it.each([
    ['nothing', ''],
    ['letters', 'aGVsbG8'],
    ['letters that are filled up', 'aGVsbA=='],
    ['letters and a line break', 'aGVsbG8=\r\n'],
    ['much data', DATA],
    ['much data in the alphabet for URLs', URL_DATA],
    ['lines of MIME', inLines(76, '\r\n')],
    ['lines of PEM', inLines(64)],
    ['lines that end with a line break', `${inLines(76)}\n`],
  ])('is true for %s', async (_, text) => {
    expect(await isWhole(text)).toBe(true);
  });

  it.each([
    ['words', 'Patient jane@example.com'],
    ['words in lines', 'Patient\nJane\nDoe\n'],
    ['a word between lines', `${DATA.slice(0, 76)}\nJane\n${DATA.slice(0, 76)}\n`],
    ['numbers with hyphens', '123-45-6789'],
    ['letters of both alphabets', `${DATA}-_`],
    ['what stands behind much data', `${DATA}#a@example.com`],
    ['a query behind data', 'aGVsbG8=?x'],
    ['a space and words behind data', 'aGVsbG8= and more'],
    ['a space before data', ' aGVsbG8='],
    ['words in the middle of much data', `${DATA.slice(0, 200_000)} and ${DATA}`],
    ['more than what fills up', 'aGVsbA==='],
    ['what fills up between letters', 'aGVs=bA='],
    ['lines of nothing', 'aGVsbG8=\n\n'],
  ])('is false for %s', async (_, text) => {
    expect(await isWhole(text)).toBe(false);
  });

  it('looks at a text from a position on', async () => {
    expect(await isWhole('a b,aGVsbG8=', 4)).toBe(true);
    expect(await isWhole('a b,=', 5)).toBe(true);
    expect(await isWhole('a b', 2)).toBe(true);
  });

  it('lets others use the event loop, and ends when it is told to', async () => {
    const work = new LongWork(new LoopTurns(), 'organization', AbortSignal.abort(new Error('left')));
    jest.spyOn(work, 'mustRest', 'get').mockReturnValue(true);

    await expect(isBase64(DATA, 0, work)).rejects.toThrow('left');
  });
});
