import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { analyticsQueries, HOUR_MS, WHOLE_YEAR } from './analytics-queries.js';

describe('queryAnalytics', () => {
  const { organization, ask, metrics } = analyticsQueries();

  const time = (start: number, end: number): object => ({
    start: new Date(Date.now() + start).toISOString(),
    end: new Date(Date.now() + end).toISOString(),
  });

  const DAY = 24 * HOUR_MS;

  const filter = (fields: object): object => ({
    metrics,
    filters: [{ field: 'model', operator: 'eq', value: 'm', ...fields }],
  });

  it.each<[string, object, string[]]>([
    ['no metrics', {}, ['metrics']],
    ['an empty list of metrics', { metrics: [] }, ['metrics']],
    ['an unknown metric', { metrics: ['cost'] }, ['metrics[0]']],
    ['a metric of the name of a property', { metrics: ['constructor'] }, ['metrics[0]']],
    ['a metric twice', { metrics: ['request_count', 'request_count'] }, ['metrics[1]']],
    ['an unknown dimension', { metrics, dimensions: ['country'] }, ['dimensions[0]']],
    ['a dimension twice', { metrics, dimensions: ['model', 'model'] }, ['dimensions[1]']],
    ['four dimensions', { metrics, dimensions: ['model', 'user', 'provider', 'endpoint'] }, ['dimensions']],
    ['an unknown granularity', { metrics, granularity: 'year' }, ['granularity']],
    ['a limit of 0', { metrics, limit: 0 }, ['limit']],
    ['a limit of 1001', { metrics, limit: 1001 }, ['limit']],
    ['a group limit of 0', { metrics, group_limit: 0 }, ['group_limit']],
    [
      'an order by what the query has not',
      { metrics, order_by: { field: 'total_usage', direction: 'asc' } },
      ['order_by.field'],
    ],
    [
      'an order by date without a granularity',
      { metrics, order_by: { field: 'date', direction: 'asc' } },
      ['order_by.field'],
    ],
    [
      'an unknown direction',
      { metrics, order_by: { field: 'request_count', direction: 'up' } },
      ['order_by.direction'],
    ],
    ['an end before the start', { metrics, time_range: time(0, -1000) }, ['time_range.end']],
    ['367 days', { metrics, time_range: time(-367 * DAY, 0) }, ['time_range.end']],
    ['32 days by the hour', { metrics, granularity: 'hour', time_range: time(-32 * DAY, 0) }, ['time_range.end']],
    [
      '4 hours by the minute',
      { metrics, granularity: 'minute', time_range: time(-4 * HOUR_MS, 0) },
      ['time_range.end'],
    ],
    [
      'minutes of 8 days ago',
      { metrics, granularity: 'minute', time_range: time(-8 * DAY, -8 * DAY + 1000) },
      ['time_range.start'],
    ],
    [
      'hours of 93 days ago',
      { metrics, granularity: 'hour', time_range: time(-93 * DAY, -92 * DAY) },
      ['time_range.start'],
    ],
    ['a time range without an end', { metrics, time_range: { start: WHOLE_YEAR.start } }, ['time_range.end']],
    ['a time that is none', { metrics, time_range: { ...WHOLE_YEAR, start: 'yesterday' } }, ['time_range.start']],
    ['an unknown field', { metrics, offset: 1 }, ['offset']],
    ['a filter by an unknown field', filter({ field: 'country' }), ['filters[0].field']],
    ['an unknown operator', filter({ operator: 'like' }), ['filters[0].operator']],
    ['an order of dimensions', filter({ operator: 'gt' }), ['filters[0].operator']],
    ['a list for eq', filter({ value: ['m'] }), ['filters[0].value']],
    ['a text for in', filter({ operator: 'in' }), ['filters[0].value']],
    ['an empty list for in', filter({ operator: 'in', value: [] }), ['filters[0].value']],
    ['101 values', filter({ operator: 'in', value: Array.from({ length: 101 }, String) }), ['filters[0].value']],
    ['a number for a dimension', filter({ value: 1 }), ['filters[0].value']],
    ['an empty text', filter({ value: '' }), ['filters[0].value']],
    ['a number in a list of texts', filter({ operator: 'in', value: ['m', 1] }), ['filters[0].value[1]']],
    ['a text for a metric', filter({ field: 'request_count' }), ['filters[0].value']],
    [
      'a list of metrics',
      filter({ field: 'request_count', operator: 'in', value: [1] }),
      ['filters[0].operator', 'filters[0].value'],
    ],
    ['unset rows with eq', filter({ include_unset: true }), ['filters[0].include_unset']],
    [
      'unset rows of members',
      filter({ field: 'user', operator: 'in', value: ['u'], include_unset: true }),
      ['filters[0].include_unset'],
    ],
    [
      '21 filters',
      { metrics, filters: Array.from({ length: 21 }, () => ({ field: 'model', operator: 'eq', value: 'm' })) },
      ['filters'],
    ],
    ['requests by filter', { metrics, dimensions: ['filter'] }, ['metrics[0]']],
    ['requests by a condition on filters', filter({ field: 'filter_action' }), ['metrics[0]']],
    ['requests beside those that were filtered', { metrics: ['filtered_requests', ...metrics] }, ['metrics[1]']],
    [
      'a condition on requests for what filters did',
      { metrics: ['filter_matches'], filters: [{ field: 'request_count', operator: 'gt', value: 1 }] },
      ['filters[0].field'],
    ],
    [
      'what filters did in 32 days',
      { metrics: ['filter_matches'], time_range: time(-32 * DAY, 0) },
      ['time_range.end'],
    ],
    ['reasons beside what filters did', { metrics: ['filter_matches'], dimensions: ['refusal'] }, ['dimensions[0]']],
    ['percentiles beside what filters did', { metrics: ['filter_matches', 'p50_latency'] }, ['metrics[1]']],
    ['labels of 32 days', { metrics, dimensions: ['label'], time_range: time(-32 * DAY, 0) }, ['time_range.end']],
    [
      'unset rows of filters',
      {
        metrics: ['filter_matches'],
        filters: [{ field: 'filter', operator: 'in', value: ['email'], include_unset: true }],
      },
      ['filters[0].include_unset'],
    ],
  ])('answers 400 for %s', async (_, json, paths) => {
    expectRefusal(await ask(json), { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });

  it('answers 400 for classifiers, of which there are none', async () => {
    const classifier_id = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61';
    const refusal = { status: 400, reason: 'classifier_not_found', userId: organization.userId };
    const dimensions = { metrics, classifier_dimensions: { classifier_id, dimension_names: ['topic'] } };
    expectRefusal(await ask(dimensions), { ...refusal, paths: ['classifier_dimensions.classifier_id'] });
    const filters = [{ field: 'topic', operator: 'eq', value: 'billing' }];
    expectRefusal(await ask({ metrics, classifier_filters: { classifier_id, filters } }), {
      ...refusal,
      paths: ['classifier_filters.classifier_id'],
    });
  });
});
