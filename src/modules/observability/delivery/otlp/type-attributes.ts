import { amountOf } from '../additional-fields.js';
import { openAiAnswerOf } from '../chat-messages.js';
import { isoTimeOf } from '../event-times.js';
import {
  type EventContent,
  type GenerationEvent,
  kindOf,
  knownCounts,
  TOOL_OPERATION,
  totalTokensOf,
} from '../generation-event.js';
import { modelParametersOf } from '../model-parameters.js';
import type { DescribedGeneration } from '../adapters/otlp-type.js';
import { answerTextOf, promptTextOf, setOpenInference, setOpenInferenceKind } from './open-inference.js';
import { hasFailed, statusMessageOf } from '../generation-status.js';
import type { Attributes } from './attributes.js';
import { inputMessagesOf, outputMessagesOf } from './semantic-messages.js';
import { toolDefinitionsOf } from './tool-definitions.js';

/** The content by the names of the public interface's broadcasts. These have none for tools, so that they have that of the conventions. */
export function describePrompt({ content, attributes }: DescribedGeneration): void {
  if (content === null) return;
  attributes.set('gen_ai.prompt', promptTextOf(content)).set('gen_ai.completion', answerTextOf(content));
  describeTools(attributes, content);
}

/** The tools by the name of OpenTelemetry's conventions. */
export function describeTools(attributes: Attributes, content: EventContent): void {
  attributes.setJson('gen_ai.tool.definitions', toolDefinitionsOf(content.tools));
}

/** The content by the names of OpenTelemetry's conventions. */
export function describeMessages({ event, content, attributes }: DescribedGeneration): void {
  if (content === null) return;
  attributes
    .setJson('gen_ai.input.messages', inputMessagesOf(content))
    .setJson('gen_ai.output.messages', outputMessagesOf(content, event));
  describeTools(attributes, content);
}

/** For a collector, whatever reads it: both forms of the content, and the kind of OpenInference. */
export function describeForCollector(generation: DescribedGeneration): void {
  describePrompt(generation);
  describeMessages(generation);
  setOpenInferenceKind(generation.attributes, generation.event);
}

/** The types of Langfuse's observations. */
const LANGFUSE_TYPES = { llm: 'generation', embedding: 'embedding', tool: 'tool' } as const;

/** For Langfuse, which gets the parts of usage and costs apart, because it adds up whatever it finds. */
export function describeForLangfuse(generation: DescribedGeneration): void {
  const { event, trace, attributes, resource } = generation;
  const { cost, firstTokenMs } = event;
  describePrompt(generation);
  attributes
    .set('langfuse.trace.name', trace.traceName)
    .set('langfuse.trace.tags', trace.tags.length === 0 ? null : trace.tags)
    .set('langfuse.observation.type', LANGFUSE_TYPES[kindOf(event)])
    .set('langfuse.observation.level', hasFailed(event) ? 'ERROR' : 'DEFAULT')
    .set('langfuse.observation.status_message', statusMessageOf(event))
    .set('langfuse.observation.model.name', event.model.canonicalSlug)
    .setJson('langfuse.observation.model.parameters', modelParametersOf(event))
    .setJson('langfuse.observation.usage_details', usageDetailsOf(event))
    .setJson(
      'langfuse.observation.cost_details',
      knownCounts({ input: amountOf(cost.input), output: amountOf(cost.output), total: amountOf(cost.total) }),
    )
    .set(
      'langfuse.observation.completion_start_time',
      firstTokenMs === null ? null : isoTimeOf(event.startedAt + firstTokenMs),
    );
  for (const [name, value] of trace.others) attributes.setAny(`langfuse.trace.metadata.${name}`, value);
  // Langfuse reads both of the span in some versions, and of the resource in others.
  for (const place of [attributes, resource]) {
    place.set('langfuse.environment', trace.environment).set('langfuse.release', trace.release);
  }
}

