import { isBodyFieldTaken } from '../../../codecs/capabilities/translated-request.js';
import { messagesFieldsOf } from '../../../codecs/chat/messages-fields.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { PriceName, Prices } from '../../../catalog/price-rules.js';
import { TOKEN_PRICES } from '../../../catalog/own-models/token-prices.js';
import { textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import type { Candidate } from '../request/candidate.js';
import type { RoutedBody } from '../request/operation.js';

/** What a request wishes that makes each of its tokens cost more (docs/interface/inference.md#region-and-speed). */
export type PricedWishes = Pick<RoutedBody, 'inference_geo' | 'speed'>;

/** What decides whether a wish is kept to, and at which price. */
type PricedCandidate = Pick<Candidate, 'model' | 'endpoint' | 'connection'>;

/** The place for data that restricts nothing, and costs no more. */
export const ANYWHERE = 'global';

/** The prices of tokens: those of units do not depend on these wishes. */
const PRICES_OF_TOKENS = ['prompt', 'completion', ...TOKEN_PRICES] as readonly PriceName[];

/** In hundredths: what Anthropic charges where it keeps the processing in one region. */
const WITHIN_REGION = 110n;

/** In hundredths: the most that Anthropic has charged for its fast mode, and the models for which it charges less. */
const FAST = 600n;
const FAST_OF_MODELS: ReadonlyMap<string, bigint> = new Map([
  ['anthropic/claude-opus-4.8', 200n],
  ['anthropic/claude-opus-5', 200n],
]);

/**
 * Prices at which the tokens of a request are charged at a candidate, where it has a wish that costs more and the candidate gets it.
 *
 * @param prices those in force
 * @param counted the usage of the answer, which says what was done; absent before there is one, for the most that may be charged
 */
export function pricesAsWished(
  prices: Prices,
  wishes: PricedWishes,
  candidate: PricedCandidate,
  counted?: TokenUsage | null,
): Prices {
  const factor = factorOf(wishes, candidate, counted);
  if (factor === 10_000n) return prices;
  const multiplied = PRICES_OF_TOKENS.flatMap((name) => {
    const price = prices[name];
    return price === undefined ? [] : [[name, textOfUnits((unitsOf(price) * factor) / 10_000n)] as const];
  });
  return { ...prices, ...Object.fromEntries(multiplied) };
}

/** How many times their price tokens of a candidate cost by what a request wishes, at most. */
export function dearerByWishes(wishes: PricedWishes, candidate: PricedCandidate): number {
  return Number(factorOf(wishes, candidate)) / 10_000;
}

/** In ten thousandths. */
function factorOf(
  { inference_geo: place, speed }: PricedWishes,
  candidate: PricedCandidate,
  counted?: TokenUsage | null,
): bigint {
  const said = messagesFieldsOf(counted);
  const isDone = (field: 'inference_geo' | 'speed', wish: string): boolean =>
    (said[field] ?? wish) === wish && isBodyFieldTaken(candidate, field);
  const ofPlace = place != null && place !== ANYWHERE && isDone('inference_geo', place) ? WITHIN_REGION : 100n;
  const ofSpeed = speed === 'fast' && isDone('speed', speed) ? fastFactorOf(candidate) : 100n;
  return ofPlace * ofSpeed;
}

function fastFactorOf({ model }: Pick<Candidate, 'model'>): bigint {
  return FAST_OF_MODELS.get(model.row.id) ?? FAST;
}
