import { Injectable } from '@nestjs/common';
import {
  type ManagedObject,
  ManagedObjects,
  type NamedObject,
  type ObjectsOfSection,
} from '../../http/managed-objects/managed-objects.js';
import { columnsOf } from '../../persistence/entity-columns.js';
import { insertRowsStatement } from '../../persistence/insert-statement.js';
import { statement } from '../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../persistence/statements.js';
import { AppliedPlanEntity } from './entities/applied-plan.entity.js';
import { ManagedObjectEntity } from './entities/managed-object.entity.js';

/** What files of an organization configure, of one owner or all. */
export const MANAGED_OBJECTS = statement<ManagedObjectEntity, [organizationId: string, owner: string | null]>(
  'managed_objects_of_owner',
  `SELECT ${columnsOf(ManagedObjectEntity, 'm')} FROM managed_objects m
    WHERE m.organization_id = $1 AND ($2::text IS NULL OR m.owner = $2) ORDER BY m.section, m.name, m.object_id`,
);

/** Whose files configure an object, by its id in a path: a workspace may stand there by its slug, and a key by the hash before its last rotation. */
export const OWNER_OF_OBJECT = statement<ManagedObject, [organizationId: string, section: string, id: string]>(
  'managed_object_owner',
  `SELECT m.owner, m.object_id AS "objectId" FROM managed_objects m WHERE m.organization_id = $1 AND m.section IN ($2, 'default_' || $2)
    AND (m.object_id = lower($3) OR m.object_id = $3 OR m.section = 'workspaces' AND m.name = $3
      OR m.section = 'keys' AND m.object_id = (SELECT encode(k.hash, 'hex') FROM api_keys k
        WHERE k.organization_id = $1 AND k.previous_hash_expires_at > now()
          AND k.previous_hash = CASE WHEN $3 ~* '^[0-9a-f]{64}$' THEN decode($3, 'hex') END))`,
);

/** The same for an object whose id in a path is one of its workspace: of the default one for null. */
export const OWNER_OF_OBJECT_IN_WORKSPACE = statement<
  ManagedObject,
  [organizationId: string, section: string, id: string, workspace: string | null]
>(
  'managed_object_owner_in_workspace',
  `SELECT m.owner, m.object_id AS "objectId" FROM managed_objects m WHERE m.organization_id = $1 AND m.section = $2
    AND m.object_id = coalesce(
      lower($4::text),
      (SELECT w.id::text FROM workspaces w WHERE w.organization_id = $1 AND w.is_default)
    ) || '/' || $3::text`,
);

/** Whose files configure some of many objects. */
export const OWNERS_OF_OBJECTS = statement<
  ManagedObject,
  [organizationId: string, section: string, ids: readonly string[]]
>(
  'managed_objects_among',
  `SELECT m.owner, m.object_id AS "objectId" FROM managed_objects m
    WHERE m.organization_id = $1 AND m.section = $2 AND m.object_id = ANY ($3::text[]) ORDER BY m.object_id`,
);

/** Writes which objects an owner has. */
export const PUT_MANAGED_OBJECTS = insertRowsStatement('managed_objects_put', ManagedObjectEntity, [
  'organizationId',
  'section',
  'objectId',
]);

export const REMOVE_MANAGED_OBJECTS = statement<
  never,
  [organizationId: string, section: string, ids: readonly string[]]
>(
  'managed_objects_remove',
  'DELETE FROM managed_objects WHERE organization_id = $1 AND section = $2 AND object_id = ANY ($3::text[])',
);

/** Notes that an object was changed by other means than its files. */
export const NOTE_DRIFT = statement<never, [organizationId: string, section: string, id: string]>(
  'managed_object_drifted',
  `UPDATE managed_objects SET drifted_at = now() WHERE organization_id = $1 AND section IN ($2, 'default_' || $2)
    AND (object_id = lower($3) OR object_id = $3 OR section = 'workspaces' AND name = $3)`,
);

/** Follows a key whose secret, and with it its id in the interface, is another one. */
export const RENAME_MANAGED_KEY = statement<never, [organizationId: string, before: string, after: string]>(
  'managed_key_rename',
  `UPDATE managed_objects SET object_id = $3 WHERE organization_id = $1 AND section = 'keys' AND object_id = $2`,
);

export const APPLIED_PLAN = statement<AppliedPlanEntity, [organizationId: string, owner: string]>(
  'applied_plan',
  `SELECT ${columnsOf(AppliedPlanEntity, 'p')} FROM applied_plans p WHERE p.organization_id = $1 AND p.owner = $2`,
);

export const PUT_APPLIED_PLAN = insertRowsStatement('applied_plan_put', AppliedPlanEntity, ['organizationId', 'owner']);

/** Lets one request at a time apply the files of an owner. */
export const LOCK_OWNER = statement<{ isFree: boolean }, [organizationId: string, owner: string]>(
  'configuration_owner_lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('configuration/' || $1::text || '/' || $2::text, 0)) AS "isFree"`,
);

/** What files configure, and the plans that were applied. */
@Injectable()
export class ConfigurationRepository extends ManagedObjects {
  constructor(private readonly statements: Statements) {
    super();
  }

  async managed(organizationId: string, owner: string | null): Promise<ManagedObjectEntity[]> {
    return this.statements.rows(MANAGED_OBJECTS, [organizationId, owner]);
  }

  override async find({ organizationId, section, id, workspace }: NamedObject): Promise<ManagedObject | undefined> {
    if (workspace === undefined) return this.statements.first(OWNER_OF_OBJECT, [organizationId, section, id]);
    return this.statements.first(OWNER_OF_OBJECT_IN_WORKSPACE, [organizationId, section, id, workspace]);
  }

  override async among(organizationId: string, { section, ids }: ObjectsOfSection): Promise<readonly ManagedObject[]> {
    return this.statements.rows(OWNERS_OF_OBJECTS, [organizationId, section, ids]);
  }

  async put(rows: readonly ManagedObjectEntity[]): Promise<void> {
    if (rows.length > 0) await this.statements.write(PUT_MANAGED_OBJECTS, PUT_MANAGED_OBJECTS.values(rows));
  }

  async remove(organizationId: string, section: string, ids: readonly string[]): Promise<void> {
    await this.statements.write(REMOVE_MANAGED_OBJECTS, [organizationId, section, ids]);
  }

  override async noteDrift(organizationId: string, section: string, objectId: string): Promise<void> {
    await this.statements.write(NOTE_DRIFT, [organizationId, section, objectId]);
  }

  /** Follows a key whose secret, and with it its hash, is another one. @param tx the transaction that rotates it */
  async onKeyRotated(
    tx: Transaction,
    {
      organizationId,
      before,
      after,
    }: { readonly organizationId: string; readonly before: string; readonly after: string },
  ): Promise<void> {
    await tx.write(RENAME_MANAGED_KEY, [organizationId, before, after]);
  }

  /** The id of the last plan of an owner that was applied; undefined for none. */
  async appliedPlan(organizationId: string, owner: string): Promise<string | undefined> {
    return (await this.statements.first(APPLIED_PLAN, [organizationId, owner]))?.planId;
  }

  async putAppliedPlan(plan: AppliedPlanEntity): Promise<void> {
    await this.statements.write(PUT_APPLIED_PLAN, PUT_APPLIED_PLAN.values([plan]));
  }

  /** @returns false while another request applies the files of the owner */
  async lockOwner(runner: StatementRunner, organizationId: string, owner: string): Promise<boolean> {
    return (await runner.first(LOCK_OWNER, [organizationId, owner]))!.isFree;
  }
}
