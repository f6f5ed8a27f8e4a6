import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import { genAiProviderNameOf } from '../gen-ai-provider-name.js';
import type { ProviderCall, ProviderCallEnd } from '../provider-call.js';
import type { TracedRequest } from './tracing.js';
import type { Response } from 'express';
import { maskPath, maskSecrets } from '../logging/secret-mask.js';

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The attributes of a request when it arrives, by OpenTelemetry's semantic conventions for HTTP. */
export function requestAttributes(request: TracedRequest): Attributes {
  return {
    [ATTR_HTTP_REQUEST_METHOD]: request.method,
    [ATTR_URL_SCHEME]: request.protocol,
    // Callers choose the path, and sometimes put a key into it. The query is left out.
    [ATTR_URL_PATH]: maskPath(request.baseUrl + request.path),
    [ATTR_NETWORK_PROTOCOL_VERSION]: request.httpVersion,
    'gatehouse.request_id': maskSecrets(request.requestId),
  };
}

/** The attributes of a request when it is finished. */
export function answerAttributes(request: TracedRequest, response: Response): Attributes {
  return {
    ...(request.operation !== undefined && { 'gatehouse.operation': request.operation }),
    ...(request.operation !== undefined && { [ATTR_HTTP_ROUTE]: routeOf(request) }),
    ...(response.headersSent
      ? { [ATTR_HTTP_RESPONSE_STATUS_CODE]: response.statusCode }
      : // The client has disconnected before the answer.
        { [ATTR_ERROR_TYPE]: 'client_closed_request' }),
    ...(response.headersSent && response.statusCode >= 500 && { [ATTR_ERROR_TYPE]: String(response.statusCode) }),
  };
}

/** The name of a request's span. It never contains a path that a caller chose, so that there are few names. */
export function spanNameOf(request: TracedRequest): string {
  return request.operation === undefined ? request.method : `${request.method} ${routeOf(request)}`;
}

/** The declared path of the operation, such as /api/v1/keys/:hash. */
function routeOf(request: TracedRequest): string {
  return (request.route as { path: string }).path;
}

/** The attributes of a statement, by OpenTelemetry's semantic conventions for databases: its name, never its values. */
export function statementAttributes(name: string): Attributes {
  return { [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL, [ATTR_DB_QUERY_SUMMARY]: name };
}

/**
 * The attributes of a failed statement: PostgreSQL's code or the type of the error, but not its message, which may contain
 * values.
 */
export function failureAttributes(error: unknown): Attributes {
  if (!(error instanceof Error)) return { [ATTR_ERROR_TYPE]: 'unknown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { [ATTR_ERROR_TYPE]: code, ...(SQLSTATE.test(code) && { [ATTR_DB_RESPONSE_STATUS_CODE]: code }) };
}

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
    'gen_ai.provider.name': genAiProviderNameOf(call.provider),
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
