import { VariableReader } from './variable-reader.js';
import { workersOf } from './workers-variable.js';

/** @returns the number, and the issues */
function read(text: string | undefined, processors = 4): [number, readonly string[]] {
  const reader = new VariableReader({ WORKERS: text });
  return [workersOf(reader, processors), reader.issues];
}

describe('WORKERS', () => {
  it.each([undefined, '', ' ', '1'])('is one process for %p', (text) => {
    expect(read(text)).toEqual([1, []]);
  });

  it.each([
    ['2', 2],
    ['64', 64],
  ])('is the number %p', (text, workers) => {
    expect(read(text)).toEqual([workers, []]);
  });

  it('is with auto as many as there are processors, 64 at most', () => {
    expect([read('auto', 8), read('auto', 1), read('auto', 200)]).toEqual([
      [8, []],
      [1, []],
      [64, []],
    ]);
  });

  it.each(['0', '65', '-1', '1.5', '2 workers', 'AUTO', 'many'])('refuses %p', (text) => {
    expect(read(text)).toEqual([1, ['WORKERS must be auto, or a whole number from 1 to 64']]);
  });
});
