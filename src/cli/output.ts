import type { Command } from 'commander';

/** The option of every command that has a result. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Adds the option to a command. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON object');
}

/**
 * Prints the result of a command.
 *
 * @param options of the command
 * @param value the result for programs: JSON on one line
 * @param lines the result for people
 */
export function printResult(options: JsonOption, value: unknown, ...lines: string[]): void {
  process.stdout.write(`${options.json ? JSON.stringify(value) : lines.join('\n')}\n`);
}
