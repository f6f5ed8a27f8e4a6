import { Injectable } from '@nestjs/common';
import { type ListedRow, listedColumnsOf } from '../../persistence/listed-columns.js';
import { insertStatement } from '../../persistence/insert-statement.js';
import { rowsOfOrganizations } from '../../persistence/rows-of-organizations.js';
import { statement } from '../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../persistence/statements.js';
import { updateStatement } from '../../persistence/update-statement.js';
import { LargeRows } from '../organization-limits/large-rows.js';
import { quotaStatement } from '../../persistence/quota-statement.js';
import { countedPage, type Page, type PageRequest, VIEW_BY_NAME } from '../../persistence/page-statement.js';
import { type Actor, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import type { AuditedEvent } from '../audit/audited-event.js';
import type { KeyRotationListener, RotatedKey } from '../keys/key-rotation-listeners.js';
import { workspaceOrDefault } from '../workspaces/workspace-or-default.js';
import type { DestinationType } from './destination-settings.js';
import { DestinationEntity } from './entities/destination.entity.js';
import { locking, rowById, rowsByIds } from '../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW, UPDATED_NOW } from '../../persistence/row-times.js';

/** How many destinations an organization has, against its quota. */
export const DESTINATIONS_QUOTA = quotaStatement('destinations_quota', 'destinations', 'observability_destinations');

/** A destination of an organization. */
export const DESTINATION_BY_ID = rowById('observability_destination_by_id', DestinationEntity);

export const LOCK_DESTINATION_FOR_UPDATE = locking(
  'observability_destination_for_update',
  DESTINATION_BY_ID,
  'FOR UPDATE',
);

const WORKSPACE = workspaceOrDefault('$2::uuid');

/** A page of a workspace's destinations. */
export const DESTINATIONS_PAGE = countedPage<
  ListedRow<DestinationEntity>,
  [organizationId: string, workspaceId: string | null]
>({
  name: 'observability_destinations_page',
  entity: DestinationEntity,
  where: `organization_id = $1 AND workspace_id = ${WORKSPACE}`,
  parameters: 2,
  scope: `$1 || '/' || ${WORKSPACE}`,
  order: ['createdAt', 'id'],
  columns: listedColumnsOf(DestinationEntity, 'item', ['apiKeyHashes', 'filterRules', 'encryptedConfig']),
  view: VIEW_BY_NAME,
});

export const DESTINATIONS_BY_IDS = rowsByIds('observability_destinations_by_ids', DestinationEntity);

// Creations of destinations of one type in one workspace take turns, so that each sees those of the others.
export const LOCK_DESTINATIONS_OF_TYPE = statement<object, [workspaceId: string, type: DestinationType]>(
  'observability_destinations_take_turns',
  "SELECT pg_advisory_xact_lock(hashtextextended('observability_destinations/' || $1::text || '/' || $2::text, 0))",
);

export const COUNT_DESTINATIONS_OF_TYPE = statement<
  { count: number },
  [organizationId: string, workspaceId: string, type: DestinationType]
>(
  'observability_destinations_count_of_type',
  `SELECT count(*)::int AS count FROM observability_destinations
    WHERE organization_id = $1 AND workspace_id = $2 AND type = $3`,
);

export const INSERT_DESTINATION = insertStatement(
  'observability_destination_insert',
  DestinationEntity,
  CREATED_AND_UPDATED_NOW,
);

export const UPDATE_DESTINATION = updateStatement('observability_destination_update', DestinationEntity, UPDATED_NOW);

// A rotated key is the same key, and the destination has not been changed, so its time of change stays.
export const REPLACE_KEY_HASH_IN_DESTINATIONS = statement<
  never,
  [organizationId: string, before: string, after: string]
>(
  'observability_destinations_replace_key_hash',
  `UPDATE observability_destinations SET api_key_hashes = array_replace(api_key_hashes, $2::text, $3::text)
    WHERE organization_id = $1 AND $2::text = ANY (api_key_hashes)`,
);

/** Deletes a destination and records it. */
export const DELETE_DESTINATION = auditedStatement<never, [organizationId: string, id: string]>(
  'observability_destination_delete',
  'DELETE FROM observability_destinations WHERE organization_id = $1 AND id = $2',
  2,
);

// Across all organizations: the key is the deployment's, and so is the command that changes it.
export const CONFIGS_AFTER = statement<StoredConfig, [organizationId: string, after: string, limit: number]>(
  'observability_configs_batch',
  `SELECT id, organization_id AS "organizationId", workspace_id AS "workspaceId", type,
      encrypted_config AS "encryptedConfig"
    FROM observability_destinations
    WHERE (organization_id, id) > ($1, $2::uuid) ORDER BY organization_id, id LIMIT $3`,
);

export const REPLACE_CONFIG = statement<
  never,
  [organizationId: string, id: string, known: Buffer, replacement: Buffer]
>(
  'observability_config_replace',
  `UPDATE observability_destinations SET encrypted_config = $4
    WHERE organization_id = $1 AND id = $2 AND encrypted_config = $3`,
);

/** A configuration as it is stored. */
export type StoredConfig = Pick<
  DestinationEntity,
  'id' | 'organizationId' | 'workspaceId' | 'type' | 'encryptedConfig'
>;

/** Makes the queue of a destination, which its deliveries are sent from. */
export const INSERT_QUEUE = statement<never, [organizationId: string, destinationId: string]>(
  'broadcast_queue_insert',
  'INSERT INTO broadcast_queues (organization_id, destination_id, next_at) VALUES ($1, $2, now())',
);

/** Sends again at once what waits, because the destination has changed. */
export const RESUME_QUEUE = statement<never, [organizationId: string, destinationId: string]>(
  'broadcast_queue_resume',
  `UPDATE broadcast_queues SET state = 'active', failures = 0, next_at = now(), encoding = NULL, last_status = NULL,
      last_error = NULL, last_error_at = NULL, last_note = NULL, last_note_at = NULL
    WHERE organization_id = $1 AND destination_id = $2`,
);

/** Has what waits dropped, because it was meant for another address. */
export const DROP_QUEUED = statement<never, [organizationId: string, destinationId: string]>(
  'broadcast_queue_drop',
  'UPDATE broadcast_queues SET drop_before = now() WHERE organization_id = $1 AND destination_id = $2',
);

/** The rows of destinations. */
@Injectable()
export class ObservabilityRepository implements KeyRotationListener {
  constructor(
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
  ) {}

  /** @param id in UUID form */
  async find(organizationId: string, id: string): Promise<DestinationEntity | undefined> {
    return this.statements.first(DESTINATION_BY_ID, [organizationId, id]);
  }

  /** Locks it against changes by others until the end of the transaction. */
  async lockForUpdate(tx: Transaction, organizationId: string, id: string): Promise<DestinationEntity | undefined> {
    return tx.first(LOCK_DESTINATION_FOR_UPDATE, [organizationId, id]);
  }

  /** @param workspaceId undefined for the organization's default workspace */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    request: PageRequest,
  ): Promise<Page<DestinationEntity>> {
    const page = await this.statements.page(DESTINATIONS_PAGE, [organizationId, workspaceId ?? null], request);
    return this.largeRows.complete(organizationId, page, DESTINATIONS_BY_IDS);
  }

  /** How many destinations of a type a workspace has, locked against changes by others until the end of the transaction. */
  async countOfType(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    type: DestinationType,
  ): Promise<number> {
    await tx.rows(LOCK_DESTINATIONS_OF_TYPE, [workspaceId, type]);
    const row = await tx.first(COUNT_DESTINATIONS_OF_TYPE, [organizationId, workspaceId, type]);
    return row?.count ?? 0;
  }

  /** @returns the destination as it is stored */
  async insert(
    tx: Transaction,
    destination: Omit<DestinationEntity, 'createdAt' | 'updatedAt'>,
  ): Promise<DestinationEntity> {
    const values = INSERT_DESTINATION.values(destination);
    const stored = { ...destination, ...(await tx.first(INSERT_DESTINATION, values))! };
    await tx.write(INSERT_QUEUE, [destination.organizationId, destination.id]);
    return stored;
  }

  /**
   * Writes a destination, and when it was changed, and resumes its deliveries.
   *
   * @param tx holds the destination
   * @param dropsWaiting whether what waits was meant for another address
   * @returns it as it is stored
   */
  async update(tx: Transaction, destination: DestinationEntity, dropsWaiting: boolean): Promise<DestinationEntity> {
    const values = UPDATE_DESTINATION.values(destination);
    const stored = { ...destination, ...(await tx.first(UPDATE_DESTINATION, values))! };
    const queue = [destination.organizationId, destination.id] as const;
    await tx.write(RESUME_QUEUE, [...queue]);
    if (dropsWaiting) await tx.write(DROP_QUEUED, [...queue]);
    return stored;
  }

  /** @param runner the transaction that holds it, if there is one @returns whether there was such a destination */
  async delete(
    organizationId: string,
    id: string,
    actor: Actor,
    event: AuditedEvent,
    runner: StatementRunner = this.statements,
  ): Promise<boolean> {
    const values = DELETE_DESTINATION.values([organizationId, id], auditEventOf(organizationId, actor, event));
    return (await runner.write(DELETE_DESTINATION, values)) > 0;
  }

  /** Every configuration of the deployment, one organization after the other, read in batches while it goes on. */
  allConfigs(): AsyncGenerator<StoredConfig> {
    return rowsOfOrganizations((after) => this.statements.rows(CONFIGS_AFTER, after));
  }

  /** Replaces the old hash of a key by the new one, in every destination that names it. */
  async onKeyRotated(tx: Transaction, { organizationId, before, after }: RotatedKey): Promise<void> {
    await tx.write(REPLACE_KEY_HASH_IN_DESTINATIONS, [organizationId, before, after]);
  }

  /** Replaces a configuration, unless it has changed since it was read. @returns whether it has been replaced */
  async replaceConfig({ organizationId, id, encryptedConfig: known }: StoredConfig, config: Buffer): Promise<boolean> {
    return (await this.statements.write(REPLACE_CONFIG, [organizationId, id, known, config])) === 1;
  }
}
