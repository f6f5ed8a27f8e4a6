import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
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
 * A format that the provider knows. JSON, or a schema, that it does not take is said to the model, behind its other instructions: the
 * answer of a schema is JSON where it knows that format at least.
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
  const type = format?.['type'];
  const schema = type === 'json_schema' ? objectOf(objectOf(format?.['json_schema'])?.['schema']) : undefined;
  if (known === undefined) return { format, messages };
  if (type === 'json_object' && !known.includes('json_object')) {
    adjustments.changed('response_format', 'json_in_words');
    return { format: undefined, messages: withInstruction(messages, JSON_ALONE) };
  }
  if (schema === undefined || known.includes('json_schema')) return { format, messages };
  // A model that thinks cannot be made to call a tool.
  if (isTool === true && !isThinking) return { format, messages };
  adjustments.changed('response_format', 'schema_in_words');
  const content = `Answer with nothing but JSON that obeys this JSON schema:\n${JSON.stringify(schema)}`;
  return {
    format: known.includes('json_object') ? { type: 'json_object' } : undefined,
    messages: withInstruction(messages, content),
  };
}

/** What a model is told that writes JSON only if it is asked to: clients parse the whole answer. */
const JSON_ALONE = 'Answer with nothing but one JSON object, and without a code block around it.';

/** With an instruction behind those at the beginning. */
function withInstruction(messages: readonly ChatMessage[], content: string): readonly ChatMessage[] {
  const at = leadingInstructions(messages);
  return [...messages.slice(0, at), { role: 'system', content }, ...messages.slice(at)];
}
