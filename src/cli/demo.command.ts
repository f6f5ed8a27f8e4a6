import { Command } from 'commander';
import { withApplicationContext } from './application-context.js';
import { makeDemonstration } from './demo/demonstration.js';
import { type JsonOption, printResult } from './output.js';

/** `gatehouse demo`: creates everything that is needed to call every operation. */
export function demoCommand(): Command {
  return new Command('demo')
    .option('--json', 'print one JSON object on one line')
    .action(async (options: JsonOption) => {
      const demonstration = await withApplicationContext(makeDemonstration);
      printResult(options, demonstration, JSON.stringify(demonstration, null, 2));
    });
}
