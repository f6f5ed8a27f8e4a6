import type { LoadRequest } from '../support/load.js';
import { CHAT_PATH, type TestBed, question } from './test-bed.js';
import { compareInTurn, medians, ratesOf } from './compared-sides.js';
import type { GatewayOptions, GatewayRow } from './measure.js';
import { requireSameAnswers } from './same-answers.js';

const REQUEST: LoadRequest = { method: 'POST', path: CHAT_PATH, body: question() };

/** Whole answers at 32 connections: service and limit in turn. */
export async function measureThroughput(testBed: TestBed, options: GatewayOptions): Promise<GatewayRow[]> {
  const { service, limit, tenant } = testBed;
  const { api_key: key } = tenant;
  await requireSameAnswers(testBed, key);
  const next = (): LoadRequest => REQUEST;
  const pairs = await compareInTurn(
    [
      { server: service, key, next },
      { server: limit, key, next },
    ],
    options,
  );
  return [
    ['whole answers, requests/s', ...ratesOf(pairs), '>= 0.80'],
    ['whole answers, p99 ms', ...medians(pairs, ({ p99 }) => p99, 0), '', ''],
    ['whole answers, CPU ms', ...medians(pairs, ({ processorMs }) => processorMs, 2), '', ''],
  ];
}

/** Two keys of the same service in turn: of an organization that has grown, and of one that has not. */
export async function measureGrown(testBed: TestBed, grownKey: string, options: GatewayOptions): Promise<GatewayRow[]> {
  const { service: server, tenant } = testBed;
  const next = (): LoadRequest => REQUEST;
  const pairs = await compareInTurn(
    [
      { server, key: grownKey, next },
      { server, key: tenant.api_key, next },
    ],
    options,
  );
  return [['10^5 keys and 10^3 guardrails, requests/s', ...ratesOf(pairs), 'flat']];
}
