import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { RequestedModel } from '../context/requested-models.js';
import { compressedConversation } from './compressed-conversation.js';
import { asksFor, type PluginStage } from '../request/plugins.js';

/** The bytes of text that are expected to be a token, as where a provider reports nothing. */
const BYTES_PER_TOKEN = 4;

/** A request from which messages may have been left out. */
interface CompressedRequest {
  readonly body: ClientChatRequest;
  /** What was left out; undefined where nothing was. */
  readonly stage?: PluginStage;
}

/**
 * Leaves messages out of a chat that is too long for the model that is asked for first, where the request asks for it
 * (docs/interface/inference.md#plugins).
 */
export function compressedRequest(body: ClientChatRequest, [first]: readonly RequestedModel[]): CompressedRequest {
  if (first === undefined || !asksFor(body, 'context-compression')) return { body };
  const tokens = largestPrompt(body, first);
  if (tokens === undefined) return { body };
  const messages = compressedConversation(body.messages, Math.max(0, tokens) * BYTES_PER_TOKEN);
  const omitted = body.messages.length - messages.length;
  if (omitted === 0) return { body };
  const summary = `left out ${omitted} of ${body.messages.length} messages`;
  return { body: { ...body, messages }, stage: { id: 'context-compression', summary, data: { omitted } } };
}

/** The longest prompt that any endpoint of the model accepts beside an answer of max_tokens; undefined where the catalog has no endpoint. */
function largestPrompt(body: ClientChatRequest, { model }: RequestedModel): number | undefined {
  const answer = body.max_completion_tokens ?? body.max_tokens ?? 0;
  const prompts = model.endpoints.map(({ row }) =>
    Math.min(row.maxPromptTokens ?? Infinity, row.contextLength - answer),
  );
  return prompts.length === 0 ? undefined : Math.max(...prompts);
}
