import { median, rounded } from '../support/statistics.js';
import { openAdmissions } from './admissions.js';
import { addBudgetedWorkspaces } from './budgeted-workspaces.js';
import type { TestBed } from './test-bed.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';

/** Requests of one workspace with a budget, admitted and settled by the services themselves. */
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
  ];
}
