import { measureBudgetedAnswers } from './gateway/budgeted-answers.js';
import { measureManyWorkspaces, measureSharedBudget } from './gateway/budgets.js';
import { measureChunkCost } from './gateway/chunk-cost.js';
import { type TestBed, openTestBed } from './gateway/test-bed.js';
import { measureFirstToken } from './gateway/first-token.js';
import { growOrganization } from './gateway/grown-organization.js';
import { measureLongPrompts } from './gateway/long-prompt.js';
import { GATEWAY_HEADINGS, type GatewayOptions, type GatewayRow } from './gateway/measure.js';
import { measureOpenStreams } from './gateway/open-streams.js';
import { measureGrown, measureThroughput } from './gateway/throughput.js';
import { markdownTable } from './support/table.js';

type Measure = (testBed: TestBed, options: GatewayOptions) => Promise<GatewayRow[]>;

/** By the names that `--part` has for them. */
const PARTS: Readonly<Record<string, Measure>> = {
  throughput: measureThroughput,
  'first-token': measureFirstToken,
  chunks: measureChunkCost,
  'long-prompts': measureLongPrompts,
  'open-streams': measureOpenStreams,
  'budgeted-answers': measureBudgetedAnswers,
  'shared-budget': measureSharedBudget,
  'many-workspaces': measureManyWorkspaces,
  grown: async (testBed, options) => measureGrown(testBed, await growOrganization(testBed), options),
};

/**
 * What the gateway adds to an instant provider, beside a limit or the provider itself.
 *
 * @param parts the names of those to measure; all when left out
 * @returns a table
 */
export async function measureGateway(options: GatewayOptions, parts?: readonly string[]): Promise<string> {
  const chosen = Object.entries(PARTS).filter(([name]) => parts?.includes(name) ?? true);
  if (chosen.length === 0) throw new Error(`there is no such part, but ${Object.keys(PARTS).join(', ')}`);
  const testBed = await openTestBed();
  const rows: GatewayRow[] = [];
  try {
    for (const [, measure] of chosen) {
      for (const row of await measure(testBed, options)) {
        rows.push(row);
        process.stdout.write(`${row.join('  ')}\n`);
      }
    }
    return markdownTable(GATEWAY_HEADINGS, rows);
  } finally {
    await testBed.close();
  }
}
