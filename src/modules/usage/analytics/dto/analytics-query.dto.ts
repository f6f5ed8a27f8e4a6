import { BODY_LIMITS, BodyLimit } from '../../../../http/input/body-limit.js';
import type { JsonSchema } from '../../../../http/openapi/json-schema.js';
import { DataOf } from '../../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  FreeObjectListField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  SchemaField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../../http/validation/fields.js';
import { Rules } from '../../../../http/validation/rules.js';
import {
  classifierRules,
  filterRules,
  filtersDidRules,
  nameRules,
  orderRules,
  recordsRules,
  timeRules,
} from '../analytics-rules.js';
import { type Granularity, GRANULARITY_NAMES, OPERATOR_NAMES, type OperatorName } from '../analytics-vocabulary.js';

/** The rows of one answer. */
export const MAXIMUM_ROWS = 1_000;

/** What rows are told apart by at once: as much as what filters did has. */
const MAXIMUM_DIMENSIONS = 3;

/** What a filter compares with. */
const VALUE: JsonSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'number', format: 'double' },
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number', format: 'double' }] } },
  ],
};

/** A condition. All conditions of a query must hold. */
export class AnalyticsFilter {
  @TextField({
    description: 'A dimension, or a metric. A filter on a metric applies to the rows of the answer.',
    example: 'model',
  })
  field: string;

  @EnumField(OPERATOR_NAMES, {
    description: '`eq`, `neq`, `in` and `not_in` for dimensions; `eq`, `neq`, `gt`, `gte`, `lt` and `lte` for metrics.',
    example: 'in',
  })
  operator: OperatorName;

  @SchemaField(VALUE, {
    description:
      'For dimensions texts: the id of a model, the slug of a provider, the tag of an endpoint, the id of a workspace or member, the hash of a key (its id for a deleted key), the name of an MCP server, a tool as `server/tool`, the slug or label of a filter, the name or id of an inspector, the reason of a refusal, a label as `name=value`. For metrics a number.',
    example: ['openai/gpt-5.5', 'gatehouse/echo'],
  })
  value: string | number | readonly (string | number)[];

  @BooleanField({
    description:
      'With `in` and `not_in`: whether rows without a value of the dimension are included, as those of refused requests without a model.',
    example: false,
    optional: true,
  })
  include_unset?: boolean;
}

/** A condition on what a classifier says. */
export class AnalyticsClassifierFilter {
  @TextField({ description: 'A dimension of the classifier.', example: 'topic' })
  field: string;

  @TextField({ description: 'The operator.', example: 'eq' })
  operator: string;

  @SchemaField(VALUE, { description: 'What the operator compares with.', example: 'billing' })
  value: string | number | readonly (string | number)[];
}

