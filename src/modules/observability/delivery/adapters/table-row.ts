import { amountOf } from '../additional-fields.js';
import { durationOf, isoTimeOf } from '../event-times.js';
import { isShortened, type Shortening } from '../fitting-body.js';
import { type OutgoingGeneration, totalTokensOf } from '../generation-event.js';
import { hasFailed } from '../generation-status.js';
import { jsonText } from '../json-text.js';
import { modelParametersOf } from '../model-parameters.js';
import { generationAttributesOf, setContentDropped } from '../otlp/generation-attributes.js';
import { spanIdsOf } from '../otlp/span-ids.js';
import { describeTools } from '../otlp/type-attributes.js';
import { shownContentOf } from '../shown-content.js';
import type { TextLimit } from '../text-cut.js';
import { traceFieldsOf } from '../trace-fields.js';

/** Columns with one value, in the order of the table, and their types in Snowflake. */
export const PLAIN_COLUMNS = {
  TRACE_ID: 'VARCHAR',
  SPAN_ID: 'VARCHAR',
  PARENT_SPAN_ID: 'VARCHAR',
  USER_ID: 'VARCHAR',
  SESSION_ID: 'VARCHAR',
  ORGANIZATION_ID: 'VARCHAR',
  ENTITY_ID: 'VARCHAR',
  API_KEY_NAME: 'VARCHAR',
  TIMESTAMP: 'TIMESTAMP_NTZ',
  START_TIME: 'TIMESTAMP_NTZ',
  END_TIME: 'TIMESTAMP_NTZ',
  DURATION_MS: 'NUMBER(18,3)',
  MODEL: 'VARCHAR',
  PROVIDER_NAME: 'VARCHAR',
  PROVIDER_SLUG: 'VARCHAR',
  STATUS: 'VARCHAR',
  LEVEL: 'VARCHAR',
  FINISH_REASON: 'VARCHAR',
  PROMPT_TOKENS: 'NUMBER',
  COMPLETION_TOKENS: 'NUMBER',
  TOTAL_TOKENS: 'NUMBER',
  CACHED_TOKENS: 'NUMBER',
  REASONING_TOKENS: 'NUMBER',
  INPUT_COST: 'DOUBLE',
  OUTPUT_COST: 'DOUBLE',
  TOTAL_COST: 'DOUBLE',
  SPAN_TYPE: 'VARCHAR',
  NAME: 'VARCHAR',
} as const;

export const JSON_COLUMNS = ['ATTRIBUTES', 'INPUT', 'OUTPUT', 'METADATA', 'MODEL_PARAMETERS', 'TAGS'] as const;

/** The row of a generation in a table of a database. What has no value is left out of it. */
export interface TableRow {
  readonly plain: Readonly<Partial<Record<keyof typeof PLAIN_COLUMNS, string | number>>>;
  readonly json: Readonly<Partial<Record<(typeof JSON_COLUMNS)[number], unknown>>>;
}

/** Of a text in the attributes and the metadata. */
const FIELD_LIMIT: TextLimit = { length: 100_000, unit: 'characters' };

/** Writes a generation as the row of a table (docs/interface/destination-types.md#tables). */
export function tableRowOf(generation: OutgoingGeneration, shortening: Shortening): TableRow {
  const { event } = generation;
  const trace = traceFieldsOf(event);
  const attributes = generationAttributesOf(generation, trace, true);
  if (isShortened(shortening)) setContentDropped(attributes, shortening.hasContent ? 'in part' : 'as a whole');
  const content = shortening.hasContent ? shownContentOf(event, shortening.contentText) : null;
  if (content !== null) describeTools(attributes, content);
  const text = shortening.fieldText ?? FIELD_LIMIT;
  return {
    plain: known({
      // The id of the generation, by which the rows of a table are joined with records; that of the trace is among the attributes.
      TRACE_ID: event.id,
      SPAN_ID: event.id,
      PARENT_SPAN_ID: spanIdsOf(event, trace).caller,
      USER_ID: event.externalUser,
      SESSION_ID: event.sessionId,
      ORGANIZATION_ID: event.organizationId,
      ENTITY_ID: event.organizationId,
      API_KEY_NAME: event.key.name,
      TIMESTAMP: isoTimeOf(event.startedAt),
      START_TIME: isoTimeOf(event.startedAt),
      END_TIME: isoTimeOf(event.endedAt),
      DURATION_MS: Math.round(durationOf(event.startedAt, event.endedAt) * 1_000) / 1_000,
      MODEL: event.model.canonicalSlug,
      PROVIDER_NAME: event.provider.name,
      PROVIDER_SLUG: event.provider.slug,
      STATUS: hasFailed(event) ? 'error' : 'ok',
      LEVEL: hasFailed(event) ? 'ERROR' : 'DEFAULT',
      FINISH_REASON: event.finishReason,
      PROMPT_TOKENS: event.usage.promptTokens,
      COMPLETION_TOKENS: event.usage.completionTokens,
      TOTAL_TOKENS: totalTokensOf(event),
      CACHED_TOKENS: event.usage.cachedTokens,
      REASONING_TOKENS: event.usage.reasoningTokens,
      INPUT_COST: amountOf(event.cost.input),
      OUTPUT_COST: amountOf(event.cost.output),
      TOTAL_COST: amountOf(event.cost.total),
      SPAN_TYPE: 'GENERATION',
      NAME: trace.generationName ?? event.operation,
    }),
    json: known({
      ATTRIBUTES: attributes.within({ text }),
      INPUT: content?.input,
      OUTPUT: content?.output,
      METADATA: shortening.fieldText === null ? expressible(Object.fromEntries(trace.others)) : undefined,
      MODEL_PARAMETERS: modelParametersOf(event),
      TAGS: trace.tags,
    }),
  };
}

function known<Value>(columns: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(columns).filter((entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined),
  );
}

/** A field that JSON cannot express must not cost the whole row. */
function expressible(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => jsonText(value) !== undefined));
}
