import type { AnalyticsResult } from '../../../src/modules/usage/analytics/dto/analytics-query.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import type { Answer } from '../../support/network/api-client.js';
import { dayBefore, keepRecordsBefore, recordUsed, type UsedGeneration } from './used-generations.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';

export const HOUR_MS = 3_600_000;

export const WHOLE_YEAR = { start: dayBefore(365).toISOString(), end: dayBefore(-1).toISOString() };

/** Every record is an answer of 0.1 dollars, 100 prompt tokens and 20 completion tokens, unless a test says otherwise. */
const ANSWER: UsedGeneration = { costUsd: '0.1', promptTokens: 100, completionTokens: 20 };

export type Row = AnalyticsResult['data'][number];

/** What the tests of queryAnalytics record and ask for. */
export function analyticsQueries() {
  const gateway = sharedGateway({ topic: 'analytics-queries' });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    for (const days of [0, 1, 2, 9, 40]) await keepRecordsBefore(gateway.app, days);
  });

  const used = (records: readonly UsedGeneration[], by = key): Promise<void> =>
    recordUsed(
      gateway.app,
      organization,
      by,
      records.map((record) => ({ ...ANSWER, ...record })),
    );

  const ask = <Body>(json: object): Promise<Answer<Body>> =>
    gateway.app.api.post<Body>('/analytics/query', { key: organization.managementKey, json });

  const result = async (json: object): Promise<AnalyticsResult> => {
    const { status, body } = await ask<{ data: AnalyticsResult }>(json);
    expect({ status, body }).toMatchObject({ status: 200 });
    expectToFitContract('queryAnalytics', 200, { data: { ...body.data, data: [] } });
    expect(body.data.metadata.row_count).toBe(body.data.data.length);
    return body.data;
  };

  const rows = async (json: object): Promise<Row[]> => (await result({ time_range: WHOLE_YEAR, ...json })).data;

  const metrics = ['request_count'];

  return { gateway, organization, key, used, ask, result, rows, metrics };
}
