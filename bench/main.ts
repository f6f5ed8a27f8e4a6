import 'reflect-metadata';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureGateway } from './gateway.js';
import { measureGrowth } from './growth.js';
import { measureMemory } from './memory.js';
import { measureObservation } from './observation.js';
import { measureManagement } from './management.js';
import { measureSize } from './size.js';
import { measureStartup } from './startup.js';
import { measureUsage } from './usage.js';

// npm run bench [-- --rounds 5] [--seconds 3] [--beside PATH]
// npm run bench -- management [--rounds 5] [--seconds 3] [--operation listGuardrails ...]
// npm run bench -- gateway [--rounds 5] [--seconds 3] [--part answers ...] [--beside PATH]
// npm run bench -- growth [--quick]
// npm run bench -- memory [--requests 200000]
// npm run bench -- observation [--rounds 5] [--seconds 3] [--operation listGuardrails ...]
// npm run bench -- size
// npm run bench -- startup [--rounds 5]
// npm run bench -- usage [--quick]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '200000' },
    operation: { type: 'string', multiple: true },
    part: { type: 'string', multiple: true },
    beside: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const [scenario = 'budgets'] = positionals;
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const operations = values.operation && { operations: values.operation };
const beside = values.beside && { beside: path.resolve(values.beside) };

const BENCHMARKS: Readonly<Record<string, () => Promise<string>>> = {
  budgets: async () => {
    const tables = [
      await measureGateway({ rounds, seconds, ...beside }),
      await measureManagement({ rounds, seconds }),
      await measureStartup({ runs: rounds }),
    ];
    return tables.join('\n\n');
  },
  management: () => measureManagement({ rounds, seconds, ...operations }),
  gateway: () => measureGateway({ rounds, seconds, ...beside }, values.part),
  growth: () => measureGrowth({ quick: values.quick }),
  memory: () => measureMemory({ requests: Number(values.requests) }),
  observation: () => measureObservation({ rounds, seconds, ...operations }),
  size: () => measureSize(),
  startup: () => measureStartup({ runs: rounds }),
  usage: () => measureUsage({ requests: values.quick ? 20 : 200 }),
};

const measure = BENCHMARKS[scenario];
if (measure === undefined) {
  process.stderr.write(
    `There is no benchmark named ${scenario}. Choose one of ${Object.keys(BENCHMARKS).join(', ')}.\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(`\n${await measure()}\n`);
}
