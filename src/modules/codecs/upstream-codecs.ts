import type { ProviderProtocolName } from '../../config/provider-variables.js';
import { ANTHROPIC_MESSAGES } from './anthropic-messages/codec.js';
import { CONVERSE } from './converse/codec.js';
import { OPENAI_CHAT } from './openai-chat/codec.js';
import { OPENAI_RESPONSES } from './openai-responses/codec.js';
import type { UpstreamCodec } from './upstream-codec.js';

/** A dialect that providers speak over HTTP. */
export type UpstreamDialect = Exclude<ProviderProtocolName, 'echo'>;

/** The codecs of all dialects. */
export const CODECS: Readonly<Record<UpstreamDialect, UpstreamCodec>> = {
  openai: OPENAI_CHAT,
  'openai-responses': OPENAI_RESPONSES,
  anthropic: ANTHROPIC_MESSAGES,
  converse: CONVERSE,
} as Readonly<Record<UpstreamDialect, UpstreamCodec>>;
