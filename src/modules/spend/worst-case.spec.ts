import { type CandidatePrice, countedAmount, decideWorstCase, worstCaseAmounts } from './worst-case.js';

const limit = (remaining: bigint, includesByok = false): { remaining: bigint; includesByok: boolean } => ({
  remaining,
  includesByok,
});

const candidate = (fields: Partial<CandidatePrice> = {}): CandidatePrice => ({
  fixed: 10n,
  perToken: 2n,
  longestAnswer: 100,
  isByok: false,
  ...fields,
});

describe('the worst case of a request', () => {
  it('is that of its most expensive candidate, by itself for each kind of provider keys', () => {
    const candidates = [
      candidate(),
      candidate({ fixed: 100n, perToken: 1n }),
      candidate({ fixed: 7n, perToken: 3n, isByok: true }),
    ];
    expect(worstCaseAmounts({ candidates, namedTokens: 5 })).toEqual({ amount: 105n, byokAmount: 22n });
    expect(worstCaseAmounts({ candidates, namedTokens: null })).toEqual({ amount: 210n, byokAmount: 307n });
    expect(worstCaseAmounts({ candidates, namedTokens: null }, 50)).toEqual({ amount: 150n, byokAmount: 157n });
  });

  it('fits to the last unit', () => {
    const worstCase = { candidates: [candidate()], namedTokens: 5 };
    expect(decideWorstCase(worstCase, [limit(20n)])).toEqual({
      fits: true,
      amount: 20n,
      byokAmount: 0n,
      cappedTokens: null,
    });
    expect(decideWorstCase(worstCase, [limit(19n)])).toEqual({
      fits: false,
      limit: limit(19n),
      requestedTokens: 5,
      affordableTokens: 4,
    });
  });

  it('is bounded by the limit that pays for the fewest tokens', () => {
    const worstCase = { candidates: [candidate()], namedTokens: null };
    const decision = decideWorstCase(worstCase, [limit(10_000n), limit(31n), limit(90n)]);
    expect(decision).toEqual({ fits: true, amount: 30n, byokAmount: 0n, cappedTokens: 10 });
  });

  it('is not bounded by a limit that pays for the longest answer of each candidate', () => {
    const candidates = [candidate(), candidate({ longestAnswer: 3, perToken: 50n })];
    expect(decideWorstCase({ candidates, namedTokens: null }, [limit(210n)])).toMatchObject({
      fits: true,
      amount: 210n,
      cappedTokens: null,
    });
  });

  it('does not fit where not even what is fixed does, or where nothing or less is left', () => {
    const worstCase = { candidates: [candidate(), candidate({ longestAnswer: 200 })], namedTokens: null };
    for (const remaining of [9n, 11n, 0n, -5n]) {
      expect(decideWorstCase(worstCase, [limit(remaining)])).toMatchObject({
        fits: false,
        requestedTokens: 200,
        affordableTokens: 0,
      });
    }
  });

  it('bounds no answer that costs nothing', () => {
    const worstCase = { candidates: [candidate({ perToken: 0n })], namedTokens: null };
    expect(decideWorstCase(worstCase, [limit(10n)])).toMatchObject({ fits: true, amount: 10n, cappedTokens: null });
    expect(decideWorstCase(worstCase, [limit(9n)])).toMatchObject({ fits: false, requestedTokens: 0 });
  });

  it('counts usage through own keys toward limits that say so, and never both kinds', () => {
    const candidates = [candidate({ isByok: true }), candidate({ fixed: 4n })];
    const worstCase = { candidates, namedTokens: 5 };
    expect(decideWorstCase(worstCase, [limit(14n)])).toMatchObject({ fits: true, amount: 14n, byokAmount: 20n });
    expect(decideWorstCase(worstCase, [limit(19n, true)])).toMatchObject({ fits: false, affordableTokens: 4 });
    expect(countedAmount({ amount: 14n, byokAmount: 20n }, limit(0n))).toBe(14n);
    expect(countedAmount({ amount: 14n, byokAmount: 20n }, limit(0n, true))).toBe(20n);
  });
});
