import fc from 'fast-check';
import { LongWork } from '../../../concurrency/long-work.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { ScanTarget } from './scan-target.js';
import { toolArguments } from './tool-arguments.js';

const targetOf = (source: string): Promise<ScanTarget | undefined> =>
  toolArguments(source, new LongWork(new LoopTurns(), 'organization-1'));

/** The names, strings and numbers of JSON, in their order, by the parser's own word. */
function saidIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [JSON.stringify(value)];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(saidIn);
  return Object.entries(value).flatMap(([name, item]) => [name, ...saidIn(item)]);
}

describe('toolArguments', () => {
  it('gives the names, strings and numbers of every JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(undefined, 2), async (value, indent) => {
        const target = await targetOf(JSON.stringify(value, null, indent));
        expect(target?.text).toBe(saidIn(value).join('\n'));
      }),
    );
  });

  it('gives what stands where two portions of long arguments meet', async () => {
    const values = ' "a\\"\\\\b":-12.5e+3,"c":[1,"\\u0040"]}';
    for (let before = 65_536 - values.length; before <= 65_536; before += 1) {
      const target = await targetOf(`{${' '.repeat(before)}${values}`);
      expect(target?.text).toBe('a"\\b\n-12.5e+3\nc\n1\n@');
    }
  });

  it('gives a string of many millions of characters', async () => {
    const text = 'a'.repeat(17_000_000);
    const target = await targetOf(`{"a":"${text}"}`);
    expect(target?.text === `a\n${text}`).toBe(true);
  });

  it.each([
    ['words outside of strings in long ones', `{ write to a@example.com ${' '.repeat(131_072)}}`],
    ['numbers without commas in long ones', `[4111 1111 1111 1111 ${' '.repeat(131_072)}]`],
    ['a string that nothing ends', '{"a": "b'],
    ['brackets that are not closed', '{"a": [1'],
    ['more values than any request has', `[${'1,'.repeat(100_000)}1]`],
    ['more levels than any request has', `${'['.repeat(129)}${']'.repeat(129)}`],
  ])('takes arguments for no JSON that have %s', async (_, source) => {
    expect(await targetOf(source)).toBeUndefined();
  });

  it('ends with the reason of the signal when its turn is over', async () => {
    const reason = new Error('the client is gone');
    const work = new LongWork(new LoopTurns(), 'organization-1', AbortSignal.abort(reason));
    jest.spyOn(work, 'mustRest', 'get').mockReturnValue(true);
    await expect(toolArguments('["a"]', work)).rejects.toBe(reason);
  });
});
