import { DomainError } from '../../../http/errors/domain-error.js';
import { errorMessageOf } from '../../../http/errors/error-envelope.js';
import { pathOf } from '../../../http/request.js';
import { isObject } from '../../../http/validation/constraints.js';
import { boundedText } from '../../generations/content/generation-content.js';
import type { NewGeneration } from '../../generations/generations.service.js';
import { shownFiltersOf } from '../../generations/shown-filters.js';
import { type GenerationEvent, TOOL_OPERATION } from '../../observability/delivery/generation-event.js';
import type { CallOutcome } from './call-outcome.js';
import type { McpCall } from './mcp-call.js';

/** Where messages of the protocol say which trace they belong to (revision 2026-07-28; W3C Trace Context, 3.2). */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/**
 * A call of a tool for destinations (docs/interface/destinations.md#what-is-sent): one that a server was asked for.
 *
 * @param record of the same call
 * @returns undefined for what no destination gets
 */
export function callEventOf(
  { caller, context, http, message, model, startedAt }: McpCall,
  { attempt, input, output }: CallOutcome,
  record: NewGeneration,
  error: unknown,
): GenerationEvent | undefined {
  const { details } = record;
  const { tool: name, server, protocolVersion, isError = false } = details.mcp!;
  if (name === undefined || attempt === undefined || record.workspaceId === null) return undefined;
  const endedAt = Date.now();
  const begunAt = endedAt - (performance.now() - startedAt);
  const refusal = error instanceof DomainError ? error : undefined;
  return {
    id: record.id,
    organizationId: record.organizationId,
    workspaceId: record.workspaceId,
    requestId: details.requestId,
    operation: TOOL_OPERATION,
    apiPath: pathOf(http),
    startedAt: begunAt,
    endedAt,
    firstTokenMs: null,
    model: { requested: model, id: model, canonicalSlug: model, author: '' },
    tool: { method: message.method, server, tool: name, protocolVersion, isError },
    provider: { name: attempt.providerName, slug: attempt.provider },
    attempts: [
      {
        providerName: attempt.providerName,
        providerSlug: attempt.provider,
        model,
        endpoint: attempt.endpoint,
        status: attempt.status,
        isByok: false,
        startedAt: begunAt + (attempt.startedMs ?? 0),
        latencyMs: attempt.latencyMs,
      },
    ],
    status: record.status,
    error:
      error === undefined || details.cancelled
        ? null
        : {
            status: record.status,
            type: refusal?.reason ?? 'internal_error',
            message: refusal?.shownMessage ?? errorMessageOf(record.status),
          },
    isCancelled: details.cancelled,
    isStreamed: false,
    isByok: false,
    finishReason: null,
    nativeFinishReason: null,
    usage: {
      promptTokens: null,
      completionTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
      imagesInPrompt: null,
      recordingsInPrompt: null,
      imagesInAnswer: null,
    },
    cost: {
      total: record.costUsd,
      input: null,
      output: null,
      upstream: null,
      cacheDiscount: null,
      inputUnitPrice: null,
      outputUnitPrice: null,
    },
    key: { id: caller.credentialId, hash: context.keyHash, name: context.keyName },
    creatorUserId: record.userId,
    externalUser: details.externalUser ?? null,
    sessionId: details.sessionId ?? null,
    ...(details.labels !== undefined && { labels: details.labels }),
    trace: traceIn(message.params),
    metadata: {},
    parameters: {},
    app: { title: null, referer: null },
    userAgent: details.userAgent ?? null,
    presetId: null,
    serviceTier: null,
    dataRegion: details.dataRegion,
    ...(details.observed !== undefined && { observed: details.observed }),
    filters: shownFiltersOf(details),
    content:
      input === undefined
        ? null
        : {
            input: { prompt: boundedText(input) },
            output: {
              completion: output === undefined ? null : boundedText(output),
              reasoning: null,
              toolCalls: [],
            },
          },
  };
}

/** The id of the trace of the client; null where it names none. */
export function traceIdOf({ trace }: GenerationEvent): string | null {
  return (trace['trace_id'] as string | undefined) ?? null;
}

function traceIn({ _meta: meta }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const parent = isObject(meta) ? meta['traceparent'] : undefined;
  const [, traceId, spanId] = (typeof parent === 'string' && TRACEPARENT.exec(parent)) || [];
  return traceId === undefined ? {} : { trace_id: traceId, parent_span_id: spanId };
}
