import { execFile } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

/** The compiled command that lies beside this file. */
const PROGRAM = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));

/** What came of a command. */
export interface CommandResult {
  readonly succeeded: boolean;
  /** Everything that it has written. */
  readonly output: string;
}

/** Runs a `gatehouse` command to its end. @param variables its environment */
export function runCommand(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const { PATH = '' } = process.env;
  const options = { env: { PATH, NODE_ENV: 'production', ...variables }, cwd: os.tmpdir() };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...words], options, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, output: `${stdout}${stderr}` });
    });
  });
}
