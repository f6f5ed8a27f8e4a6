import { ConfigurationError } from '../config/configuration-error.js';
import {
  EmbeddedPostgresFailed,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
} from '../database/embedded/embedded-postgres.js';
import { maskSecrets } from '../http/logging/secret-mask.js';
import { InvalidCatalog } from '../modules/catalog/import/invalid-catalog.js';
import { UsageError } from './usage-error.js';

/** What whoever started the process can put right; the message says how, and a stack would only hide it. */
const EXPLAINED = [
  ConfigurationError,
  EmbeddedPostgresFailed,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
  InvalidCatalog,
  UsageError,
];

/** Says why the process cannot go on, and lets it end with exit code 1. */
export function reportBootFailure(error: unknown): void {
  const isExplained = EXPLAINED.some((type) => error instanceof type);
  const text = error instanceof Error ? ((isExplained ? error.message : error.stack) ?? error.message) : String(error);
  process.stderr.write(`${maskSecrets(text)}\n`);
  process.exitCode = 1;
}
