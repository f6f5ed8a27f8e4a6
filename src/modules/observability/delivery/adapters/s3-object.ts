import { amountOf } from '../additional-fields.js';
import type { DestinationConfig } from '../../config-mask.js';
import { openAiAnswerOf } from '../chat-messages.js';
import { settingOf } from '../configured-settings.js';
import { isoTimeOf } from '../event-times.js';
import { isShortened, type Shortening } from '../fitting-body.js';
import {
  type GenerationEvent,
  knownCounts,
  type OutgoingGeneration,
  totalTokensOf,
  kindOf,
} from '../generation-event.js';
import { metadataOf } from '../generation-metadata.js';
import { hasFailed, statusMessageOf } from '../generation-status.js';
import { modelParametersOf } from '../model-parameters.js';
import { spanIdsOf } from '../otlp/span-ids.js';
import { shownContentOf } from '../shown-content.js';
import { traceFieldsOf } from '../trace-fields.js';

/** The longest key of an object is 1,024 bytes; a part of it that a caller has named is shorter. */
const MAXIMUM_NAME_LENGTH = 128;

/** The types of observations. */
const OBSERVATION_TYPES = { llm: 'GENERATION', embedding: 'EMBEDDING', tool: 'TOOL' } as const;

/**
 * The key of a generation's object: the template of the configuration, filled in with the generation's own time, so that a repeated PUT
 * writes the same object (docs/interface/destination-types.md#s3).
 *
 * @returns segments in percent encoding, without a first slash
 */
export function objectKeyOf(event: GenerationEvent, config: DestinationConfig): string {
  const time = isoTimeOf(event.startedAt);
  const [date = '', year = '', month = '', day = ''] = /^(\d+)-(\d+)-(\d+)/.exec(time) ?? [];
  const values: Readonly<Record<string, string>> = {
    prefix: settingOf(config, 'prefix'),
    date,
    year,
    month,
    day,
    apiKeyName: event.key.name.replace(/[/\\]/g, '_').slice(0, MAXIMUM_NAME_LENGTH),
  };
  const folder = settingOf(config, 'pathTemplate').replace(/\{(\w+)\}/g, (variable, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : variable,
  );
  const file = `${event.id}-${Math.floor(Date.parse(time) / 1_000)}.json`;
  return [...folder.split('/'), file].filter(isSegment).map(encodedSegment).join('/');
}

/** Dots alone would lead to another folder. */
function isSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..';
}

function encodedSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The object of a generation: a trace with one observation. */
export function s3ObjectOf(generation: OutgoingGeneration, shortening: Shortening): Record<string, unknown> {
  const { event } = generation;
  const trace = traceFieldsOf(event);
  const ids = spanIdsOf(event, trace);
  const content = shortening.hasContent ? shownContentOf(event, shortening.contentText) : null;
  return {
    id: event.id,
    traceId: ids.trace,
    name: trace.traceName ?? 'Gatehouse Request',
    userId: event.externalUser,
    sessionId: event.sessionId,
    timestamp: isoTimeOf(event.startedAt),
    tags: trace.tags,
    metadata: metadataOf(generation, trace, shortening.fieldText),
    observations: [
      {
        id: ids.generation,
        traceId: ids.trace,
        parentObservationId: ids.caller ?? null,
        type: OBSERVATION_TYPES[kindOf(event)],
        name: trace.generationName ?? event.operation,
        model: event.model.canonicalSlug,
        modelParameters: modelParametersOf(event),
        startTime: isoTimeOf(event.startedAt),
        endTime: isoTimeOf(event.endedAt),
        completionStartTime: event.firstTokenMs === null ? null : isoTimeOf(event.startedAt + event.firstTokenMs),
        level: hasFailed(event) ? 'ERROR' : 'DEFAULT',
        statusCode: event.status,
        statusMessage: statusMessageOf(event) ?? null,
        finishReason: event.finishReason,
        usage: usageOf(event),
        cost: knownCounts({
          input: amountOf(event.cost.input),
          output: amountOf(event.cost.output),
          total: amountOf(event.cost.total),
        }),
        ...(content !== null && {
          input: 'prompt' in content.input ? content.input.prompt : { messages: content.input.messages },
          output: openAiAnswerOf(content),
          ...(content.tools !== undefined && { tools: content.tools }),
        }),
        ...(isShortened(shortening) && { contentDropped: true }),
        attempts: event.attempts.map((attempt) => ({
          providerName: attempt.providerName,
          endpointId: attempt.endpoint,
          status: attempt.status,
          latencyMs: attempt.latencyMs,
          isByok: attempt.isByok,
        })),
      },
    ],
  };
}

function usageOf(event: GenerationEvent): Record<string, number> {
  const { usage } = event;
  return knownCounts({
    input: usage.promptTokens,
    output: usage.completionTokens,
    total: totalTokensOf(event),
    cachedInput: usage.cachedTokens,
    cacheWriteInput: usage.cacheWriteTokens,
    reasoningOutput: usage.reasoningTokens,
  });
}
