import { Command } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import { EncryptionKeyMismatch } from '../modules/encryption/encryption-state.js';
import {
  EncryptionRotationService,
  type RotatedTable,
  type RotationOptions,
} from '../modules/encryption/encryption-rotation.service.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface RotateOptions extends JsonOption {
  readonly dryRun?: boolean;
  readonly replaceLostKey?: boolean;
}

/** `gatehouse rotate-encryption`: afterwards all encryption keys except the first can be removed. */
export function rotateEncryptionCommand(): Command {
  return withJson(new Command('rotate-encryption'))
    .option('--dry-run', 'only report what would be encrypted again')
    .option('--replace-lost-key', 'continue if no key fits the database, and use the first key from now on')
    .action(async ({ dryRun = false, replaceLostKey = false, ...options }: RotateOptions) => {
      const report = await rotate({ dryRun, replaceLostKey });
      const lines = [...report.map(describe), ...(dryRun ? ['Dry run: nothing was changed.'] : [])];
      printResult(options, toJson(report, dryRun), ...lines);
      const unreadable = report.flatMap((table) => table.unreadable);
      if (unreadable.length > 0) {
        throw new UsageError(`No key of ENCRYPTION_KEY fits ${unreadable.length} of them: ${unreadable.join(', ')}`);
      }
    });
}

async function rotate(options: RotationOptions): Promise<readonly RotatedTable[]> {
  try {
    return await withApplicationContext((context) => context.get(EncryptionRotationService).rotate(options));
  } catch (error) {
    if (!(error instanceof EncryptionKeyMismatch)) throw error;
    throw new UsageError(`Nothing was changed: ${error.message}. When that key is lost, see --replace-lost-key.`);
  }
}

function describe({ name, values, reEncrypted, unreadable }: RotatedTable): string {
  const current = values - reEncrypted - unreadable.length;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return `${title}: ${values}, ${reEncrypted} re-encrypted, ${current} already under the first key`;
}

/** The number of values of each table under its name, and what became of all of them. */
function toJson(report: readonly RotatedTable[], dryRun: boolean): object {
  return {
    dry_run: dryRun,
    ...Object.fromEntries(report.map(({ name, values }) => [name.replaceAll(' ', '_'), values])),
    re_encrypted: report.reduce((sum, { reEncrypted }) => sum + reEncrypted, 0),
    unreadable: report.flatMap(({ unreadable }) => unreadable),
  };
}
