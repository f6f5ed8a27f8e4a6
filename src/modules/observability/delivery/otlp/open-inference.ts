import { answerOf, type ChatMessage, conversationOf } from '../chat-messages.js';
import { type EventContent, type GenerationEvent, totalTokensOf } from '../generation-event.js';
import { modelParametersOf } from '../model-parameters.js';
import { amountOf } from '../additional-fields.js';
import type { TraceFields } from '../trace-fields.js';
import type { Attributes } from './attributes.js';
import { jsonText } from '../json-text.js';

/** `gen_ai.prompt`: the messages or the prompt, as JSON. */
export function promptTextOf({ input }: EventContent): string | undefined {
  return jsonText(input);
}

/** `gen_ai.completion`: text, reasoning and tool calls of the answer, as JSON. */
export function answerTextOf({ output }: EventContent): string | undefined {
  return jsonText({ completion: output.completion, reasoning: output.reasoning, toolCalls: output.toolCalls });
}

/** The kinds of spans of what is no chat. */
const SPAN_KINDS: Readonly<Partial<Record<GenerationEvent['operation'], string>>> = {
  embeddings: 'EMBEDDING',
  rerank: 'RERANKER',
  execute_tool: 'TOOL',
};

/** What kind of span it is: without this, receivers of OpenInference show nothing. */
export function setOpenInferenceKind(attributes: Attributes, event: GenerationEvent): void {
  attributes.set('openinference.span.kind', SPAN_KINDS[event.operation] ?? 'LLM');
}

/**
 * Adds the attributes of OpenInference's conventions for calls of models.
 *
 * @param content null where the destination gets none
 */
export function setOpenInference(
  attributes: Attributes,
  event: GenerationEvent,
  trace: TraceFields,
  content: EventContent | null,
): void {
  const { model, usage, cost } = event;
  setOpenInferenceKind(attributes, event);
  if (event.tool === undefined) {
    attributes
      .set(event.operation === 'embeddings' ? 'embedding.model_name' : 'llm.model_name', model.canonicalSlug)
      .set('llm.system', model.author)
      .set('llm.provider', event.provider.slug);
  } else {
    attributes.set('tool.name', event.tool.tool);
  }
  attributes
    .setJson('llm.invocation_parameters', modelParametersOf(event))
    .set('llm.finish_reason', event.finishReason)
    .set('llm.token_count.prompt', usage.promptTokens)
    .set('llm.token_count.completion', usage.completionTokens)
    .set('llm.token_count.total', totalTokensOf(event))
    .set('llm.token_count.prompt_details.cache_read', usage.cachedTokens)
    .set('llm.token_count.prompt_details.cache_write', usage.cacheWriteTokens)
    .set('llm.token_count.completion_details.reasoning', usage.reasoningTokens)
    .set('llm.cost.prompt', amountOf(cost.input))
    .set('llm.cost.completion', amountOf(cost.output))
    .set('llm.cost.total', amountOf(cost.total))
    .setJson('metadata', Object.fromEntries(trace.others))
    .set('tag.tags', trace.tags.length === 0 ? null : trace.tags);
  if (content !== null) setContent(attributes, content);
}

function setContent(attributes: Attributes, content: EventContent): void {
  attributes.set('input.value', promptTextOf(content)).set('input.mime_type', 'application/json');
  attributes.set('output.value', answerTextOf(content)).set('output.mime_type', 'application/json');
  conversationOf(content).forEach((message, index) =>
    setMessage(attributes, `llm.input_messages.${index}.message`, message),
  );
  const answer = answerOf(content);
  if (answer !== null) setMessage(attributes, 'llm.output_messages.0.message', answer);
  content.tools?.forEach((tool, index) => attributes.set(`llm.tools.${index}.tool.json_schema`, jsonText(tool)));
}

function setMessage(attributes: Attributes, key: string, message: ChatMessage): void {
  attributes
    .set(`${key}.role`, message.role)
    .set(`${key}.content`, message.text)
    .set(`${key}.name`, message.name)
    .set(`${key}.tool_call_id`, message.toolCallId);
  message.toolCalls.forEach((call, index) => {
    const callKey = `${key}.tool_calls.${index}.tool_call`;
    attributes
      .set(`${callKey}.id`, call.id)
      .set(`${callKey}.function.name`, call.name)
      .set(`${callKey}.function.arguments`, call.arguments);
  });
}
