import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest, Reasoning } from '../chat/chat-completion.js';
import { objectOf } from '../chat/json-values.js';

/** Whether a request turns thinking off in a field that only some providers of the usual form have. */
export function isTurnedOff(request: Pick<ChatRequest, string>): boolean {
  return objectOf(request['thinking'])?.['type'] === 'disabled' || request['enable_thinking'] === false;
}

/**
 * The fields that ask for thinking: `reasoning`, or those with which some providers of the usual form turn it on and off instead. What the
 * client itself has said in such a field stands.
 */
export function reasoningFields(
  reasoning: Reasoning | undefined,
  { thinking_switch: field, reasoning: forms }: ModelCapabilities,
): Readonly<Record<string, unknown>> {
  if (reasoning === undefined) return {};
  const { effort } = reasoning;
  const isAlone = forms !== undefined && !forms.includes('effort');
  if (field === undefined || effort == null || (effort !== 'none' && !isAlone)) return { reasoning };
  const isOn = effort !== 'none';
  return field === 'thinking' ? { thinking: { type: isOn ? 'enabled' : 'disabled' } } : { enable_thinking: isOn };
}
