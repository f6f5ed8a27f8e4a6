import { genAiProviderNameOf } from '../../../../telemetry/gen-ai-provider-name.js';
import { isObject } from '../../../../http/validation/constraints.js';
import { additionalFieldsOf, amountOf } from '../additional-fields.js';
import {
  type EventToolRequest,
  type GenerationEvent,
  type OutgoingGeneration,
  totalTokensOf,
} from '../generation-event.js';
import { errorTypeOf, hasFailed, statusMessageOf } from '../generation-status.js';
import { modelParametersOf } from '../model-parameters.js';
import type { TraceFields } from '../trace-fields.js';
import { Attributes } from './attributes.js';

/** What stands before the attributes of a trace's own fields. */
const METADATA = 'trace.metadata.';

/** What stands before those that only Gatehouse has. */
const OWN_METADATA = `${METADATA}gatehouse.`;

/**
 * The attributes of a generation's own span that all types get (docs/interface/destination-types.md#attributes): those of OpenTelemetry's
 * conventions for generative AI v1.41, the names of the public interface's broadcasts where these have none, and own ones. Nothing of
 * the content is among them.
 *
 * @param hasCosts whether costs are among them, for types that would add them to the tokens
 */
export function generationAttributesOf(
  generation: OutgoingGeneration,
  trace: TraceFields,
  hasCosts: boolean,
): Attributes {
  const { event } = generation;
  const attributes = new Attributes();
  // First, so that no field of a request replaces what is said about it.
  for (const [name, value] of trace.others) attributes.setAny(`${METADATA}${name}`, value);
  setIdentity(attributes, event, trace);
  if (event.tool === undefined) setModel(attributes, event);
  else setTool(attributes, event, event.tool);
  setUsage(attributes, event);
  if (hasCosts) setCosts(attributes, event);
  setParameters(attributes, event);
  setOwnMetadata(attributes, event);
  for (const [name, value] of additionalFieldsOf(generation)) attributes.set(`${OWN_METADATA}${name}`, value);
  return attributes;
}

/** Says that content was left out because the receiver would not take so much. */
export function setContentDropped(attributes: Attributes, extent: 'in part' | 'as a whole'): void {
  attributes.set(`${OWN_METADATA}content_dropped`, extent);
}

function setIdentity(attributes: Attributes, event: GenerationEvent, trace: TraceFields): void {
  attributes
    .set('trace.name', trace.traceName ?? 'Gatehouse Request')
    .set('session.id', event.sessionId)
    .set('gen_ai.conversation.id', event.sessionId)
    .set('user.id', event.externalUser)
    .set('span.type', event.tool === undefined ? 'generation' : 'tool')
    .set('span.level', hasFailed(event) ? 'ERROR' : 'DEFAULT')
    .set('span.status_message', statusMessageOf(event));
}

/** What OpenTelemetry's conventions for MCP say of a call of a tool. */
function setTool(attributes: Attributes, event: GenerationEvent, tool: EventToolRequest): void {
  attributes
    .set('gen_ai.operation.name', event.operation)
    .set('gen_ai.tool.name', tool.tool)
    .set('mcp.method.name', tool.method)
    .set('mcp.protocol.version', tool.protocolVersion)
    .set('network.protocol.name', 'http')
    .set('network.transport', 'tcp')
    .set('error.type', errorTypeOf(event) ?? (tool.isError ? 'tool_error' : undefined));
}

function setModel(attributes: Attributes, event: GenerationEvent): void {
  const { model, finishReason, finishReasons = finishReason === null ? [] : [finishReason], firstTokenMs } = event;
  attributes
    .set('gen_ai.operation.name', event.operation)
    .set('gen_ai.system', model.author)
    .set('gen_ai.provider.name', genAiProviderNameOf(event.provider.slug))
    .set('gen_ai.request.model', model.requested)
    .set('gen_ai.response.model', model.canonicalSlug)
    .set('gen_ai.response.id', event.id)
    .set('gen_ai.response.finish_reasons', finishReasons.length === 0 ? null : finishReasons)
    .set('gen_ai.response.finish_reason', finishReason)
    .set('gen_ai.response.time_to_first_chunk', firstTokenMs === null ? null : firstTokenMs / 1_000)
    .set('gen_ai.output.type', outputTypeOf(event))
    .set('error.type', errorTypeOf(event));
}

