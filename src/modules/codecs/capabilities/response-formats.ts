import type { ModelCapabilities } from '../../catalog/index.js';
import { type ChatMessage, type ChatRequest, leadingInstructions } from '../chat/chat-completion.js';
import { objectOf } from '../chat/json-values.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** What is left of the formats where none can be asked for. */
const WITHOUT_JSON: NonNullable<ModelCapabilities['response_formats']> = ['text'];

/** What is known of a model that takes no format beside tools, where there are some. */
export function withFormatsBesideTools(capabilities: ModelCapabilities, hasTools: boolean): ModelCapabilities {
  return hasTools && capabilities.formats_with_tools === false
    ? { ...capabilities, response_formats: WITHOUT_JSON }
    : capabilities;
}

/** How an answer is to be written, and the messages that say what the format cannot. */
interface FormattedRequest {
  readonly format: ChatRequest['response_format'];
  readonly messages: readonly ChatMessage[];
}

/**
 * A format that the provider knows. A schema that it does not take is said to the model, behind its other instructions: the answer is JSON
 * where it knows that format at least.
 *
 * @param isThinking whether the model thinks before it answers
 */
export function possibleFormat(
  format: ChatRequest['response_format'],
  messages: readonly ChatMessage[],
  { response_formats: known, schema_as_tool: isTool }: ModelCapabilities,
  isThinking: boolean,
  adjustments: RequestAdjustments,
): FormattedRequest {
  const schema = format?.['type'] === 'json_schema' ? objectOf(objectOf(format['json_schema'])?.['schema']) : undefined;
  if (known === WITHOUT_JSON && format?.['type'] === 'json_object') {
    adjustments.leftOut('response_format', 'refused_with_tools');
    return { format: undefined, messages };
  }
  if (known === undefined || schema === undefined || known.includes('json_schema')) return { format, messages };
  // A model that thinks cannot be made to call a tool.
  if (isTool === true && !isThinking) return { format, messages };
  adjustments.changed('response_format', 'schema_in_words');
  const at = leadingInstructions(messages);
  const content = `Answer with nothing but JSON that obeys this JSON schema:\n${JSON.stringify(schema)}`;
  return {
    format: known.includes('json_object') ? { type: 'json_object' } : undefined,
    messages: [...messages.slice(0, at), { role: 'system', content }, ...messages.slice(at)],
  };
}
