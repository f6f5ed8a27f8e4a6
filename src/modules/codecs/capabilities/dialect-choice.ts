import type { ProviderProtocolName } from '../../../config/provider-variables.js';
import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest, FunctionTool } from '../chat/chat-completion.js';
import { isKeptFromThinking } from './reasoning.js';

/**
 * The dialect in which a provider is asked: that of its connection, or the Responses interface at the same address for a model that
 * is served there alone, or thinks beside tools there alone (docs/interface/capabilities.md#operations).
 *
 * @param protocol of the connection
 * @param capabilities of the model at the provider
 */
export function dialectFor(
  request: ChatRequest,
  protocol: ProviderProtocolName,
  capabilities: ModelCapabilities,
): ProviderProtocolName {
  const { operations, reasoning_with_tools: thinking } = capabilities;
  if (protocol !== 'openai' || operations?.includes('responses') !== true) return protocol;
  if (!operations.includes('chat')) return 'openai-responses';
  const demands = thinking?.includes('responses') === true && isKeptFromThinking(request, capabilities, 'chat');
  // A model that does not think is better than one without its tools.
  return demands && (request.tools ?? []).every(isFunction) ? 'openai-responses' : protocol;
}

/** Whether a tool has a form in the Responses interface (docs/interface/providers.md#openai-responses). */
function isFunction({ type, function: described }: FunctionTool): boolean {
  return type === 'function' && described !== undefined;
}
