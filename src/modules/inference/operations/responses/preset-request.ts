import type { ConfiguringRequest } from '../../../presets/preset-configuration.js';
import type { PresetResponsesRequest } from './dto/preset-responses-request.dto.js';
import { chatSettingsOfResponses, messagesOfInput } from '../../../codecs/openai-responses/request-decoder.js';

/**
 * Writes what a preset keeps of a request of the Responses interface as a chat completion: its settings, and as messages its
 * instructions and the system and developer messages of its input (docs/interface/presets.md#creating-a-version).
 *
 * @param request as its class allows it
 */
export function configuringRequestOf(request: PresetResponsesRequest): ConfiguringRequest {
  const { instructions, input } = request;
  const given = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  return { ...chatSettingsOfResponses(request), messages: [...given, ...messagesOfInput(input ?? [])] };
}
