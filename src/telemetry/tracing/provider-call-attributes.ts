import type { Attributes } from '@opentelemetry/api';
import { ATTR_ERROR_TYPE, ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions';
import type { ProviderCall, ProviderCallEnd } from '../provider-call.js';

// OpenTelemetry's conventions for generative AI are in development, so their names stand here and not in its stable package:
// https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/. None of its attributes for content is used.

/** The name of the span of a call: the operation and the model of the catalog, of which there are few. */
export function providerCallSpanName({ operation, model }: ProviderCall): string {
  return `${operation} ${model}`;
}

/** The attributes of a call when it is made. */
export function providerCallAttributes(call: ProviderCall): Attributes {
  return {
    'gen_ai.operation.name': call.operation,
    'gen_ai.provider.name': call.provider,
    'gen_ai.request.model': call.upstreamModel,
    'gen_ai.request.stream': call.isStreamed,
    'gatehouse.model': call.model,
    'gatehouse.endpoint': call.endpoint,
    'gatehouse.generation_id': call.generationId,
  };
}

/** The attributes of a call when it has ended. Nothing is said of what is not known. */
export function providerCallEndAttributes(end: ProviderCallEnd): Attributes {
  return known({
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: end.status,
    [ATTR_ERROR_TYPE]: end.outcome === 'answered' ? null : errorTypeOf(end),
    'gen_ai.response.id': end.responseId,
    'gen_ai.response.finish_reasons': end.finishReasons.length === 0 ? null : [...end.finishReasons],
    'gen_ai.response.time_to_first_chunk': end.firstTokenSeconds,
    'gen_ai.usage.input_tokens': end.inputTokens,
    'gen_ai.usage.output_tokens': end.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': end.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': end.reasoningTokens,
  });
}

/** A status of failure, as in the conventions for HTTP, else our own word. */
function errorTypeOf({ status, outcome }: ProviderCallEnd): string {
  return status !== null && status >= 400 ? String(status) : outcome;
}

function known(attributes: Readonly<Record<string, Attributes[string] | null>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Attributes;
}
