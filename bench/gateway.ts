import { measureSharedBudget } from './gateway/shared-budget.js';
import { type TestBed, openTestBed } from './gateway/test-bed.js';
import { measureFirstToken } from './gateway/first-token.js';
import { measureLongPrompts } from './gateway/long-prompt.js';
import { GATEWAY_HEADINGS, type GatewayOptions, type GatewayRow } from './gateway/measure.js';
import { measureAnswers } from './gateway/answers.js';
import { measureChunks } from './gateway/chunks.js';
import { markdownTable } from './support/table.js';

type Measure = (testBed: TestBed, options: GatewayOptions) => Promise<GatewayRow[]>;

/** What a run of all budgets measures, by the names that `--part` has for them. */
const BUDGETS: Readonly<Record<string, Measure>> = {
  answers: measureAnswers,
  'first-token': measureFirstToken,
  'shared-budget': measureSharedBudget,
};

const PARTS: Readonly<Record<string, Measure>> = {
  ...BUDGETS,
  chunks: measureChunks,
  'long-prompts': measureLongPrompts,
};

/** How much to measure of the gateway, and beside what. */
export interface GatewayBenchmark extends GatewayOptions {
  /** The folder of a built checkout of another revision. */
  readonly beside?: string;
}

/**
 * What the gateway adds to an instant provider, beside a proxy, another revision or the provider itself.
 *
 * @param parts the names of those to measure; the budgets when left out
 * @returns a table
 */
export async function measureGateway(options: GatewayBenchmark, parts?: readonly string[]): Promise<string> {
  const chosen = (parts ?? Object.keys(BUDGETS)).map((name) => {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`there is no part ${name}, but ${Object.keys(PARTS).join(', ')}`);
    return measure;
  });
  const testBed = await openTestBed(options.beside);
  const rows: GatewayRow[] = [];
  try {
    for (const measure of chosen) {
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
