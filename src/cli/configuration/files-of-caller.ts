import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { invocationDirectory } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import { ConfigurationFiles, variablesOf } from '../../modules/configuration/files/configuration-files.js';
import { WrongFiles } from '../../modules/configuration/files/wrong-files.js';

/** Stands for standard input. */
const STANDARD_INPUT = '-';

/**
 * Reads files by paths that begin where a command is called.
 *
 * @param paths of files and directories; `-` is standard input, and a pipe, as of `<(program)`, is waited for
 * @param variables the file with what stands for `{var: NAME}`
 * @throws UsageError that names what is wrong, by file and line
 */
export async function filesOfCaller(paths: readonly string[], variables?: string): Promise<ConfigurationFiles> {
  const directory = invocationDirectory();
  const texts = await streamedTexts(directory, paths);
  return inUsage(async () =>
    ConfigurationFiles.read(
      directory,
      paths,
      variables === undefined ? {} : await variablesOf(directory, variables),
      texts,
    ),
  );
}

/** What has no end that can be known beforehand, by its path: the caller waits for it on purpose. */
async function streamedTexts(directory: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const one of new Set(paths)) {
    const absolute = path.resolve(directory, one);
    if (one === STANDARD_INPUT) texts.set(one, await text(process.stdin));
    else if (await isPipe(absolute)) texts.set(one, await readFile(absolute, 'utf8'));
  }
  return texts;
}

async function isPipe(absolute: string): Promise<boolean> {
  try {
    return (await stat(absolute)).isFIFO();
  } catch {
    // What is wrong with it is said when it is read.
    return false;
  }
}

/** Reads files, or what they name. @throws UsageError in place of what is wrong with them */
export async function inUsage<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    throw error instanceof WrongFiles ? new UsageError(error.message) : error;
  }
}
