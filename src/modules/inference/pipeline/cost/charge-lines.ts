import { CHARGED_UNITS } from '../../../catalog/own-models/charged-units.js';
import { cacheWritesOf } from '../../../codecs/chat/messages-fields.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { largerOf } from '../../../spend/decimal-amount.js';
import { costOfUnit, type Units, UNITS } from './units.js';
import { PROMPT_MEDIA, PROMPT_SOURCES, type UnitPrices } from './unit-prices.js';

/** What costs something besides tokens, and what is known of tokens besides the usage. */
export interface CountedUnits extends Units {
  /** The tokens of the images of the answer, where the usage does not say them. */
  readonly imageTokensInAnswer?: number;
  /** The tokens that a cache keeps for an hour, where the usage does not say how many of those that were written. */
  readonly writtenForAnHour?: number;
}

/** What is charged of one kind, in the smallest units of a US dollar. */
export interface ChargeLine {
  readonly part: 'prompt' | 'completion';
  readonly cost: bigint;
  /** What the same would have cost without a cache; absent for what has nothing to do with one. */
  readonly withoutCache?: bigint;
}

/**
 * The lines of a charge: one for each kind, with each token in one of them. A provider says how many tokens are of which medium, and how many were
 * cached, but not how many are both: those of media count as uncached as far as there are so many.
 */
export function chargeLinesOf(usage: TokenUsage, units: CountedUnits, prices: UnitPrices): readonly ChargeLine[] {
  return [...promptLines(usage, units, prices), ...unitLines(units, prices), ...answerLines(usage, units, prices)];
}

/** The tokens that were written to a cache to be kept for an hour. */
export function writtenForAnHourIn(usage: TokenUsage, units: CountedUnits): number {
  return units.writtenForAnHour ?? cacheWritesOf(usage)?.ephemeral_1h_input_tokens ?? 0;
}

function promptLines(usage: TokenUsage, units: CountedUnits, { prompt: prices }: UnitPrices): readonly ChargeLine[] {
  const details = usage.prompt_tokens_details;
  const read = BigInt(details?.cached_tokens ?? 0);
  const written = BigInt(details?.cache_write_tokens ?? 0);
  const writtenTokens = new Tokens(written);
  const writtenForAnHour = writtenTokens.take(BigInt(writtenForAnHourIn(usage, units)));
  const tokens = {
    uncached: new Tokens(largerOf(BigInt(usage.prompt_tokens) - read - written, 0n)),
    read: new Tokens(read),
    written: writtenTokens,
    writtenForAnHour: new Tokens(writtenForAnHour),
  };
  const media = {
    audio: new Tokens(BigInt(details?.audio_tokens ?? 0)),
    image: new Tokens(BigInt(details?.image_tokens ?? 0)),
  };
  return PROMPT_MEDIA.flatMap((medium) =>
    PROMPT_SOURCES.map((source): ChargeLine => {
      const here = tokens[source];
      const count = medium === 'text' ? here.left : media[medium].take(here.left);
      here.take(count);
      const cost = count * prices[source][medium];
      return source === 'uncached'
        ? { part: 'prompt', cost }
        : { part: 'prompt', cost, withoutCache: count * prices.uncached[medium] };
    }),
  );
}

function unitLines(units: Units, prices: UnitPrices): readonly ChargeLine[] {
  return CHARGED_UNITS.map((unit) => ({ part: UNITS[unit].part, cost: costOfUnit(unit, units, prices.units) }));
}

function answerLines(usage: TokenUsage, units: CountedUnits, { answer: prices }: UnitPrices): readonly ChargeLine[] {
  const {
    reasoning_tokens: thought,
    audio_tokens: spoken,
    image_tokens: drawn,
  } = usage.completion_tokens_details ?? {};
  const tokens = new Tokens(BigInt(usage.completion_tokens));
  const counts = [
    tokens.take(BigInt(thought ?? 0)) * prices.reasoning,
    tokens.take(BigInt(spoken ?? 0)) * prices.audio,
    tokens.take(BigInt(units.imageTokensInAnswer ?? drawn ?? 0)) * prices.image,
    tokens.left * prices.text,
  ];
  return counts.map((cost) => ({ part: 'completion', cost }));
}

/** Tokens that are taken in parts, never more than there are. */
class Tokens {
  constructor(private rest: bigint) {}

  get left(): bigint {
    return this.rest;
  }

  take(tokens: bigint): bigint {
    const taken = tokens < this.rest ? tokens : this.rest;
    this.rest -= taken;
    return taken;
  }
}
