import { Injectable } from '@nestjs/common';
import { NIL as NIL_UUID } from 'uuid';
import { columnsOf } from '../../database/entity-columns.js';
import { insertStatement } from '../../database/insert-statement.js';
import { PageReader } from '../../database/page-reader.js';
import { resumablePage } from '../../database/resumable-page.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { updateStatement } from '../../database/update-statement.js';
import { quotaStatement } from '../../limits/quotas.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { type Actor, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import type { AuditedEvent } from '../audit/audited-event.js';
import type { DestinationType } from './destination-type.js';
import { DestinationEntity } from './entities/destination.entity.js';
import type { NewDestinationRow } from './new-destination.js';

/** How many destinations an organization has, against its quota. */
export const DESTINATIONS_QUOTA = quotaStatement('destinations_quota', {
  kind: 'destinations',
  table: 'observability_destinations',
});

/** A destination of an organization. */
export const DESTINATION_BY_ID = {
  name: 'observability_destination_by_id',
  text: `SELECT ${columnsOf(DestinationEntity, 'd')} FROM observability_destinations d
    WHERE d.organization_id = $1 AND d.id = $2`,
};

export const DESTINATION_FOR_UPDATE = {
  name: 'observability_destination_for_update',
  text: `${DESTINATION_BY_ID.text} FOR UPDATE`,
};

// The default workspace is looked up inside the statement, which saves a round trip.
const WORKSPACE = 'coalesce($2::uuid, (SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default))';

/** A page of a workspace's destinations. */
export const DESTINATIONS_PAGE = resumablePage({
  name: 'observability_destinations_page',
  entity: DestinationEntity,
  where: `organization_id = $1 AND workspace_id = ${WORKSPACE}`,
  parameters: 2,
  scope: `$1 || '/' || ${WORKSPACE}`,
  order: ['createdAt', 'id'],
});

// Whoever makes destinations of one type in one workspace takes turns, so that each sees those of the others.
export const TAKE_TURNS = {
  name: 'observability_destinations_take_turns',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('observability_destinations/' || $1::text || '/' || $2::text, 0))",
};

export const COUNT_OF_TYPE = {
  name: 'observability_destinations_count_of_type',
  text: `SELECT count(*)::int AS count FROM observability_destinations
    WHERE organization_id = $1 AND workspace_id = $2 AND type = $3`,
};

// The database says when: the clocks of replicas may differ, and the list is in this order.
export const INSERT_DESTINATION = insertStatement('observability_destination_insert', DestinationEntity, {
  createdAt: 'now()',
  updatedAt: 'now()',
});

// Not now(): the transaction may have begun before the one whose change it waited for.
export const UPDATE_DESTINATION = updateStatement(
  'observability_destination_update',
  DestinationEntity,
  ['organizationId', 'id'],
  { updatedAt: 'clock_timestamp()' },
);

// A rotated key is the same key: nobody has changed the destination, so its time of change stays.
export const REPLACE_KEY_HASH = {
  name: 'observability_destinations_replace_key_hash',
  text: `UPDATE observability_destinations SET api_key_hashes = array_replace(api_key_hashes, $2::text, $3::text)
    WHERE organization_id = $1 AND $2::text = ANY (api_key_hashes)`,
};

/** Deletes a destination and records it. */
export const DELETE_DESTINATION = auditedStatement(
  'observability_destination_delete',
  'DELETE FROM observability_destinations WHERE organization_id = $1 AND id = $2',
  2,
);

// Across all organizations: the key is the deployment's, and so is the command that changes it.
export const CONFIGS_BATCH = {
  name: 'observability_configs_batch',
  text: `SELECT id, organization_id AS "organizationId", workspace_id AS "workspaceId", type,
      encrypted_config AS "encryptedConfig"
    FROM observability_destinations WHERE id > $1 ORDER BY id LIMIT $2`,
};

