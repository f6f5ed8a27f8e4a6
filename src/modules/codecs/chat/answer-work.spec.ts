import { ProviderError } from '../errors/provider-error.js';
import { ITEM_NODES, visited, withinWork, written } from './answer-work.js';
import { walkedListOf } from './json-values.js';

const INVALID = expect.objectContaining({ kind: 'invalid' }) as ProviderError;

describe('withinWork', () => {
  it('lets a document of any size have a thousand items, and as many more as its size allows', () => {
    const items = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
    const walked = (bytes: number, count: number) => () =>
      withinWork(bytes, () => walkedListOf(items(count), ITEM_NODES).length);
    expect(walked(0, 1_000)()).toBe(1_000);
    expect(walked(0, 1_025)).toThrow(INVALID);
    expect(walked(1_000_000, 4_900)()).toBe(4_900);
    expect(walked(1_000_000, 5_000)).toThrow(INVALID);
    // Long texts are handed on, and do not let more items be.
    expect(walked(64 * 1024 * 1024, 9_216)()).toBe(9_216);
    expect(walked(64 * 1024 * 1024, 9_217)).toThrow(INVALID);
  });

  it('counts what is written, each document by itself, and nothing outside of one', () => {
    const writing = (): void => withinWork(0, () => written(1_048_576));
    writing();
    expect(writing).not.toThrow();
    const writingAndVisiting = (): void =>
      withinWork(0, () => {
        written(1_048_576);
        visited(1);
      });
    expect(writingAndVisiting).toThrow(INVALID);
    expect(() => written(10_000_000)).not.toThrow();
  });

  it('hands on what is thrown, and counts for the outer document again behind an inner one', () => {
    const failing = (): void =>
      withinWork(0, () => {
        written(1_048_576);
        withinWork(0, () => {
          throw new ProviderError('refused', 'No');
        });
      });
    expect(failing).toThrow('No');
    expect(() =>
      withinWork(0, () => {
        written(1_048_576);
        withinWork(0, () => written(1_048_576));
        written(1);
      }),
    ).toThrow(INVALID);
  });
});
