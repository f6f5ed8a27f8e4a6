import fc from 'fast-check';
import { costAt, countedAmount, worstCaseAmounts } from '../../../spend/worst-case.js';
import { amountsWith, type GrowingCost, judgingAt, withJudging } from './judging-worst-case.js';

const cost = fc.record({ fixed: fc.bigInt(0n, 1_000n), perToken: fc.bigInt(0n, 10n) });

const price = fc.record({ fixed: fc.bigInt(0n, 1_000n), perToken: fc.bigInt(0n, 10n), isByok: fc.boolean() });

const CASES = fc.record({
  prices: fc.array(price, { minLength: 1, maxLength: 4 }),
  ofDeployment: cost,
  ofOrganization: cost,
  tokens: fc.nat({ max: 100 }),
});

describe('what is reserved for a request and its judges', () => {
  it('is never less than what any candidate and the judges cost, whichever keys count toward a limit', () => {
    fc.assert(
      fc.property(CASES, ({ prices, tokens, ...judging }) => {
        const candidates = prices.map((one) => ({ ...one, longestAnswer: 1_000 }));
        const reserved = worstCaseAmounts({
          candidates: candidates.flatMap((one) => withJudging(one, judging)),
          namedTokens: tokens,
        });
        const judged = judgingAt(judging, tokens);
        for (const candidate of candidates) {
          const answer = costAt(candidate, tokens);
          const ofDeployment = judged.ofDeployment + (candidate.isByok ? 0n : answer);
          const all = judged.ofDeployment + judged.ofOrganization + answer;
          expect(countedAmount(reserved, { includesByok: false })).toBeGreaterThanOrEqual(ofDeployment);
          expect(countedAmount(reserved, { includesByok: true })).toBeGreaterThanOrEqual(all);
        }
      }),
    );
  });

  it('is what one candidate and the judges cost, and no more', () => {
    const nothing: GrowingCost = { fixed: 0n, perToken: 0n };
    const judging = { ofDeployment: { fixed: 5n, perToken: 1n }, ofOrganization: nothing };
    const candidate = { fixed: 100n, perToken: 2n, longestAnswer: 1_000, isByok: true };

    expect(worstCaseAmounts({ candidates: withJudging(candidate, judging), namedTokens: 10 })).toEqual({
      amount: 15n,
      byokAmount: 135n,
    });
    expect(withJudging(candidate, undefined)).toEqual([candidate]);
    const sums = { ofDeployment: 0n, ofOrganization: 120n };
    expect(amountsWith(sums, judgingAt(judging, 10))).toEqual({ amount: 15n, byokAmount: 135n });
  });
});