/** Conditions on what a classifier says. */
export class AnalyticsClassifierFilters {
  @UuidField({ description: 'The classifier.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  classifier_id: string;

  @ObjectListField(() => AnalyticsClassifierFilter, { description: 'The conditions.', minItems: 1, maxItems: 10 })
  filters: AnalyticsClassifierFilter[];
}

/** What to tell apart by a classifier. */
export class AnalyticsClassifierDimensions {
  @UuidField({ description: 'The classifier.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  classifier_id: string;

  @TextListField({ description: 'Dimensions of the classifier.', example: ['topic'], maxItems: 2, optional: true })
  dimension_names?: string[];

  @BooleanField({ description: 'Whether to include requests that are not classified.', example: false, optional: true })
  include_nulls?: boolean;
}

/** An order of rows. */
export class AnalyticsOrder {
  @TextField({
    description: 'A metric or a dimension of the query, or `date` with a granularity.',
    example: 'total_usage',
  })
  field: string;

  @EnumField(['asc', 'desc'], {
    description: '`asc` for ascending, `desc` for descending. Rows without a value come last.',
    example: 'desc',
  })
  direction: 'asc' | 'desc';
}

/** Some time. */
export class AnalyticsTimeRange {
  @TimestampField({ description: 'The beginning.', example: '2026-11-01T00:00:00.000Z' })
  start: string;

  @TimestampField({ description: 'The end, exclusive.', example: '2026-11-21T00:00:00.000Z' })
  end: string;
}

/** A query. */
@BodyLimit(BODY_LIMITS.medium)
@SchemaExample({
  metrics: ['request_count', 'total_usage'],
  dimensions: ['model', 'workspace'],
  granularity: 'day',
  filters: [{ field: 'provider', operator: 'in', value: ['openai', 'azure'] }],
  order_by: { field: 'total_usage', direction: 'desc' },
  limit: 100,
})
@Rules(nameRules, filterRules, filtersDidRules, recordsRules, orderRules, timeRules, classifierRules)
export class AnalyticsQueryRequest {
  @TextListField({
    description: 'What to measure: names of `GET /analytics/meta`, each once.',
    example: ['request_count', 'total_usage'],
    minItems: 1,
  })
  metrics: string[];

  @TextListField({
    description: 'What to group by: names of `GET /analytics/meta`, each once.',
    example: ['model', 'workspace'],
    maxItems: MAXIMUM_DIMENSIONS,
    optional: true,
  })
  dimensions?: string[];

  @ObjectListField(() => AnalyticsFilter, {
    description: 'The conditions, all of which must hold.',
    maxItems: 20,
    optional: true,
  })
  filters?: AnalyticsFilter[];

  @EnumField(GRANULARITY_NAMES, {
    description:
      'The time step of a row. Each row has the beginning of its step in UTC as `date__<granularity>`. If absent, rows cover the whole time range.',
    example: 'day',
    optional: true,
  })
  granularity?: Granularity;

  @ObjectField(() => AnalyticsTimeRange, {
    description:
      'The period of the query. If absent, it is the last 7 days, or the last 3 hours with granularity `minute`. It has at most 3 hours of the last 7 days with `minute`, at most 31 days of the last 92 days with `hour`, and otherwise at most 366 days. The minutes, hours or days at its ends are included as a whole. Of what is read from records (what filters did, `refusal`, `label`, percentiles) it has at most 31 days.',
    optional: true,
  })
  time_range?: AnalyticsTimeRange;

  @ObjectField(() => AnalyticsOrder, {
    description: 'If absent, the latest rows first with a granularity, otherwise those with most of the first metric.',
    optional: true,
  })
  order_by?: AnalyticsOrder;

  @IntegerField({
    description: 'The maximum number of rows.',
    example: 100,
    minimum: 1,
    maximum: MAXIMUM_ROWS,
    default: MAXIMUM_ROWS,
    optional: true,
  })
  limit?: number;

  @IntegerField({
    description:
      'The maximum number of rows with the same dimensions; the first in the order are kept. Has no effect without dimensions.',
    example: 7,
    minimum: 1,
    maximum: MAXIMUM_ROWS,
    optional: true,
  })
  group_limit?: number;

  @ObjectField(() => AnalyticsClassifierDimensions, {
    description: 'Gatehouse has no classifiers: any is a 400.',
    optional: true,
  })
  classifier_dimensions?: AnalyticsClassifierDimensions;

  @ObjectField(() => AnalyticsClassifierFilters, {
    description: 'Gatehouse has no classifiers: any is a 400.',
    optional: true,
  })
  classifier_filters?: AnalyticsClassifierFilters;
}

/** About the rows of an answer. */
export class AnalyticsResultMetadata {
  @NumberField({ description: 'Milliseconds that the query took.', example: 3.2, minimum: 0 })
  query_time_ms: number;

  @IntegerField({ description: 'The number of rows.', example: 1, minimum: 0 })
  row_count: number;

  @BooleanField({ description: 'Whether there are more rows than `limit`.', example: false })
  truncated: boolean;
}

/** What a query found. */
export class AnalyticsResult {
  @FreeObjectListField({
    description:
      'The rows: metrics as numbers or null, dimensions as texts or null, `date__<granularity>`; with each dimension its name as `model_name`, `provider_name`, `workspace_name`, `api_key_name`, `user_name` or `inspector_name`, null for what is deleted.',
    example: [
      {
        date__day: '2026-11-20',
        model: 'openai/gpt-5.5',
        model_name: 'GPT-5.5',
        workspace: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
        workspace_name: 'Production',
        request_count: 340,
        total_usage: 12.375,
      },
    ],
  })
  data: Record<string, string | number | null>[];

  @ObjectField(() => AnalyticsResultMetadata, { description: 'Facts about the rows.' })
  metadata: AnalyticsResultMetadata;

  @TextListField({
    description: 'Notes about the rows; absent if there are none.',
    example: ['The time range was widened to whole days.'],
    optional: true,
  })
  warnings?: string[];
}

/** The answer to queryAnalytics. */
export class AnalyticsQueryResponse extends DataOf(AnalyticsResult) {}