export const REPLACE_CONFIG = {
  name: 'observability_config_replace',
  text: 'UPDATE observability_destinations SET encrypted_config = $3 WHERE id = $1 AND encrypted_config = $2',
};

/** How many configurations are read at once. */
const CONFIGS_AT_ONCE = 100;

/** A configuration as it is stored. */
export type StoredConfig = Pick<
  DestinationEntity,
  'id' | 'organizationId' | 'workspaceId' | 'type' | 'encryptedConfig'
>;

type DestinationTimes = Pick<DestinationEntity, 'createdAt' | 'updatedAt'>;

/** The rows of destinations. */
@Injectable()
export class ObservabilityRepository {
  constructor(
    private readonly statements: Statements,
    private readonly pages: PageReader,
  ) {}

  /** @param id in UUID form */
  async find(organizationId: string, id: string): Promise<DestinationEntity | undefined> {
    return this.statements.first(DESTINATION_BY_ID, [organizationId, id]);
  }

  /** Nobody else changes it until the end of the transaction. */
  async findForUpdate(on: StatementRunner, organizationId: string, id: string): Promise<DestinationEntity | undefined> {
    return on.first(DESTINATION_FOR_UPDATE, [organizationId, id]);
  }

  /** @param workspaceId undefined for the organization's default workspace */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    window: PageWindow,
  ): Promise<Page<DestinationEntity>> {
    return this.pages.read(DESTINATIONS_PAGE, [organizationId, workspaceId ?? null], window);
  }

  /** How many destinations of a type a workspace has, which nobody else changes until the end of the transaction. */
  async countOfType(
    on: StatementRunner,
    organizationId: string,
    workspaceId: string,
    type: DestinationType,
  ): Promise<number> {
    await on.rows(TAKE_TURNS, [workspaceId, type]);
    const row = await on.first<{ count: number }>(COUNT_OF_TYPE, [organizationId, workspaceId, type]);
    return row?.count ?? 0;
  }

  /** @returns the destination as it is stored */
  async insert(on: StatementRunner, destination: NewDestinationRow): Promise<DestinationEntity> {
    const values = INSERT_DESTINATION.values(destination);
    return { ...destination, ...(await on.first<DestinationTimes>(INSERT_DESTINATION, values))! };
  }

  /** Writes a destination, and when it was changed. @param on holds the destination @returns it as it is stored */
  async update(on: StatementRunner, destination: DestinationEntity): Promise<DestinationEntity> {
    const values = UPDATE_DESTINATION.values(destination);
    return { ...destination, ...(await on.first<Pick<DestinationTimes, 'updatedAt'>>(UPDATE_DESTINATION, values))! };
  }

  /** @returns whether there was such a destination */
  async delete(organizationId: string, id: string, actor: Actor, event: AuditedEvent): Promise<boolean> {
    const values = DELETE_DESTINATION.values([organizationId, id], auditEventOf(organizationId, actor, event));
    return (await this.statements.write(DELETE_DESTINATION, values)) > 0;
  }

  /** Every configuration of the deployment, by the id of its destination, read in batches while it goes on. */
  async *allConfigs(): AsyncGenerator<StoredConfig> {
    let after: string | undefined;
    do {
      const batch: StoredConfig[] = await this.statements.rows(CONFIGS_BATCH, [after ?? NIL_UUID, CONFIGS_AT_ONCE]);
      yield* batch;
      after = batch.at(-1)?.id;
    } while (after !== undefined);
  }

  /** Puts the new hash of a key in the place of its old one, in every destination that names it. */
  async replaceKeyHash(on: StatementRunner, organizationId: string, before: string, after: string): Promise<void> {
    await on.write(REPLACE_KEY_HASH, [organizationId, before, after]);
  }

  /** Replaces a configuration, unless it has changed since it was read. @returns whether it has been replaced */
  async replaceConfig({ id, encryptedConfig: known }: StoredConfig, config: Buffer): Promise<boolean> {
    return (await this.statements.write(REPLACE_CONFIG, [id, known, config])) === 1;
  }
}
