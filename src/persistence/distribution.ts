import { entityColumns, tableOf } from './entity-columns.js';

/**
 * How an engine that distributes tables holds one (docs/scaling.md#distribution-by-organization):
 * - `organization`: rows of organizations, each on the node that has the organization, beside its rows of all other such tables
 * - `reference`: whole on every node, because foreign keys or joins of rows of organizations need it
 * - `local`: on the coordinator alone
 */
export type TableClass = 'organization' | 'reference' | 'local';

/** A table and how it is distributed. */
export interface DeclaredTable {
  readonly table: string;
  readonly tableClass: TableClass;
}

/** A table of rows of organizations. */
export interface OrganizationTable {
  readonly table: string;
  readonly column: string;
}

type EntityClass = new () => object;

const declared = new Map<EntityClass, TableClass>();

/** The table of organizations, by whose keys all others are distributed. */
export const ORGANIZATIONS = 'organizations';

/** Tables without an entity: the one that TypeORM keeps. */
const WITHOUT_ENTITY: readonly DeclaredTable[] = [{ table: 'schema_migrations', tableClass: 'local' }];

/** Declares how the table of an entity is distributed; every entity does. */
export function Distributed(tableClass: TableClass): ClassDecorator {
  return (entity) => void declared.set(entity as unknown as EntityClass, tableClass);
}

/** Every table of the entities that are loaded, and how it is distributed, by name. */
export function declaredTables(): DeclaredTable[] {
  const ofEntities = [...declared].map(([entity, tableClass]) => ({ table: tableOf(entity), tableClass }));
  return [...ofEntities, ...WITHOUT_ENTITY].sort((a, b) => (a.table < b.table ? -1 : 1));
}

/** The tables of a class, by name. */
export function tablesOfClass(wanted: TableClass): string[] {
  return declaredTables().flatMap(({ table, tableClass }) => (tableClass === wanted ? [table] : []));
}

/** The tables of rows of organizations: that of organizations first, the others by name. */
export function organizationTables(): OrganizationTable[] {
  return [...declared]
    .filter(([, tableClass]) => tableClass === 'organization')
    .map(([entity]) => {
      const isOrganization = entityColumns(entity).every(({ name }) => name !== 'organization_id');
      return { table: tableOf(entity), column: isOrganization ? 'id' : 'organization_id' };
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.table < b.table ? -1 : 1));
}

function rankOf({ table }: OrganizationTable): number {
  return table === ORGANIZATIONS ? 0 : 1;
}
