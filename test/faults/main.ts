import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROWS } from './faults/index.js';
import { type FaultResult, runFaults } from './support/run-faults.js';

/** How long the process may take to end after the results of all faults, in milliseconds. */
const END_TIMEOUT_MS = 10_000;

// npm run test:faults [-- --only name ...] [--quick] [--seconds number] [--seed number] [--results file]
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string' },
  },
});

const faults = ROWS.flat();
const unknown = values.only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(`there is no fault named ${unknown.join(', ')}; there are:\n`);
  for (const { name, title } of faults) process.stderr.write(`  ${name.padEnd(22)} ${title}\n`);
  process.exitCode = 2;
} else {
  const results = await runFaults({
    rows: ROWS.map((row) => row.filter(({ name }) => values.only?.includes(name) ?? true)),
    scale: values.quick ? 'quick' : 'full',
    seed: Number(values.seed),
    seconds: values.seconds === undefined ? undefined : Number(values.seconds),
  });
  const count = (outcome: FaultResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  if (values.results !== undefined) {
    writeFileSync(values.results, JSON.stringify({ ...counts, faults: results, process_id: process.pid }));
  }
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
  endSoon();
}

/**
 * Ends the process if it does not end by itself, and reports which resources kept it running. By now everything is stopped,
 * removed and reported, so nothing is lost.
 */
function endSoon(): void {
  setTimeout(() => {
    process.stderr.write(`still open after the last fault: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit();
  }, END_TIMEOUT_MS).unref();
}
