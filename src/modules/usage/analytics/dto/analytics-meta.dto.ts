import { DataOf } from '../../../../http/openapi/response-envelopes.js';
import { BooleanField, EnumField, ObjectListField, TextField } from '../../../../http/validation/fields.js';
import {
  DISPLAY_FORMATS,
  GRANULARITY_NAMES,
  type Granularity,
  OPERATOR_NAMES,
  type OperatorName,
} from '../analytics-vocabulary.js';

/** A figure that a query can ask for. */
export class AnalyticsMetric {
  @TextField({ description: 'The name in queries and rows.', example: 'request_count' })
  name: string;

  @TextField({ description: 'The name to display.', example: 'Requests' })
  display_label: string;

  @EnumField(DISPLAY_FORMATS, {
    description:
      'How to display it. Latencies are milliseconds, throughputs tokens per second, percents ratios from 0 to 1.',
    example: 'number',
  })
  display_format: (typeof DISPLAY_FORMATS)[number];

  @BooleanField({ description: 'Whether it is a mean or a ratio, which cannot be added up.', example: false })
  is_rate: boolean;
}

/** What a query can tell apart. */
export class AnalyticsDimension {
  @TextField({ description: 'The name in queries and rows.', example: 'model' })
  name: string;

  @TextField({ description: 'The name to display.', example: 'Model' })
  display_label: string;
}

/** An operator of filters. */
export class AnalyticsOperator {
  @EnumField(OPERATOR_NAMES, { description: 'The name in filters.', example: 'eq' })
  name: OperatorName;

  @EnumField(['scalar', 'array'], {
    description: 'What the operator compares with: one value or a list.',
    example: 'scalar',
  })
  value_type: 'scalar' | 'array';
}

/** A step of time. */
export class AnalyticsGranularity {
  @EnumField(GRANULARITY_NAMES, { description: 'The name in queries.', example: 'day' })
  name: Granularity;

  @TextField({ description: 'The name to display.', example: 'Day' })
  display_label: string;
}

/** What queries can ask for. */
export class AnalyticsMeta {
  @ObjectListField(() => AnalyticsMetric, { description: 'The metrics.' })
  metrics: AnalyticsMetric[];

  @ObjectListField(() => AnalyticsDimension, { description: 'The dimensions.' })
  dimensions: AnalyticsDimension[];

  @ObjectListField(() => AnalyticsOperator, { description: 'The operators of filters.' })
  operators: AnalyticsOperator[];

  @ObjectListField(() => AnalyticsGranularity, { description: 'The granularities.' })
  granularities: AnalyticsGranularity[];
}

/** The answer to getAnalyticsMeta. */
export class AnalyticsMetaResponse extends DataOf(AnalyticsMeta) {}
