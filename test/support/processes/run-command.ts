import os from 'node:os';
import type { Command } from 'commander';
import { reportStartUpError } from '../../../src/bootstrap/start-up-error.js';
import { commandLine } from '../../../src/cli/command-line.js';
import { RELAXED_TIME_LIMITS } from '../application/time-limits.js';
import type { Ending } from './gatehouse-process.js';

/**
 * Runs a `gatehouse` command in the process of the test, one at a time: what a process of its own costs is its start,
 * which takes longer than most commands. The few tests of a command that need a real process have
 * {@link GatehouseProcess.command}.
 *
 * @param words what stands behind `gatehouse`
 * @param variables its environment, as that of a process of its own
 * @returns exit code and output, as of a process of its own
 */
export async function runCommand(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Ending> {
  const outside = { environment: process.env, directory: process.cwd(), exitCode: process.exitCode };
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const { PATH = '' } = process.env;
  process.env = { PATH, ...RELAXED_TIME_LIMITS, ...variables };
  process.exitCode = undefined;
  // Not the repository, whose .env is not for tests.
  process.chdir(os.tmpdir());
  try {
    const code = await exitCodeOf(words);
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.chdir(outside.directory);
    process.env = outside.environment;
    process.exitCode = outside.exitCode;
    stdout.restore();
    stderr.restore();
  }
}

async function exitCodeOf(words: readonly string[]): Promise<number> {
  const program = await commandLine(words);
  throwInsteadOfExiting(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // What commander ends the process for: help that was printed, or words that it refuses.
    if (error instanceof Error && 'exitCode' in error) return Number(error.exitCode);
    reportStartUpError(error);
  }
  return Number(process.exitCode ?? 0);
}

function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExiting);
}

/** Keeps what is written to a stream from now on. */
function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const chunks: string[] = [];
  const spy = jest.spyOn(stream, 'write').mockImplementation((chunk) => chunks.push(String(chunk)) > 0);
  return { text: () => chunks.join(''), restore: () => spy.mockRestore() };
}
