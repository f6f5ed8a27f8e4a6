import { ReplayTally } from './replay-tally.js';

const REFUSED = { outcome: 'refused', reason: 'limit' } as const;
const EXCLUDED = { outcome: 'excluded', reason: 'limit' } as const;

describe('the tally of a replay', () => {
  it('has the keys with the most refusals first, and 20 at most', () => {
    const tally = new ReplayTally();
    for (let key = 1; key <= 25; key += 1) {
      for (let times = 0; times < key; times += 1) {
        tally.add({ id: `gen-${key}-${times}`, keyId: `key-${key}`, cost: 10n ** 18n }, [REFUSED]);
      }
    }
    const { keys, examples, refusedCount, refusedCostUsd } = tally.result;
    expect(keys).toHaveLength(20);
    expect(keys.map(({ count }) => count)).toEqual(Array.from({ length: 20 }, (_, place) => 25 - place));
    expect(keys[0]).toEqual({ keyId: 'key-25', count: 25, costUsd: '25' });
    expect(examples).toHaveLength(20);
    expect(examples[0]).toEqual({ generationId: 'gen-1-0', reason: 'limit' });
    expect({ refusedCount, refusedCostUsd }).toEqual({ refusedCount: 325, refusedCostUsd: '325' });
  });

  it('counts of what would have been done to a request the first refusal alone, else all of it', () => {
    const tally = new ReplayTally();
    const request = { keyId: 'key-1', cost: 0n };
    tally.add({ ...request, id: 'gen-1' }, [EXCLUDED, REFUSED, { outcome: 'refused', reason: 'model' }]);
    tally.add({ ...request, id: 'gen-2' }, [EXCLUDED, { outcome: 'redacted', reason: 'content' }]);
    tally.add({ ...request, id: 'gen-3' }, []);
    const { rules, refusedCount } = tally.result;
    expect(rules.map(({ outcome, reason, count }) => [outcome, reason, count])).toEqual([
      ['refused', 'limit', 1],
      ['excluded', 'limit', 1],
      ['redacted', 'content', 1],
    ]);
    expect([refusedCount, tally.readCount]).toEqual([1, 3]);
  });
});
