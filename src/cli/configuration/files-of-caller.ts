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
 * @param paths of files and directories; `-` is standard input
 * @param variables the file with what stands for `{var: NAME}`
 * @throws UsageError that names what is wrong, by file and line
 */
export async function filesOfCaller(paths: readonly string[], variables?: string): Promise<ConfigurationFiles> {
  const directory = invocationDirectory();
  const texts = new Map(paths.includes(STANDARD_INPUT) ? [[STANDARD_INPUT, await text(process.stdin)]] : []);
  return inUsage(async () =>
    ConfigurationFiles.read(
      directory,
      paths,
      variables === undefined ? {} : await variablesOf(directory, variables),
      texts,
    ),
  );
}

/** Reads files, or what they name. @throws UsageError in place of what is wrong with them */
export async function inUsage<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    throw error instanceof WrongFiles ? new UsageError(error.message) : error;
  }
}
