import { randomBytes } from 'node:crypto';
import { blockIdOf } from '../../limits/block-names.js';
import type { AskedCounter } from '../../limits/compiled-limit.js';
import { countsByok } from '../../limits/limit-vocabulary.js';
import type { AdmissionRequest } from '../admission-request.js';
import type { OpenAmounts } from '../open-amounts.js';
import { countedAmount } from '../worst-case.js';
import { Block, type HeldAmounts } from './block.js';
import type { RequestKind } from './block-book.js';
import { blockSizeOf } from './block-size.js';

/** Bytes of the random part of the id of a block. */
const ID_BYTES = 12;

/** A request of the kind that a block is for. */
interface RequestOfKind {
  readonly request: AdmissionRequest;
  /** The number of its spender in the batch. */
  readonly spender: number;
}

/**
 * Makes a block for requests to come, and takes it from what is left.
 *
 * @param at milliseconds on the clock of the process
 * @returns undefined where a block is not worth it, or would not be exact: at a counter with an exception, which may end at any time, and at
 *   one of requests at the same time, of which what others hold is wanted at once
 */
export function newBlock(
  kind: RequestKind,
  { request, spender }: RequestOfKind,
  { limits, counters }: OpenAmounts,
  at: number,
): Block | undefined {
  const { keyId } = request;
  const asked = request.counters?.asked.map(({ counter }) => counter) ?? [];
  // Also for requests that cost nothing: who has a block need not look whether a limit is met, or stops everything.
  if (limits.of(spender).some(({ isMet }) => isMet)) return undefined;
  if (!asked.every((counter) => mayBeLeased(counter, keyId, counters))) return undefined;
  const needed = kind.use.sum(at);
  const size = blockSizeOf(needed, [
    ...limits.of(spender).map((limit) => ({ remaining: limit.remaining, needed: countedAmount(needed, limit) })),
    ...asked.map((counter, index) => {
      const includesByok = countsByok(counter.limit.row);
      const remaining = counters.at(counter).remaining(includesByok);
      return { remaining, needed: countedAmount(needed.holds[index]!, { includesByok }) };
    }),
  ]);
  if (size === undefined) return undefined;
  const holds = asked.map((counter, index) => ({ counter, candidates: [], ...size.holds[index]! }));
  const held: HeldAmounts = { amount: size.amount, byokAmount: size.byokAmount, holds };
  limits.take(spender, held);
  for (const { counter, ...amounts } of holds) counters.take(counter, keyId, amounts);
  const id = blockIdOf(request.createdAt, randomBytes(ID_BYTES).toString('hex'));
  return new Block(id, request.limitsVersion, held);
}

function mayBeLeased(counter: AskedCounter, keyId: string, counters: OpenAmounts['counters']): boolean {
  const isItself = counters.placeFor(counter, keyId) === counter;
  return isItself && counter.limit.row.measure !== 'concurrent' && !counters.at(counter).hasException;
}
