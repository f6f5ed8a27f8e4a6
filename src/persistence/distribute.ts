import pg from 'pg';
import { DatabaseUnusable, errorMessage } from './database-failures.js';
import { organizationTables, tablesOfClass } from './distribution.js';
import {
  type DistributionFacts,
  type DistributionPlan,
  distributionPlan,
  type TableObject,
} from './distribution-plan.js';
import { MIGRATION_LOCK, migrationStateOf } from './migrate.js';

/** The name of the connection, by which it is told apart from services. */
const APPLICATION_NAME = 'gatehouse distribute';

/** What is planned for a database. */
export interface PlannedDistribution extends DistributionPlan {
  readonly facts: DistributionFacts;
  /** The tables that stay on the coordinator. */
  readonly local: readonly string[];
}

/** A connection that plans and executes the distribution of one database. */
export class Distribution {
  private constructor(
    private readonly url: string,
    private readonly client: pg.Client,
  ) {}

  /**
   * Works with a database; no migration runs meanwhile. The entities of all modules have to be loaded.
   *
   * @param url a postgres:// URL of the coordinator, for the role that owns the tables
   */
  static async of<T>(url: string, work: (distribution: Distribution) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url, application_name: APPLICATION_NAME });
    await client.connect();
    try {
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      return await work(new Distribution(url, client));
    } finally {
      await client.end();
    }
  }

  /**
   * Plans; changes nothing.
   *
   * @throws DatabaseUnusable when the database does not have the extension, or is not migrated
   */
  async plan(): Promise<PlannedDistribution> {
    await this.requireReady();
    const tables = { reference: tablesOfClass('reference'), organization: organizationTables() };
    const facts = await this.facts([...tables.reference, ...tables.organization.map(({ table }) => table)]);
    return { facts, local: tablesOfClass('local'), ...distributionPlan(facts, tables) };
  }

  /** The connections of services and commands to the database, by their names. */
  async connectedServices(): Promise<string[]> {
    return this.names(
      `SELECT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'gatehouse%' ORDER BY 1`,
    );
  }

  /**
   * Executes all of a plan, or nothing.
   *
   * @throws DatabaseUnusable when the server refuses a statement
   */
  async execute({ statements }: DistributionPlan): Promise<void> {
    await this.client.query('BEGIN');
    try {
      for (const statement of statements) await this.client.query(statement);
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK');
      throw new DatabaseUnusable(`Nothing was changed: ${errorMessage(error)}`, { cause: error });
    }
  }

  private async requireReady(): Promise<void> {
    const [known] = await this.rows<{ database: string; has_extension: boolean }>(KNOWN);
    if (!known!.has_extension) throw new DatabaseUnusable(withoutExtension(known!.database));
    const { pending } = await migrationStateOf(this.url);
    if (pending > 0) {
      throw new DatabaseUnusable(
        `Nothing was changed: ${pending} migrations are pending. Run \`gatehouse migrate\` first.`,
      );
    }
  }

  /** @param tables that are to be distributed */
  private async facts(tables: readonly string[]): Promise<DistributionFacts> {
    const [known] = await this.rows<{ database: string; citus: string; has_metadata: boolean }>(EXTENSION);
    return {
      citus: known!.citus,
      database: known!.database,
      isEmpty: await this.isEmpty(tables),
      distributed: known!.has_metadata ? await this.names(DISTRIBUTED_TABLES) : [],
      foreignKeys: await this.rows<TableObject>(FOREIGN_KEYS),
      triggers: await this.rows<TableObject>(TRIGGERS),
      indexesWithoutOrganization: await this.rows<TableObject>(INDEXES_WITHOUT_ORGANIZATION),
      functions: await this.names(FUNCTIONS),
    };
  }

  /** One table after another, because the extension refuses to look at many at once. */
  private async isEmpty(tables: readonly string[]): Promise<boolean> {
    for (const table of tables) {
      const [found] = await this.rows<{ has_rows: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM ${pg.escapeIdentifier(table)}) AS has_rows`,
      );
      if (found!.has_rows) return false;
    }
    return true;
  }

  private async names(query: string): Promise<string[]> {
    return (await this.rows<{ name: string }>(query)).map(({ name }) => name);
  }

  private async rows<Row extends pg.QueryResultRow>(query: string): Promise<Row[]> {
    return (await this.client.query<Row>(query)).rows;
  }
}

function withoutExtension(database: string): string {
  return (
    `Nothing was changed: the database ${database} does not have the extension citus. Create it on the coordinator and on every worker, and ` +
    'add the workers to the coordinator (docs/deploy/citus.md). A single PostgreSQL needs no distribution.'
  );
}

const KNOWN = `SELECT current_database() AS database, to_regproc('citus_version') IS NOT NULL AS has_extension`;

const EXTENSION = `SELECT current_database() AS database, citus_version() AS citus, to_regclass('pg_dist_partition') IS NOT NULL AS has_metadata`;

const DISTRIBUTED_TABLES = `SELECT c.relname AS name FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
  WHERE c.relnamespace = current_schema()::regnamespace`;

/** The tables of the schema, without partitions: these follow their tables. */
const OURS = `c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

const FOREIGN_KEYS = `SELECT c.relname AS table, o.conname AS name, pg_get_constraintdef(o.oid) AS definition
  FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE o.contype = 'f' AND ${OURS} ORDER BY 1, 2`;

const TRIGGERS = `SELECT c.relname AS table, t.tgname AS name, pg_get_triggerdef(t.oid) AS definition
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND ${OURS} ORDER BY 1, 2`;

const INDEXES_WITHOUT_ORGANIZATION = `SELECT c.relname AS table, n.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
  WHERE i.indisunique AND NOT a.attnum = ANY (i.indkey) AND ${OURS}
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid) ORDER BY 1, 2`;

/** Only roles that could before may execute what runs with the privileges of its owner. */
const FUNCTIONS = `SELECT made.statement AS name FROM pg_proc p CROSS JOIN LATERAL (VALUES
      (1, pg_get_functiondef(p.oid)),
      (2, CASE WHEN NOT has_function_privilege('public', p.oid, 'EXECUTE')
        THEN format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure) END)
    ) AS made (position, statement)
  WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f' AND made.statement IS NOT NULL
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
  ORDER BY p.oid, made.position`;
