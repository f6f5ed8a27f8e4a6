import { heapOfWorker } from './heap-of-worker.js';

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 * MEBIBYTE;

describe('heapOfWorker', () => {
  it.each([
    ['a quarter of the memory', 8 * GIBIBYTE, 2 * GIBIBYTE, 4, '512'],
    ['a quarter of a memory for which Node.js has its largest heap', 64 * GIBIBYTE, 4 * GIBIBYTE, 8, '2048'],
    ['not more than one process has', 64 * GIBIBYTE, 4 * GIBIBYTE, 2, '4096'],
    ['not less than a worker needs', GIBIBYTE, GIBIBYTE / 4, 4, '160'],
  ])('is together %s', (_case, memoryBytes, heapBytes, workers, mebibytes) => {
    expect(heapOfWorker(workers, [], { memoryBytes, heapBytes })).toEqual([`--max-old-space-size=${mebibytes}`]);
  });

  it.each(['--max-old-space-size=700', '--enable-source-maps --max_old_space_size=700', '--max-heap-size=700'])(
    'is what %s says',
    (option) => {
      expect(heapOfWorker(4, ['--enable-source-maps', option])).toEqual([]);
    },
  );

  it('reads what this machine has', () => {
    expect(heapOfWorker(2, ['--max-semi-space-size=64'])).toEqual([
      expect.stringMatching(/^--max-old-space-size=[1-9]\d+$/),
    ]);
  });
});
