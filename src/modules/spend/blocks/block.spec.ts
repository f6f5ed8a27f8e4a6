import type { HeldCounter } from '../open-counters.js';
import { Block } from './block.js';
import { blockSizeOf } from './block-size.js';
import { RecentUse } from './recent-use.js';

const cost = (amount: bigint, byokAmount = amount): { amount: bigint; byokAmount: bigint } => ({ amount, byokAmount });

describe('a block', () => {
  const blockOf = (amount: bigint, byokAmount: bigint, ...holds: readonly bigint[]): Block =>
    new Block('block-1-a', 'version', {
      ...cost(amount, byokAmount),
      holds: holds.map((hold) => ({ ...cost(hold), candidates: [] }) as unknown as HeldCounter),
    });

  it('pays for requests until too little is left, to the last unit', () => {
    const block = blockOf(10n, 10n);
    expect(block.take({ ...cost(6n), holds: [] })).toBe(true);
    expect(block.take({ ...cost(5n), holds: [] })).toBe(false);
    expect(block.take({ ...cost(4n), holds: [] })).toBe(true);
    expect(block.amounts).toMatchObject(cost(0n));
  });

  it('takes nothing of the cost where a counter has too little, and the other way round', () => {
    const block = blockOf(10n, 10n, 2n, 1n);
    expect(block.take({ ...cost(1n), holds: [cost(1n), cost(1n)] })).toBe(true);
    expect(block.take({ ...cost(1n), holds: [cost(1n), cost(1n)] })).toBe(false);
    expect(block.take({ ...cost(10n), holds: [cost(0n), cost(0n)] })).toBe(false);
    expect(block.amounts).toMatchObject({ ...cost(9n), holds: [cost(1n), cost(0n)] });
  });

  // What counts where own provider keys count is the larger of both amounts, for each request and for the rest of the block.
  it.each([
    ['pays for own provider keys from what is held for them', 0n, 5n, cost(0n, 5n), true, cost(0n, 0n)],
    ['does not pay for own provider keys with what is held for others', 10n, 10n, cost(0n, 5n), false, cost(10n)],
    ['pays for a request that may use both', 10n, 14n, cost(3n, 7n), true, cost(7n, 7n)],
    ['does not let the rest count for more than is held', 10n, 12n, cost(3n, 7n), false, cost(10n, 12n)],
  ])('%s', (_, amount, byokAmount, needed, isPaid, rest) => {
    const block = blockOf(amount, byokAmount);
    expect(block.take({ ...needed, holds: [] })).toBe(isPaid);
    expect(block.amounts).toMatchObject(rest);
  });
});

describe('the size of a block', () => {
  const needed = { ...cost(80n), holds: [cost(8n)], requests: 8 };

  it('is what was needed lately', () => {
    expect(blockSizeOf(needed, [{ remaining: 1_280n, needed: 80n }])).toEqual({ ...cost(80n), holds: [cost(8n)] });
  });

  it('is a sixteenth of what is left of the tightest limit at most, of everything alike', () => {
    const rooms = [
      { remaining: 100_000n, needed: 800n },
      { remaining: 640n, needed: 80n },
    ];
    expect(blockSizeOf({ ...cost(800n), holds: [cost(80n)], requests: 80 }, rooms)).toEqual({
      ...cost(400n),
      holds: [cost(40n)],
    });
  });

  it.each([
    ['for fewer than eight requests', { ...needed, requests: 7 }, 1_280n],
    ['where what is left does not pay for eight', needed, 1_279n],
    ['where nothing is left', needed, 0n],
    ['where more than there was is spent', needed, -100n],
  ])('is nothing %s', (_, lately, remaining) => {
    expect(blockSizeOf(lately, [{ remaining, needed: 80n }])).toBeUndefined();
  });
});

describe('the recent use of requests of a kind', () => {
  it('is that of this second and the one before', () => {
    const use = new RecentUse(1);
    use.add({ ...cost(1n), holds: [cost(10n)] }, 500);
    use.add({ ...cost(2n, 5n), holds: [cost(10n)] }, 1_999);
    expect(use.sum(1_999)).toEqual({ ...cost(3n, 6n), holds: [cost(20n)], requests: 2 });
    expect(use.sum(2_000)).toEqual({ ...cost(2n, 5n), holds: [cost(10n)], requests: 1 });
    expect(use.sum(4_000)).toEqual({ ...cost(0n), holds: [cost(0n)], requests: 0 });
  });
});
