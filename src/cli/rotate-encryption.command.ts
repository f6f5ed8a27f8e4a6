import { Command } from 'commander';
import { UsageError } from '../boot/usage-error.js';
import { EncryptionKeyMismatch } from '../modules/observability/encryption-state.js';
import {
  ConfigRotationService,
  type RotationOptions,
  type RotationReport,
} from '../modules/observability/config-rotation.service.js';
import { withApplicationContext } from './application-context.js';
import { printJson, printLines } from './output.js';

interface RotateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly replaceLostKey?: boolean;
}

/** `gatehouse rotate-encryption`: after it, every encryption key but the first can be taken away. */
export function rotateEncryptionCommand(): Command {
  return new Command('rotate-encryption')
    .description('encrypt everything with the first key of ENCRYPTION_KEY that another key of it has encrypted')
    .option('--dry-run', 'say what there is to do, and change nothing')
    .option('--replace-lost-key', 'go on where no key fits the database, and take the first key from now on')
    .option('--json', 'print one JSON object')
    .action(async ({ dryRun = false, json, replaceLostKey = false }: RotateOptions) => {
      const report = await rotate({ dryRun, replaceLostKey });
      if (json) printJson(toJson(report, dryRun));
      else printLines(describe(report), ...(dryRun ? ['Dry run: nothing was changed.'] : []));
      if (report.unreadable.length > 0) {
        throw new UsageError(
          `No key of ENCRYPTION_KEY fits ${report.unreadable.length} of them: ${report.unreadable.join(', ')}`,
        );
      }
    });
}

async function rotate(options: RotationOptions): Promise<RotationReport> {
  try {
    return await withApplicationContext((context) => context.get(ConfigRotationService).rotate(options));
  } catch (error) {
    if (!(error instanceof EncryptionKeyMismatch)) throw error;
    throw new UsageError(`Nothing was changed: ${error.message}. When that key is lost, see --replace-lost-key.`);
  }
}

function describe({ destinations, reEncrypted, unreadable }: RotationReport): string {
  const current = destinations - reEncrypted - unreadable.length;
  return `Destinations: ${destinations}, ${reEncrypted} re-encrypted, ${current} under the first key before`;
}

function toJson({ destinations, reEncrypted, unreadable }: RotationReport, dryRun: boolean): object {
  return { dry_run: dryRun, destinations, re_encrypted: reEncrypted, unreadable };
}
