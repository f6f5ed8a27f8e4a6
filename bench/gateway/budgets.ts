import type { BenchSpender } from '../support/generation.js';
import type { LoadRequest } from '../support/load.js';
import { median, rounded } from '../support/statistics.js';
import { openAdmissions } from './admissions.js';
import { addBudgetedWorkspaces } from './budgeted-workspaces.js';
import { CHAT_PATH, type TestBed, newKey, question } from './test-bed.js';
import { compareInTurn, ratesOf } from './compared-sides.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';

/** Workspaces of the organization that others are compared with: more than there are requests at a time. */
const SOME = 200;

/** Workspaces of the organization that is compared. */
const MANY = 10_000;

/** Admitted a second, in turn: under one of very many budgets, and beside it under one of some. */
interface RatePair {
  readonly among: number;
  readonly beside: number;
}

const REQUEST: LoadRequest = { method: 'POST', path: CHAT_PATH, body: question() };

/** Requests of one workspace with a budget: admitted and settled by the services themselves, and whole answers beside those without limits. */
export async function measureSharedBudget(testBed: TestBed, options: GatewayOptions): Promise<GatewayRow[]> {
  const { organization_id: organizationId } = testBed.tenant;
  const spenders = await addBudgetedWorkspaces(testBed, organizationId, 'shared', 1);
  const admissions = await openAdmissions(testBed);
  const rates: number[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1)
      rates.push(await admissions.rate(spenders, options.seconds));
  } finally {
    await admissions.close();
  }
  return [
    ['one budget, admitted and settled a second', rounded(median(rates), 0), '', withSpread(rates, 0), '>= 2500'],
    await wholeAnswers(testBed, spenders[0]!.credential, options),
  ];
}

/** Workspaces with budgets, very many beside some: one that is used alone, and all of them in turn. */
export async function measureManyWorkspaces(testBed: TestBed, options: GatewayOptions): Promise<GatewayRow[]> {
  const { organization_id: few, other_organization: other } = testBed.tenant;
  const some = await addBudgetedWorkspaces(testBed, few, 'some', SOME);
  const many = await addBudgetedWorkspaces(testBed, other.organization_id, 'many', MANY);
  const admissions = await openAdmissions(testBed);
  const alone: RatePair[] = [];
  const spread: RatePair[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      const rate = (spenders: readonly BenchSpender[]): Promise<number> => admissions.rate(spenders, options.seconds);
      alone.push({ beside: await rate(some.slice(0, 1)), among: await rate(many.slice(0, 1)) });
      spread.push({ beside: await rate(some), among: await rate(many) });
    }
  } finally {
    await admissions.close();
  }
  return [
    compared(`one of 10^4 budgets beside one of ${SOME}, admitted a second`, alone),
    compared(`10^4 budgets in turn beside ${SOME} in turn, admitted a second`, spread),
  ];
}

function compared(what: string, pairs: readonly RatePair[]): GatewayRow {
  return [
    what,
    rounded(median(pairs.map(({ among }) => among)), 0),
    rounded(median(pairs.map(({ beside }) => beside)), 0),
    withSpread(
      pairs.map(({ among, beside }) => among / beside),
      2,
    ),
    'flat',
  ];
}

/** A key whose workspace has a budget, beside one of another organization, which has no limits. */
async function wholeAnswers(testBed: TestBed, limited: string, options: GatewayOptions): Promise<GatewayRow> {
  const { service: server, tenant } = testBed;
  const free = await newKey(testBed, tenant.other_organization.management_key);
  const next = (): LoadRequest => REQUEST;
  const pairs = await compareInTurn(
    [
      { server, key: limited, next },
      { server, key: free.key, next },
    ],
    options,
  );
  return ['whole answers under one budget beside none, requests/s', ...ratesOf(pairs), ''];
}
