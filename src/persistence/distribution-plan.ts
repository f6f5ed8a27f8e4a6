import pg from 'pg';
import { ORGANIZATIONS, type OrganizationTable } from './distribution.js';

/** What has to be known of a database to distribute its tables. */
export interface DistributionFacts {
  /** The version of the extension, as it describes itself. */
  readonly citus: string;
  readonly database: string;
  /** Whether no table that would be distributed has rows. */
  readonly isEmpty: boolean;
  readonly distributed: readonly string[];
  readonly foreignKeys: readonly TableObject[];
  readonly triggers: readonly TableObject[];
  /** Unique indexes, but for those of constraints, that do not have the organization. */
  readonly indexesWithoutOrganization: readonly TableObject[];
  /** CREATE OR REPLACE FUNCTION, for each function of the schema, with what else makes it what it is. */
  readonly functions: readonly string[];
}

/** A constraint, trigger or index of a table. */
export interface TableObject {
  readonly table: string;
  readonly name: string;
  /** For a constraint, what follows its name; otherwise the statement that creates the object. */
  readonly definition: string;
}

/** What makes a database one that is distributed. */
export interface DistributionPlan {
  /** The tables that become reference tables. */
  readonly reference: readonly string[];
  readonly organization: readonly OrganizationTable[];
  /** What those tables have that is dropped and made again. */
  readonly moved: MovedObjects;
  /** The statements, to be executed in one transaction; none when all tables are distributed already. */
  readonly statements: readonly string[];
}

/** Foreign keys, triggers and indexes, which are dropped before tables are distributed and made anew afterwards. */
export interface MovedObjects {
  readonly foreignKeys: readonly TableObject[];
  readonly triggers: readonly TableObject[];
  /** Made again with the organization in them. */
  readonly indexes: readonly TableObject[];
}

/** How every table of the schema is meant to be held. */
export interface TablesByClass {
  readonly reference: readonly string[];
  readonly organization: readonly OrganizationTable[];
}

/** Settings of the transaction. */
const SETTINGS = [
  // Unknown users of the database make it fail, and do not make everyone wait.
  `SET LOCAL lock_timeout = '10s'`,
  // Triggers keep to the organization of their row, as the extension cannot know.
  'SET LOCAL citus.enable_unsafe_triggers = on',
  // One connection to each node, as foreign keys to reference tables ask for.
  `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
  // A function may name a type or a table that its node gets later.
  'SET LOCAL check_function_bodies = off',
];

/**
 * Plans how tables that are on one server become distributed ones: reference tables first, then those of organizations beside each other.
 *
 * Foreign keys are dropped and made again, because none may lead from a table that is distributed to one that is not yet, or back. So are
 * triggers, which would otherwise fire for each row that moves to a node. Functions are made again because only the nodes that are there at
 * the time get them, and the extension knows those alone that triggers execute, and not those that these call.
 */
export function distributionPlan(facts: DistributionFacts, declared: TablesByClass): DistributionPlan {
  const isOpen = (table: string): boolean => !facts.distributed.includes(table);
  const reference = declared.reference.filter(isOpen);
  const organization = declared.organization.filter(({ table }) => isOpen(table));
  const tables = [...reference, ...organization.map(({ table }) => table)];
  const ofTables = (objects: readonly TableObject[]): TableObject[] =>
    objects.filter(({ table }) => tables.includes(table));
  const moved = {
    foreignKeys: ofTables(facts.foreignKeys),
    triggers: ofTables(facts.triggers),
    indexes: ofTables(facts.indexesWithoutOrganization),
  };
  const statements = tables.length === 0 ? [] : statementsOf(facts, { reference, organization, moved });
  return { reference, organization, moved, statements };
}

function statementsOf(
  { isEmpty, functions }: DistributionFacts,
  { reference, organization, moved }: Omit<DistributionPlan, 'statements'>,
): string[] {
  const { foreignKeys, triggers, indexes } = moved;
  const tables = [...reference, ...organization.map(({ table }) => table)];
  return [
    ...SETTINGS,
    ...triggers.map(({ table, name }) => `DROP TRIGGER ${quoted(name)} ON ${quoted(table)}`),
    ...foreignKeys.map(({ table, name }) => `ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`),
    ...indexes.map(({ name }) => `DROP INDEX ${quoted(name)}`),
    ...reference.map((table) => `SELECT create_reference_table(${literal(table)})`),
    ...organization.map(distribution),
    // What was moved to the nodes stays on the coordinator otherwise, where nothing reads it.
    ...(isEmpty ? [] : tables.map((table) => `SELECT truncate_local_data_after_distributing_table(${literal(table)})`)),
    ...indexes.map(({ definition }) => uniqueInOrganization(definition)),
    ...foreignKeys.map(
      ({ table, name, definition }) => `ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`,
    ),
    ...functions,
    ...triggers.map(({ definition }) => definition),
  ];
}

function distribution({ table, column }: OrganizationTable): string {
  const beside = table === ORGANIZATIONS ? 'none' : ORGANIZATIONS;
  return `SELECT create_distributed_table(${literal(table)}, ${literal(column)}, colocate_with => ${literal(beside)})`;
}

/** An index with the organization behind its columns, because the nodes can keep nothing else unique. */
function uniqueInOrganization(definition: string): string {
  return definition.replace(/(USING \w+ \([^()]*)\)/, '$1, organization_id)');
}

/** As PostgreSQL writes the names of this schema in its own definitions: without quotation marks where they need none. */
function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : pg.escapeIdentifier(name);
}

function literal(text: string): string {
  return pg.escapeLiteral(text);
}