/** For LangSmith, whose threads are the sessions. */
export function describeForLangsmith(generation: DescribedGeneration): void {
  const { event, trace, attributes } = generation;
  describePrompt(generation);
  attributes
    .set('langsmith.span.kind', kindOf(event))
    .set('langsmith.trace.name', trace.traceName)
    .set('langsmith.span.tags', trace.tags.length === 0 ? null : trace.tags.join(','));
  for (const [name, value] of trace.others) attributes.setAny(`langsmith.metadata.${name}`, value);
  // Its threads are found by this field.
  attributes.set('langsmith.metadata.session_id', event.sessionId);
}

/** For Braintrust, whose own attributes have the content and the metrics as JSON. */
export function describeForBraintrust({ event, trace, content, attributes }: DescribedGeneration): void {
  const { usage, cost, firstTokenMs } = event;
  attributes
    .setJson('braintrust.metadata', {
      ...Object.fromEntries(trace.others),
      ...modelParametersOf(event),
      model: event.model.canonicalSlug,
      ...(content?.tools !== undefined && { tools: content.tools }),
    })
    .setJson(
      'braintrust.metrics',
      knownCounts({
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        tokens: totalTokensOf(event),
        prompt_cached_tokens: usage.cachedTokens,
        prompt_cache_creation_tokens: usage.cacheWriteTokens,
        completion_reasoning_tokens: usage.reasoningTokens,
        time_to_first_token: firstTokenMs === null ? null : firstTokenMs / 1_000,
        estimated_cost: amountOf(cost.total),
      }),
    )
    .setJson('braintrust.span_attributes', { type: event.operation === TOOL_OPERATION ? 'tool' : 'llm' })
    .set('braintrust.tags', trace.tags.length === 0 ? null : trace.tags);
  if (content === null) return;
  attributes.setJson('braintrust.input_json', inputOf(content));
  attributes.setJson('braintrust.output_json', openAiAnswerOf(content));
  describeTools(attributes, content);
}

/** For Arize, which reads OpenInference and finds the model by the resource. */
export function describeForArize(generation: DescribedGeneration): void {
  const { event, trace, content, config, attributes, resource } = generation;
  setOpenInference(attributes, event, trace, content);
  if (content !== null) describeTools(attributes, content);
  const modelId = typeof config['modelId'] === 'string' ? config['modelId'] : undefined;
  resource.set('openinference.project.name', modelId).set('model_id', modelId);
}

/** For Opik, whose threads are the sessions. */
export function describeForOpik(generation: DescribedGeneration): void {
  describePrompt(generation);
  generation.attributes.set('thread_id', generation.event.sessionId);
}

/** For Weave, whose threads are the sessions, and which finds the project by the resource. */
export function describeForWeave(generation: DescribedGeneration): void {
  const { event, trace, config, attributes, resource } = generation;
  describePrompt(generation);
  setOpenInferenceKind(attributes, event);
  attributes
    .set('wandb.display_name', trace.generationName)
    .set('wandb.thread_id', event.sessionId)
    .set('wandb.is_turn', event.sessionId === null ? null : true)
    .setJson('wandb.attributes', Object.fromEntries(trace.others));
  for (const name of ['entity', 'project']) {
    const value = config[name];
    if (typeof value === 'string') resource.set(`wandb.${name}`, value);
  }
}

/** For Sentry, which reads the conventions' messages and has own names for costs. */
export function describeForSentry(generation: DescribedGeneration): void {
  const { event, attributes } = generation;
  describeMessages(generation);
  attributes
    .set('gen_ai.cost.input_tokens', amountOf(event.cost.input))
    .set('gen_ai.cost.output_tokens', amountOf(event.cost.output))
    .set('gen_ai.cost.total_tokens', amountOf(event.cost.total));
}

function usageDetailsOf(event: GenerationEvent): Record<string, number> {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = event.usage;
  return knownCounts({
    // Langfuse adds the parts up, so that none may contain another.
    input: less(promptTokens, cachedTokens),
    output: less(completionTokens, reasoningTokens),
    total: totalTokensOf(event),
    input_cached_tokens: cachedTokens,
    output_reasoning_tokens: reasoningTokens,
  });
}

function inputOf({ input }: EventContent): unknown {
  return 'prompt' in input ? input.prompt : input.messages;
}

function less(whole: number | null, part: number | null): number | null {
  return whole === null ? null : Math.max(0, whole - (part ?? 0));
}
