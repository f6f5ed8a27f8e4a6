import type { AnswerUsage } from '../../answer/usage.js';
import { type CacheWrites, cacheWritesOf } from '../../../providers/cache-writes.js';
import type { TokenUsage } from '../../../providers/chat-completion.js';
import { wordOf } from '../../../providers/json-values.js';
import { messagesFieldsOf } from '../../../providers/messages-fields.js';

/** Tokens as the Messages form counts them: those of the prompt are without what was cached or written to the cache. */
export interface MessageUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** The tokens written to the cache by how long it keeps them, which providers of other forms do not report. */
  readonly cache_creation: CacheWrites | null;
  readonly output_tokens_details: { readonly thinking_tokens: number } | null;
  readonly server_tool_use: null;
  readonly inference_geo: string | null;
  readonly service_tier: string | null;
  readonly speed: string | null;
}

/** What was used, and what it cost. */
export interface ChargedMessageUsage extends MessageUsage, Pick<AnswerUsage, 'cost' | 'cost_details' | 'is_byok'> {}

/** The words of the form for tiers of service: others, such as `flex`, have none in it. */
const TIERS: ReadonlyMap<string | null, string> = new Map([
  ['default', 'standard'],
  ['standard', 'standard'],
  ['priority', 'priority'],
  ['batch', 'batch'],
]);

const SPEEDS: ReadonlySet<string> = new Set(['standard', 'fast']);

/** The tokens of an answer. @param usage null where nothing is known yet */
export function messageUsage(usage: TokenUsage | null, serviceTier: string | null): MessageUsage {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const written = usage?.prompt_tokens_details?.cache_write_tokens ?? 0;
  const thought = usage?.completion_tokens_details?.reasoning_tokens;
  const said = messagesFieldsOf(usage);
  const speed = wordOf(said['speed']);
  return {
    input_tokens: Math.max((usage?.prompt_tokens ?? 0) - cached - written, 0),
    output_tokens: usage?.completion_tokens ?? 0,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    cache_creation: cacheWritesOf(usage) ?? null,
    output_tokens_details: typeof thought === 'number' ? { thinking_tokens: thought } : null,
    server_tool_use: null,
    inference_geo: wordOf(said['inference_geo']) ?? null,
    service_tier: TIERS.get(serviceTier) ?? null,
    speed: speed !== undefined && SPEEDS.has(speed) ? speed : null,
  };
}

/** The tokens of an answer that has been charged, and what it cost. */
export function chargedMessageUsage(usage: AnswerUsage, serviceTier: string | null): ChargedMessageUsage {
  const { cost, cost_details, is_byok } = usage;
  return { ...messageUsage(usage, serviceTier), cost, cost_details, is_byok };
}
