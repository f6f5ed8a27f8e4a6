import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest } from '../chat/chat-completion.js';
import { WELL_KNOWN_PROVIDERS } from '../../providers/connections/well-known-providers.js';
import { type RequestAdjustment, RequestAdjustments } from '../chat/request-adjustments.js';
import { CODECS, type UpstreamDialect } from '../upstream-codecs.js';
import { type ServedModel, type TranslatedRequest, translatedRequest } from './translated-request.js';

/** A model at a provider, as a test describes it. */
export interface Served {
  readonly model?: string;
  readonly provider?: string;
  readonly protocol?: UpstreamDialect;
  readonly capabilities?: ModelCapabilities;
  readonly maxCompletionTokens?: number | null;
  readonly contextLength?: number;
}

/** A model that nothing is known of, at a server of the operator's own. */
export const UNKNOWN: Served = { model: 'acme/writer', provider: 'acme' };
export const GPT: Served = { model: 'openai/gpt-5.5', provider: 'openai' };
/** A model that is asked at the operation for chats, whatever a request has. */
export const GPT_4: Served = { model: 'openai/gpt-4.1', provider: 'openai' };
export const CLAUDE: Served = { model: 'anthropic/claude-sonnet-4.6', provider: 'anthropic', protocol: 'anthropic' };

function candidateOf(served: Served): ServedModel {
  const { model = 'acme/writer', provider = 'acme', protocol = 'openai', capabilities = {} } = served;
  const { maxCompletionTokens = 128_000, contextLength = 1_000_000 } = served;
  return {
    model: {
      row: { id: model, capabilities: null, topProvider: { max_completion_tokens: null, is_moderated: false } },
    },
    endpoint: { row: { capabilities: null, maxCompletionTokens, contextLength } },
    connection: { provider, protocol, isWellKnown: WELL_KNOWN_PROVIDERS.has(provider), capabilities },
  };
}

/** What a request becomes, and what was left out or changed. */
interface Translation extends TranslatedRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly adjustments: readonly RequestAdjustment[];
}

/** Translates a request for a model. @param fields of the request, besides a question */
export function translated(served: Served, fields: object): Translation {
  const adjustments = new RequestAdjustments();
  const request = { model: 'up', messages: [{ role: 'user', content: 'Hi' }], ...fields } as ChatRequest;
  const result = translatedRequest(request, candidateOf(served), adjustments);
  const { chat } = CODECS[result.dialect as UpstreamDialect].operations;
  const { body } = chat.encode(result.request, false, adjustments)[0]!;
  return { ...result, body: JSON.parse(JSON.stringify(body)) as Translation['body'], adjustments: adjustments.list };
}

/** The body that a provider gets. */
export function sentTo(served: Served, fields: object): Readonly<Record<string, unknown>> {
  return translated(served, fields).body;
}

/** The adjustments as texts: where, and why. */
export function adjustmentsOf({ adjustments }: Translation): string[] {
  return adjustments.map(({ path, reason }) => `${path}: ${reason}`);
}
