import type { ProviderProtocolName } from '../../config/provider-variables.js';
import { ANTHROPIC_MESSAGES } from './anthropic-messages/codec.js';
import { CONVERSE } from './converse/codec.js';
import { GEMINI, GEMINI_ON_VERTEX } from './gemini/codec.js';
import { OPENAI_CHAT } from './openai-chat/codec.js';
import { OPENAI_RESPONSES } from './openai-responses/codec.js';
import type { UpstreamCodec } from './upstream-codec.js';

/** A dialect that providers speak over HTTP. */
export type UpstreamDialect = Exclude<ProviderProtocolName, 'echo'>;

export const CODECS: Readonly<Record<UpstreamDialect, UpstreamCodec>> = {
  openai: OPENAI_CHAT,
  'openai-responses': OPENAI_RESPONSES,
  anthropic: ANTHROPIC_MESSAGES,
  converse: CONVERSE,
  gemini: GEMINI,
};

/** The clouds that serve Claude take no addresses of media (docs/interface/providers.md#media-at-addresses). */
const MESSAGES_WITHOUT_ADDRESSES: UpstreamCodec = {
  ...ANTHROPIC_MESSAGES,
  operations: { chat: { ...ANTHROPIC_MESSAGES.operations.chat, embedsMedia: true } },
};

/** The codecs of dialects that differ at the addresses of a cloud, by the form of these. */
const CODECS_AT: Readonly<Record<string, Partial<Record<UpstreamDialect, UpstreamCodec>>>> = {
  vertex: { gemini: GEMINI_ON_VERTEX, anthropic: MESSAGES_WITHOUT_ADDRESSES },
  'bedrock-invoke': { anthropic: MESSAGES_WITHOUT_ADDRESSES },
};

/**
 * The codec of a dialect.
 *
 * @param form of the addresses where the provider is; undefined for those that have none of their own
 */
export function codecAt(dialect: UpstreamDialect, form: string | undefined): UpstreamCodec {
  return (form === undefined ? undefined : CODECS_AT[form]?.[dialect]) ?? CODECS[dialect];
}
