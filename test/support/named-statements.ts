import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Statement } from '../../src/database/statements.js';

/** The files with the statements that requests run. What nobody waits for may take its time, and is not among them. */
export const REPOSITORIES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.repository.ts') && !file.endsWith('audit-verification.repository.ts'))
  .map((file) => path.join('src', file));

/** Whether an export of a repository is a named statement that has a plan: settings of a transaction have none. */
export function isStatement(value: unknown): value is Statement {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'text' in value &&
    !String(value.text).startsWith('SET ')
  );
}
