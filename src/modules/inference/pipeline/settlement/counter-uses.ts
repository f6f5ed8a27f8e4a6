import type { CounterUse } from '../../../limits/limit-counters.js';
import { textOfUnits } from '../../../spend/decimal-amount.js';
import type { HeldCounter } from '../../../spend/open-counters.js';
import { type AttemptCharge, costOfAttempts } from '../cost/attempt-charge.js';
import { endpointNameOf } from '../request/candidate.js';
import type { Decision } from '../request/decision.js';
import type { Outcome } from '../request/outcome.js';

/** Amounts through provider keys of the deployment, and through those of the organization. */
type Used = Pick<CounterUse, 'amount' | 'byokAmount'>;

const NOTHING: Used = { amount: '0', byokAmount: '0' };

/**
 * What a request has used of each counter that it holds something of (docs/interface/limits.md#what-counts): the cost or the tokens of the
 * attempts at candidates that count, and one request. What judge models cost counts with the candidates that were asked; their tokens do not.
 * A request that was not admitted has used nothing.
 *
 * @param charged what its attempts are charged, and judge models
 */
export function counterUsesOf(
  { reservation, candidates }: Decision<unknown>,
  { raised, attempts }: Outcome,
  { charges, judging }: Readonly<Record<'charges' | 'judging', readonly AttemptCharge[]>>,
): readonly CounterUse[] {
  const holds = raised?.holds ?? reservation?.amounts.holds ?? [];
  return holds.map(({ counter, candidates: indexes }) => {
    const { isOfCandidates } = counter.limit;
    const counted = new Set(indexes.map((index) => candidates[index]!));
    const names = new Set([...counted].map(endpointNameOf));
    const ofThese = isOfCandidates ? charges.filter(({ candidate }) => counted.has(candidate)) : charges;
    const wasAsked = !isOfCandidates || attempts.some(({ model, endpoint }) => names.has(`${model} ${endpoint}`));
    return {
      limitId: counter.limitId,
      combination: counter.combination,
      windowStart: counter.windowStart.toISOString(),
      ...usedOf(counter, ofThese, { wasAsked, judging: wasAsked || ofThese.length > 0 ? judging : [] }),
    };
  });
}

function usedOf(
  { limit }: HeldCounter['counter'],
  charges: readonly AttemptCharge[],
  { wasAsked, judging }: { readonly wasAsked: boolean; readonly judging: readonly AttemptCharge[] },
): Used {
  switch (limit.row.measure) {
    case 'usd':
      return {
        amount: textOfUnits(costOfAttempts([...charges, ...judging], false)),
        byokAmount: textOfUnits(costOfAttempts([...charges, ...judging], true)),
      };
    case 'tokens':
      return { amount: tokensOf(charges, false), byokAmount: tokensOf(charges, true) };
    case 'requests':
      return wasAsked ? { ...NOTHING, amount: '1' } : NOTHING;
    case 'concurrent':
      return NOTHING;
  }
}

function tokensOf(charges: readonly AttemptCharge[], isByok: boolean): string {
  const ofKeys = charges.filter(({ candidate }) => candidate.isByok === isByok);
  return String(ofKeys.reduce((sum, { usage }) => sum + usage.prompt_tokens + usage.completion_tokens, 0));
}
