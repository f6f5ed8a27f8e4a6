import { readdirSync } from 'node:fs';
import path from 'node:path';
import { AUDIT_FILTERS, auditBatch, filteredAuditPage } from '../../src/modules/audit/audit.repository.js';
import { AuditedRows } from '../../src/modules/audit/audited-rows.js';
import { INSERT_AUDIT_EVENT } from '../../src/modules/audit/audit-trail.js';
import {
  KEY_ASSIGNMENTS,
  MEMBER_ASSIGNMENTS,
} from '../../src/modules/guardrails/assignments/assignments.repository.js';
import type { Statement } from '../../src/persistence/statement.js';

/** Repositories whose statements no request waits for. */
const BACKGROUND =
  /(alert-deliveries|alert-evaluation|audit-verification|catalog-import|delivery|expired-responses|generation-partitions|outbox-bounds|outbox-upkeep|sealed-events|usage-roll-up)\.repository\.ts$/;

/** Every repository. */
const ALL_REPOSITORIES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.repository.ts'))
  .map((file) => path.join('src', file));

/** The files with the statements that requests run. */
export const REPOSITORIES = ALL_REPOSITORIES.filter((file) => !BACKGROUND.test(file));

/** Whether an export of a repository is a named statement that has a plan: settings of a transaction have none. */
function isStatement(value: unknown): value is Statement {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'text' in value &&
    !String(value.text).startsWith('SET ')
  );
}

/** The named statements that a repository exports, those of its resources included. */
export function statementsOf(exports: Readonly<Record<string, unknown>>): Statement[] {
  const exported = Object.values(exports);
  const ofResources = resourcesOf(exports).flatMap((rows) => [
    ...(Object.values(rows) as unknown[]),
    rows.insertion.statement,
  ]);
  return [...new Set([...exported, ...ofResources].filter(isStatement))];
}

/** The resources that a repository exports. */
export function resourcesOf(
  exports: Readonly<Record<string, unknown>>,
): { readonly insertion: { readonly statement: object } }[] {
  return Object.values(exports).filter((exported) => exported instanceof AuditedRows);
}

/** What has a plan: transactions, locks and settings have none. */
export const HAS_PLAN = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;

/** Statements that no repository exports by themselves. */
const ELSEWHERE: readonly unknown[] = [
  INSERT_AUDIT_EVENT,
  auditBatch([]),
  auditBatch(AUDIT_FILTERS),
  filteredAuditPage(AUDIT_FILTERS),
  ...Object.values(KEY_ASSIGNMENTS),
  ...Object.values(MEMBER_ASSIGNMENTS),
];

/** Every statement with a plan that there is, those of the command line and of background work included. */
export async function allStatements(): Promise<Statement[]> {
  const exports = await Promise.all(
    ALL_REPOSITORIES.map(async (file) => statementsOf((await import(path.resolve(file))) as Record<string, unknown>)),
  );
  const named = [...exports.flat(), ...ELSEWHERE].filter(isStatement);
  return [...new Map(named.map((statement) => [statement.name, statement])).values()].filter(({ text }) =>
    HAS_PLAN.test(text),
  );
}
