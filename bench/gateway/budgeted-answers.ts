import type { LoadRequest } from '../support/load.js';
import { addBudgetedWorkspaces, type BudgetedSpender } from './budgeted-workspaces.js';
import { CHAT_PATH, type TestBed, question } from './test-bed.js';
import { compareInTurn, medians, ratesOf } from './compared-sides.js';
import type { GatewayOptions, GatewayRow } from './measure.js';
import { requireSameAnswers } from './same-answers.js';
import { requireSameReservations } from './same-reservations.js';
import { recordsOf } from './spend-counters.js';

/** How many workspaces have a budget of their own. */
const WORKSPACES = 1_000;

/** Whole answers at 32 connections of keys under limits, service and limit in turn: all of one budget, and each of another one. */
export async function measureBudgetedAnswers(testBed: TestBed, options: GatewayOptions): Promise<GatewayRow[]> {
  const { organization_id: organizationId } = testBed.tenant;
  const one = await addBudgetedWorkspaces(testBed, organizationId, 'one-budget', 1);
  const many = await addBudgetedWorkspaces(testBed, organizationId, 'own-budget', WORKSPACES);
  return [
    ...(await measure(testBed, 'one budget', one, options)),
    ...(await measure(testBed, '10^3 budgets in turn', many, options)),
  ];
}

async function measure(
  testBed: TestBed,
  what: string,
  spenders: readonly BudgetedSpender[],
  options: GatewayOptions,
): Promise<GatewayRow[]> {
  const { service, limit, database } = testBed;
  const [{ credential: key }] = spenders as readonly [BudgetedSpender, ...BudgetedSpender[]];
  await requireSameAnswers(testBed, key);
  await requireSameReservations(testBed, key);
  let number = 0;
  const next = (): LoadRequest => {
    const { credential } = spenders[number++ % spenders.length]!;
    return {
      method: 'POST',
      path: CHAT_PATH,
      body: question(),
      headers: { authorization: `Bearer ${credential}` },
    };
  };
  let known = 0;
  const pairs = await compareInTurn(
    [
      { server: service, key, next },
      { server: limit, key, next },
    ],
    options,
    async (answers) => {
      const records = await recordsOf(database, spenders);
      if (records < known + answers) throw new Error(`${answers} answers, but ${records - known} records`);
      known = records;
    },
  );
  return [
    [`whole answers under ${what}, requests/s`, ...ratesOf(pairs), '>= 0.75'],
    [`whole answers under ${what}, p99 ms`, ...medians(pairs, ({ p99 }) => p99, 0), '', ''],
    [`whole answers under ${what}, CPU ms`, ...medians(pairs, ({ processorMs }) => processorMs, 2), '', ''],
  ];
}
