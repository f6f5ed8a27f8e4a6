import { ConfigurationError } from '../config/configuration-error.js';
import { DatabaseReadOnly } from '../database/database-failures.js';
import {
  EmbeddedPostgresFailed,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
} from '../database/embedded/embedded-postgres.js';
import { maskSecrets } from '../http/logging/secret-mask.js';
import { InvalidCatalog } from '../modules/catalog/import/invalid-catalog.js';
import { CannotListen } from './cannot-listen.js';
import { UsageError } from './usage-error.js';
import { WorkerFailed } from './workers/worker-failed.js';

/** What whoever started the process can put right; the message says how, and a stack would only hide it. */
const EXPLAINED = [
  CannotListen,
  ConfigurationError,
  DatabaseReadOnly,
  EmbeddedPostgresFailed,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
  InvalidCatalog,
  UsageError,
  WorkerFailed,
];

/** Says why the process cannot go on, and lets it end with exit code 1. */
export function reportBootFailure(error: unknown): void {
  process.stderr.write(`${explanationOf(error)}\n`);
  process.exitCode = 1;
}

/** What is said of a failure: its message where that explains it, or else where in the program it came from. */
export function explanationOf(error: unknown): string {
  const isExplained = EXPLAINED.some((type) => error instanceof type);
  const text = error instanceof Error ? ((isExplained ? error.message : error.stack) ?? error.message) : String(error);
  return maskSecrets(text);
}
