import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { defaultSpan, type TimeSpan, totalsOf } from './analytics-range.js';
import { AnalyticsRepository } from './analytics.repository.js';
import { DATE } from './analytics-rules.js';
import type { AnalyticsRow, AnalyticsSearch } from './analytics-statement.js';
import {
  DIMENSION_NAMES,
  dimensionOf,
  type DimensionName,
  GRANULARITIES,
  GRANULARITY_NAMES,
  METRIC_NAMES,
  metricOf,
  type MetricName,
  OPERATOR_NAMES,
  OPERATORS,
} from './analytics-vocabulary.js';
import type { AnalyticsMetaResponse } from './dto/analytics-meta.dto.js';
import { type AnalyticsQueryRequest, type AnalyticsQueryResponse, MAXIMUM_ROWS } from './dto/analytics-query.dto.js';

/** Queries over what was used (docs/interface/usage.md#analytics). */
@Injectable()
export class AnalyticsService {
  constructor(private readonly repository: AnalyticsRepository) {}

  /** What queries can ask for. */
  meta(): AnalyticsMetaResponse {
    return {
      data: {
        metrics: METRIC_NAMES.map((name) => {
          const { label, format, isRate = false } = metricOf(name);
          return { name, display_label: label, display_format: format, is_rate: isRate };
        }),
        dimensions: DIMENSION_NAMES.map((name) => ({ name, display_label: dimensionOf(name).label })),
        operators: OPERATOR_NAMES.map((name) => ({ name, value_type: OPERATORS[name] })),
        granularities: GRANULARITY_NAMES.map((name) => ({ name, display_label: GRANULARITIES[name] })),
      },
    };
  }

  /**
   * The rows of a query, which has passed its rules.
   *
   * @throws AnalyticsTimeout when it reads too much
   */
  async query(
    { organizationId, onlyOwn, userId }: ManagementPrincipal,
    request: AnalyticsQueryRequest,
  ): Promise<AnalyticsQueryResponse> {
    const start = performance.now();
    const { limit = MAXIMUM_ROWS } = request;
    const asked = searchOf(request, limit, Date.now());
    const isOwn = { field: 'user', operator: 'eq', value: userId } as const;
    const search = onlyOwn ? { ...asked, conditions: [...asked.conditions, isOwn] } : asked;
    const rows = await this.repository.rows(organizationId, search);
    const data = rows.slice(0, limit).map((row) => toRow(row, search.metrics));
    const { period, isWidened } = search.range;
    return {
      data: {
        data,
        metadata: {
          query_time_ms: Math.round((performance.now() - start) * 1000) / 1000,
          row_count: data.length,
          truncated: rows.length > limit,
        },
        ...(isWidened && { warnings: [`The time range was widened to whole ${period}s.`] }),
      },
    };
  }
}

function searchOf(request: AnalyticsQueryRequest, limit: number, now: number): AnalyticsSearch {
  const { granularity, dimensions = [], filters = [], group_limit: groupLimit } = request;
  const [first] = request.metrics;
  const { field, direction } = request.order_by ?? {
    field: granularity === undefined ? first! : DATE,
    direction: 'desc' as const,
  };
  return {
    // The rules of the body have found them in the vocabulary.
    metrics: request.metrics as MetricName[],
    dimensions: dimensions as DimensionName[],
    conditions: filters,
    granularity,
    range: totalsOf(spanOf(request, now), granularity, now),
    order: { field, direction },
    groupLimit,
    // One more shows that there are more.
    maximum: limit + 1,
  };
}

function spanOf({ time_range: range, granularity }: AnalyticsQueryRequest, now: number): TimeSpan {
  if (range === undefined) return defaultSpan(granularity, now);
  return { start: Date.parse(range.start), end: Date.parse(range.end) };
}

/** Sums are the doubles next to them. */
function toRow(row: AnalyticsRow, metrics: readonly MetricName[]): Record<string, string | number | null> {
  const figures = metrics.map((name) => [name, row[name] == null ? null : Number(row[name])]);
  return { ...row, ...(Object.fromEntries(figures) as Record<string, number | null>) };
}
