import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults/index.js';
import { runFaults } from './support/run-faults.js';

// npm run test:faults [-- --only name ...] [--quick] [--seed number]
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});

const unknown = values.only?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(`there is no fault named ${unknown.join(', ')}; there are:\n`);
  for (const { name, title } of FAULTS) process.stderr.write(`  ${name.padEnd(18)} ${title}\n`);
  process.exitCode = 2;
} else {
  const failed = await runFaults({
    faults: FAULTS.filter(({ name }) => values.only?.includes(name) ?? true),
    scale: values.quick ? 'quick' : 'full',
    seed: Number(values.seed),
  });
  process.exitCode = failed > 0 ? 1 : 0;
}