/** The words of the conventions for what was asked for. Of the format of an answer only this is said: it is no content. */
function outputTypeOf({ operation, parameters }: GenerationEvent): string | null {
  if (operation === 'image') return 'image';
  if (operation === 'speech') return 'speech';
  const format = isObject(parameters) ? parameters['response_format'] : undefined;
  const type = isObject(format) ? format['type'] : undefined;
  if (type === 'json_object' || type === 'json_schema') return 'json';
  return type === 'text' ? 'text' : null;
}

function setUsage(attributes: Attributes, event: GenerationEvent): void {
  const { usage } = event;
  attributes
    .set('gen_ai.usage.input_tokens', usage.promptTokens)
    .set('gen_ai.usage.output_tokens', usage.completionTokens)
    .set('gen_ai.usage.total_tokens', totalTokensOf(event))
    .set('gen_ai.usage.cache_read.input_tokens', usage.cachedTokens)
    .set('gen_ai.usage.cache_write.input_tokens', usage.cacheWriteTokens)
    // Its name up to v1.41 of the conventions.
    .set('gen_ai.usage.cache_creation.input_tokens', usage.cacheWriteTokens)
    .set('gen_ai.usage.reasoning.output_tokens', usage.reasoningTokens);
}

function setCosts(attributes: Attributes, { cost }: GenerationEvent): void {
  attributes
    .set('gen_ai.usage.input_cost', amountOf(cost.input))
    .set('gen_ai.usage.output_cost', amountOf(cost.output))
    .set('gen_ai.usage.total_cost', amountOf(cost.total));
}

/** Parameters whose name in the conventions is that of the OpenAI interface. */
const SAME_NAMES = ['temperature', 'top_p', 'top_k', 'frequency_penalty', 'presence_penalty', 'seed'];

function setParameters(attributes: Attributes, event: GenerationEvent): void {
  const parameters = modelParametersOf(event);
  const set = (name: string, value: unknown): void => {
    if (typeof value === 'number') attributes.set(`gen_ai.request.${name}`, value);
  };
  for (const name of SAME_NAMES) set(name, parameters[name]);
  set('max_tokens', parameters['max_completion_tokens'] ?? parameters['max_tokens']);
  set('choice.count', parameters['n']);
  attributes.set('gen_ai.request.stream', event.isStreamed);
  attributes.set('gen_ai.request.stop_sequences', textsOf(parameters['stop']));
  attributes.set('gen_ai.request.encoding_formats', textsOf(parameters['encoding_format']));
}

function textsOf(value: unknown): string[] | null {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  return texts.length === 0 ? null : texts;
}

function setOwnMetadata(attributes: Attributes, event: GenerationEvent): void {
  const own: Parameters<Attributes['setAll']>[0] = {
    entity_id: event.organizationId,
    creator_user_id: event.creatorUserId,
    api_key_name: event.key.name,
    provider_name: event.provider.name,
    provider_slug: event.provider.slug,
    finish_reason: event.nativeFinishReason,
    first_token_ms: event.firstTokenMs,
    provider_time_to_first_token_ms: event.firstTokenMs === null ? null : event.attempts.at(-1)?.latencyMs,
    input_unit_price: amountOf(event.cost.inputUnitPrice),
    output_unit_price: amountOf(event.cost.outputUnitPrice),
    is_test: event.isTest,
  };
  for (const [name, value] of Object.entries(own)) attributes.set(`${OWN_METADATA}${name}`, value);
  attributes.setJson(`${METADATA}provider_responses`, event.attempts.map(attemptSummary));
}

function attemptSummary(attempt: GenerationEvent['attempts'][number]): Readonly<Record<string, unknown>> {
  return {
    provider_name: attempt.providerName,
    status: attempt.status,
    latency: attempt.latencyMs,
    is_byok: attempt.isByok,
    endpoint_id: attempt.endpoint,
    model_permaslug: attempt.model,
  };
}
