import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { invocationDirectory, valueOfVariable } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import { isSecretReference } from '../../modules/configuration/document/secret-references.js';
import type { ConfigurationFiles } from '../../modules/configuration/files/configuration-files.js';
import { secretInFile, type Secrets, type SecretSources } from '../../modules/configuration/files/secrets-of-files.js';
import type { PlannedChange } from '../../modules/configuration/plan/configuration-plan.js';
import { issueSecret, readSecretInOrganization } from '../../modules/keys/credentials/key-format.js';

/** The secrets of whoever calls a command: their variables, and files by paths that begin where it is called. */
export const SECRETS_OF_CALLER: SecretSources = {
  variable: valueOfVariable,
  file: (name) => secretInFile(path.resolve(invocationDirectory(), name)),
  advice: '',
};

/** The longest file that can be a secret, in bytes. */
const LONGEST_SECRET = 1_024;

/** Secrets of new keys, in files that only their owner reads. */
export class NewSecretFiles {
  private constructor(
    readonly secrets: Secrets,
    private readonly written: readonly string[],
  ) {}

  /**
   * Makes a secret for each key that a plan creates and that has `secret_to`, and writes it to its file, so that it is on disk before anything
   * is committed. A file that a command has left that was killed before that has the secret already.
   *
   * @param organizationId gives the organization of the secrets
   * @throws UsageError where a file with something else exists already, or cannot be written: then none is left
   */
  static async write(
    files: ConfigurationFiles,
    changes: readonly PlannedChange[],
    organizationId: () => Promise<string>,
  ): Promise<NewSecretFiles> {
    const wanted = wantedFiles(files, changes);
    const secrets: Record<string, string> = {};
    const written: string[] = [];
    const organization = wanted.length === 0 ? '' : await organizationId();
    try {
      for (const name of wanted) {
        const file = path.resolve(invocationDirectory(), name);
        const earlier = await unusedSecretIn(file, organization);
        const plaintext = earlier ?? issueSecret('api_key', organization).plaintext;
        if (earlier === undefined) await writeNew(file, plaintext, () => written.push(file));
        secrets[`file:${name}`] = plaintext;
      }
    } catch (error) {
      await Promise.all(written.map((file) => unlink(file)));
      throw new UsageError(
        `The secret of a new key cannot be written: ${(error as Error).message}. Nothing was changed.`,
      );
    }
    return new NewSecretFiles(secrets, written);
  }

  /** Removes the files again, of secrets that no key has. */
  async remove(): Promise<void> {
    await Promise.all(this.written.map((file) => unlink(file)));
  }

  get names(): readonly string[] {
    return this.written;
  }
}

/** The files to which the secrets of keys go that a plan creates. @throws UsageError for one of two keys */
function wantedFiles(files: ConfigurationFiles, changes: readonly PlannedChange[]): string[] {
  const made = changes.filter(({ action, section }) => action === 'create' && section === 'keys');
  const keys = files.entries('keys');
  const named = new Set(keys.map(({ entry: { workspace, name } }) => JSON.stringify([workspace ?? null, name])));
  const isMade = ({ workspace, name }: Readonly<Record<string, unknown>>): boolean =>
    made.some(
      (change) =>
        change.name === name &&
        // One without a word is in the default workspace, whose slug only the plan has.
        (workspace === undefined
          ? change.workspace === null || !named.has(JSON.stringify([change.workspace, name]))
          : change.workspace === workspace),
    );
  const wanted = new Set<string>();
  for (const { path: place, entry } of keys) {
    const to = entry['secret_to'];
    if (!isSecretReference(to) || !('file' in to) || !isMade(entry)) continue;
    if (wanted.has(to.file)) {
      throw new UsageError(files.explain([{ path: `${place}.secret_to`, message: 'is the file of another key' }]));
    }
    wanted.add(to.file);
  }
  return [...wanted];
}

/**
 * The secret of a key of an organization that a file has, which only its owner may read. That no key has it, or has had it, the change
 * itself requires.
 *
 * @returns undefined for any other file, and for none
 */
async function unusedSecretIn(file: string, organizationId: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { mode, size } = await handle.stat();
    if ((mode & 0o077) !== 0 || size > LONGEST_SECRET) return undefined;
    const text = await handle.readFile('utf8');
    return readSecretInOrganization('api_key', text)?.organizationId === organizationId ? text : undefined;
  } finally {
    await handle.close();
  }
}

/** Opens a file that does not exist, or an empty one that a command has left which was killed before it had written to it. */
async function openedNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    const there = await lstat(file).catch(() => undefined);
    const isLeft = there?.isFile() === true && there.size === 0 && (there.mode & 0o077) === 0;
    if (!isLeft) throw error;
    return open(file, 'r+');
  }
}

/** Writes a file that does not exist, and flushes it and its name. @param onMade called when it is there */
async function writeNew(file: string, text: string, onMade: () => void): Promise<void> {
  const handle = await openedNew(file);
  onMade();
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const directory = await open(path.dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
