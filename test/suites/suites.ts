import { specsBelow } from './load-specs.js';

/** One of several equal parts of the specs of a folder that has too many for one suite. @param part from 1 on */
const partOf = (part: number, of: number, folder: string): string[] =>
  specsBelow([folder]).filter((_, index) => index % of === part - 1);

/**
 * Which specs run together in `npm test`, by the name of the suite's file. None takes much longer than another, so that
 * the workers end at the same time.
 */
export const SUITES = {
  architecture: ['test/architecture', 'test/database/tenancy.e2e-spec.ts', 'test/e2e/docs'],
  audit: [
    'test/e2e/audit',
    'test/database/audit-trail.e2e-spec.ts',
    'test/e2e/catalog',
    'test/e2e/limits',
    'test/e2e/organizations',
  ],
  boot: ['test/e2e/boot'],
  database: [
    'test/database/constraint-errors.e2e-spec.ts',
    'test/database/credential-partitions.e2e-spec.ts',
    'test/database/described-statements.e2e-spec.ts',
    'test/database/distribution-rules.e2e-spec.ts',
    'test/database/generation-partitions.e2e-spec.ts',
    'test/database/insert-once.e2e-spec.ts',
    'test/database/key-spend-totals.e2e-spec.ts',
    'test/database/long-lists.e2e-spec.ts',
    'test/database/migration-command-line.e2e-spec.ts',
    'test/database/migration-row-counts.e2e-spec.ts',
    'test/database/migration.e2e-spec.ts',
    'test/database/pages.e2e-spec.ts',
    'test/database/partitions.e2e-spec.ts',
    'test/database/plans.e2e-spec.ts',
    'test/database/role-ranks.e2e-spec.ts',
    'test/database/service-role.e2e-spec.ts',
    'test/database/transaction-begin.e2e-spec.ts',
    'test/database/transaction.e2e-spec.ts',
    'test/database/usage-partitions.e2e-spec.ts',
  ],
  guardrails: ['test/e2e/guardrails'],
  http: ['test/e2e/http'],
  'inference-1': partOf(1, 3, 'test/e2e/inference'),
  'inference-2': partOf(2, 3, 'test/e2e/inference'),
  'inference-3': partOf(3, 3, 'test/e2e/inference'),
  keys: ['test/e2e/keys'],
  observability: ['test/e2e/observability', 'test/e2e/presets', 'test/e2e/providers'],
  telemetry: [
    'test/database/blocked-loop.e2e-spec.ts',
    'test/database/connection-settings.e2e-spec.ts',
    'test/database/lookup-connection.e2e-spec.ts',
    'test/database/pooled-client.e2e-spec.ts',
    'test/database/pooler.e2e-spec.ts',
    'test/database/read-only-server.e2e-spec.ts',
    'test/e2e/metrics',
    'test/e2e/tracing',
  ],
  units: ['src', 'packages'],
  workspaces: ['test/e2e/scim', 'test/e2e/usage', 'test/e2e/workspaces'],
} as const;
