import type { LoadRequest } from '../support/load.js';
import { median, rounded } from '../support/statistics.js';
import { openAdmissions } from './admissions.js';
import { addBudgetedWorkspaces } from './budgeted-workspaces.js';
import { CHAT_PATH, type Field, newKey, question } from './field.js';
import { inTurn, ratesOf } from './in-turn.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';

/** What one workspace is compared with. */
const MANY = 10_000;

const REQUEST: LoadRequest = { method: 'POST', path: CHAT_PATH, body: question() };

/** Requests of one workspace with a budget: admitted and settled by the services themselves, and whole answers beside those without limits. */
export async function measureSharedBudget(field: Field, options: GatewayOptions): Promise<GatewayRow[]> {
  const { organization_id: organizationId } = field.tenant;
  const spenders = await addBudgetedWorkspaces(field, organizationId, 'shared', 1);
  const admissions = await openAdmissions(field);
  const rates: number[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1)
      rates.push(await admissions.rate(spenders, options.seconds));
  } finally {
    await admissions.close();
  }
  return [
    ['one budget, admitted and settled a second', rounded(median(rates), 0), '', withSpread(rates, 0), '>= 2500'],
    await wholeAnswers(field, spenders[0]!.credential, options),
  ];
}

/** Workspaces with budgets: one that is used among very many beside one among few, and all of them in turn beside one. */
export async function measureManyWorkspaces(field: Field, options: GatewayOptions): Promise<GatewayRow[]> {
  const { organization_id: few, other_organization: other } = field.tenant;
  const [one] = await addBudgetedWorkspaces(field, few, 'one', 1);
  const many = await addBudgetedWorkspaces(field, other.organization_id, 'many', MANY);
  const admissions = await openAdmissions(field);
  const rates: { among: number; alone: number; spread: number }[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      rates.push({
        alone: await admissions.rate([one!], options.seconds),
        among: await admissions.rate(many.slice(0, 1), options.seconds),
        spread: await admissions.rate(many, options.seconds),
      });
    }
  } finally {
    await admissions.close();
  }
  const compared = (what: string, name: 'among' | 'spread', goal: string): GatewayRow => [
    what,
    rounded(median(rates.map((rate) => rate[name])), 0),
    rounded(median(rates.map(({ alone }) => alone)), 0),
    withSpread(
      rates.map((rate) => rate[name] / rate.alone),
      2,
    ),
    goal,
  ];
  return [
    compared('one of 10^4 budgets beside one of one, admitted a second', 'among', 'flat'),
    compared('10^4 budgets in turn beside one, admitted a second', 'spread', ''),
  ];
}

/** A key whose workspace has a budget, beside one of another organization, which has no limits. */
async function wholeAnswers(field: Field, limited: string, options: GatewayOptions): Promise<GatewayRow> {
  const { service: server, tenant } = field;
  const free = await newKey(field, tenant.other_organization.management_key);
  const next = (): LoadRequest => REQUEST;
  const pairs = await inTurn(
    [
      { server, key: limited, next },
      { server, key: free.key, next },
    ],
    options,
  );
  return ['whole answers under one budget beside none, requests/s', ...ratesOf(pairs), ''];
}
