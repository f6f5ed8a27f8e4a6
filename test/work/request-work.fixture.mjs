import 'reflect-metadata';
import { CODECS, RequestAdjustments, translatedRequest } from '../../dist/src/modules/codecs/index.js';

/**
 * Translates a chat for a model as far as its bytes.
 *
 * @param served as in served-models.ts
 * @param request in the gateway's form
 * @returns how long the body is that the provider gets, in characters
 */
export function translate({ model, provider, protocol = 'openai', capabilities = {} }, request) {
  const bodyBytes = JSON.stringify(request).length;
  const adjustments = new RequestAdjustments(bodyBytes);
  const candidate = {
    model: { row: { id: model, capabilities: null, topProvider: { max_completion_tokens: null } } },
    endpoint: { row: { capabilities: null, maxCompletionTokens: 128_000, contextLength: 1_000_000 } },
    connection: { provider, protocol, isWellKnown: true, capabilities },
  };
  const { dialect, request: translated } = translatedRequest(request, candidate, adjustments);
  return JSON.stringify(CODECS[dialect].encode(translated, false, adjustments).body).length;
}
