import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { measureRatios } from './ratio.js';

// npm run bench [-- ratio] [--rounds 5] [--seconds 3] [--operation listGuardrails ...]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    operation: { type: 'string', multiple: true },
  },
});
const [scenario = 'ratio'] = positionals;

switch (scenario) {
  case 'ratio':
    process.stdout.write(
      `\n${await measureRatios({
        rounds: Number(values.rounds),
        seconds: Number(values.seconds),
        ...(values.operation && { operations: values.operation }),
      })}\n`,
    );
    break;
  default:
    process.stderr.write(`there is no benchmark named ${scenario}\n`);
    process.exitCode = 1;
}
