import type { TokenUsage } from './chat-completion.js';
import { messagesFieldsOf } from './messages-fields.js';

/** Tokens that were written to a provider's cache, by how long it keeps them, as the Messages form says it. */
export interface CacheWrites {
  readonly ephemeral_5m_input_tokens: number;
  readonly ephemeral_1h_input_tokens: number;
}

/** The tokens written to a cache by how long it keeps them; undefined where the provider does not say. */
export function cacheWritesOf(usage: TokenUsage | null): CacheWrites | undefined {
  return messagesFieldsOf(usage)['cache_creation'] as CacheWrites | undefined;
}
