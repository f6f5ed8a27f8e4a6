// Every entity declares how its table is distributed, so all of them have to be loaded.
import '../app.module.js';
import { Command } from 'commander';
import { loadEnvironment, requireNoServer } from '../bootstrap/load-environment.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { Distribution, type PlannedDistribution } from '../persistence/distribute.js';
import { type OpenDatabase, openDatabase } from '../persistence/open-database.js';
import { waitForDatabase } from '../persistence/wait-for-database.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface DistributeOptions extends JsonOption {
  readonly dryRun?: boolean;
  /** The name of the database, as the operator wrote it. */
  readonly confirm?: string;
}

/** `gatehouse distribute`: spreads the tables of organizations over the nodes of a Citus cluster (docs/deploy/citus.md). */
export function distributeCommand(): Command {
  return withJson(new Command('distribute'))
    .option('--dry-run', 'only print the plan')
    .option('--confirm <name>', 'the name of the database, to distribute it although it has rows')
    .action(async (options: DistributeOptions) => {
      requireNoServer();
      const environment = loadEnvironment();
      const database = await openDatabase(environment, 'share', () => undefined);
      try {
        await waitForDatabase(database, 0, () => undefined);
        await distribute(database, options);
      } finally {
        await database.close();
      }
    });
}

async function distribute(database: OpenDatabase, options: DistributeOptions): Promise<void> {
  await Distribution.of(database.migrationUrl, async (distribution) => {
    const plan = await distribution.plan();
    const isExecuted = mayExecute(plan, options);
    if (isExecuted) {
      await requireNoService(distribution);
      await distribution.execute(plan);
    }
    printResult(options, toJson(plan, isExecuted), ...describe(plan), outcomeOf(plan, isExecuted));
  });
}

/** @throws UsageError for a confirmation that names another database */
function mayExecute(
  { facts, statements }: PlannedDistribution,
  { dryRun = false, confirm }: DistributeOptions,
): boolean {
  if (confirm !== undefined && confirm !== facts.database) {
    throw new UsageError(`Nothing was changed: the database is ${facts.database}, and not ${confirm}.`);
  }
  return statements.length > 0 && !dryRun && (facts.isEmpty || confirm !== undefined);
}

/** @throws UsageError while a service or another command is connected */
async function requireNoService(distribution: Distribution): Promise<void> {
  const connected = await distribution.connectedServices();
  if (connected.length > 0) {
    throw new UsageError(
      `Nothing was changed: ${connected.length} connections of services or commands are open (${[...new Set(connected)].join(', ')}). ` +
        'Stop every replica first.',
    );
  }
}

function describe({ facts, reference, organization, local, moved, statements }: PlannedDistribution): string[] {
  if (statements.length === 0) return [];
  const columns = organization.map(({ table, column }) =>
    column === 'organization_id' ? table : `${table} by ${column}`,
  );
  return [
    `${facts.citus}; database ${facts.database}, ${facts.isEmpty ? 'without rows of organizations' : 'with rows of organizations'}`,
    `Reference tables, whole on every node: ${listOf(reference)}`,
    `Distributed by organization_id, beside each other: ${listOf(columns)}`,
    `Local tables, on the coordinator alone: ${listOf(local)}`,
    `Unique in an organization from now on, and not across organizations: ${listOf(moved.indexes.map(({ name }) => name))}`,
    `Dropped and made again: ${moved.triggers.length} triggers, ${moved.foreignKeys.length} foreign keys`,
    `${statements.length} statements in one transaction; --json prints them.`,
  ];
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function outcomeOf({ facts, statements }: PlannedDistribution, isExecuted: boolean): string {
  if (statements.length === 0) return 'All tables are distributed already.';
  if (isExecuted) return 'Done.';
  const confirmation = facts.isEmpty
    ? ''
    : ` To distribute it, stop every replica and add --confirm ${facts.database}.`;
  return `Nothing was changed.${confirmation}`;
}

function toJson(
  { facts, reference, organization, local, statements }: PlannedDistribution,
  isExecuted: boolean,
): object {
  return {
    citus: facts.citus,
    database: facts.database,
    is_empty: facts.isEmpty,
    reference,
    organization,
    local,
    statements,
    executed: isExecuted,
  };
}
