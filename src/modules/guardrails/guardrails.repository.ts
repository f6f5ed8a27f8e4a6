import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { LargeRows, type ListedRow, listedColumnsOf, rowsByIds } from '../../database/large-rows.js';
import { rowInsert } from '../../database/insert-statement.js';
import { PageReader } from '../../database/page-reader.js';
import { resumablePage } from '../../database/resumable-page.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { updateStatement } from '../../database/update-statement.js';
import { quotaStatement } from '../../limits/quotas.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { type Actor, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import type { AuditedEvent } from '../audit/audited-event.js';
import type { GuardedWorkspace } from './default-guardrail.js';
import { GuardrailEntity } from './entities/guardrail.entity.js';

/** How many guardrails an organization has, against its quota. */
export const GUARDRAILS_QUOTA = quotaStatement('guardrails_quota', { kind: 'guardrails', table: 'guardrails' });

/** The row of a guardrail to be made, but for the time at which the database makes it. */
export type NewGuardrailRow = Omit<GuardrailEntity, 'createdAt'>;

// The database says when: the clocks of replicas may differ, and the list is in this order.
export const GUARDRAIL_INSERT = rowInsert(GuardrailEntity, { createdAt: 'now()' });

/** Inserts a guardrail and records it. */
export const CREATE_GUARDRAIL = auditedStatement(
  'guardrail_create',
  `${GUARDRAIL_INSERT.into} VALUES (${GUARDRAIL_INSERT.parameters})`,
  GUARDRAIL_INSERT.count,
  { returning: 'created_at', answer: '(SELECT created_at FROM change) AS "createdAt"' },
);

// A default guardrail is as old as its workspace.
const DEFAULT_INSERT = rowInsert(GuardrailEntity);

/**
 * Inserts the default guardrail of a workspace unless it is there already. No index is named: two unique indexes contain
 * the id, and a second transaction may meet the first one's row in either of them.
 */
export const INSERT_GUARDRAIL_ONCE = {
  name: 'guardrail_insert_once',
  text: `${DEFAULT_INSERT.into} VALUES (${DEFAULT_INSERT.parameters}) ON CONFLICT DO NOTHING`,
};

// Not now(): the transaction may have begun before the one whose change it waited for.
export const UPDATE_GUARDRAIL = updateStatement('guardrail_update', GuardrailEntity, ['organizationId', 'id'], {
  updatedAt: 'clock_timestamp()',
});

/** A guardrail by its id. */
export const GUARDRAIL_BY_ID = {
  name: 'guardrail_by_id',
  text: `SELECT ${columnsOf(GuardrailEntity, 'g')} FROM guardrails g WHERE g.organization_id = $1 AND g.id = $2`,
};

export const GUARDRAIL_FOR_UPDATE = { name: 'guardrail_for_update', text: `${GUARDRAIL_BY_ID.text} FOR UPDATE` };

/** The workspace that a guardrail's id is the default guardrail's of. */
export const WORKSPACE_OF_DEFAULT_GUARDRAIL = {
  name: 'workspace_of_default_guardrail',
  text: `SELECT id, organization_id AS "organizationId", created_at AS "createdAt"
    FROM workspaces WHERE organization_id = $1 AND default_guardrail_id = $2`,
};

export const KEPT_WORKSPACE_OF_DEFAULT_GUARDRAIL = {
  name: 'workspace_of_default_guardrail_kept',
  text: `${WORKSPACE_OF_DEFAULT_GUARDRAIL.text} FOR KEY SHARE`,
};

/** Deletes a guardrail that is no workspace's default one, and records it. */
export const DELETE_GUARDRAIL = auditedStatement(
  'guardrail_delete',
  `DELETE FROM guardrails WHERE organization_id = $1 AND id = $2
     AND NOT EXISTS (SELECT FROM workspaces WHERE default_guardrail_id = $2)`,
  2,
);

// The default workspace is looked up inside the statement, which saves a round trip.
const WORKSPACE = 'coalesce($2::uuid, (SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default))';

/** A page of a workspace's guardrails. */
export const GUARDRAILS_PAGE = resumablePage({
  name: 'guardrails_page',
  entity: GuardrailEntity,
  where: `organization_id = $1 AND workspace_id = ${WORKSPACE}`,
  parameters: 2,
  scope: `$1 || '/' || ${WORKSPACE}`,
  order: ['createdAt', 'id'],
  columns: listedColumnsOf(GuardrailEntity, 'item', ['allowedModels', 'ignoredModels', 'contentFilters']),
});

/** Guardrails by their ids. */
export const GUARDRAILS_BY_IDS = {
  name: 'guardrails_by_ids',
  text: rowsByIds(GuardrailEntity, 'organization_id'),
};

/** The rows of guardrails. */
@Injectable()
export class GuardrailsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly pages: PageReader,
    private readonly largeRows: LargeRows,
  ) {}

  /** Inserts a guardrail and its audit event in one statement. @returns it as it is stored */
  async insert(guardrail: NewGuardrailRow, actor: Actor, event: AuditedEvent): Promise<GuardrailEntity> {
    const recorded = auditEventOf(guardrail.organizationId, actor, event);
    const values = CREATE_GUARDRAIL.values(GUARDRAIL_INSERT.values(guardrail), recorded);
    const found = await this.statements.first<Pick<GuardrailEntity, 'createdAt'>>(CREATE_GUARDRAIL, values);
    return { ...guardrail, ...found! };
  }

  /** Inserts it unless it is there already; waits for whoever is about to insert it. */
  async insertOnce(on: StatementRunner, guardrail: GuardrailEntity): Promise<void> {
    await on.write(INSERT_GUARDRAIL_ONCE, DEFAULT_INSERT.values(guardrail));
  }

  /** Writes a guardrail, and when it was changed. @param on holds the guardrail @returns it as it is stored */
  async update(on: StatementRunner, guardrail: GuardrailEntity): Promise<GuardrailEntity> {
    const values = UPDATE_GUARDRAIL.values(guardrail);
    return { ...guardrail, ...(await on.first<Pick<GuardrailEntity, 'updatedAt'>>(UPDATE_GUARDRAIL, values))! };
  }

  /** @returns whether there was such a guardrail, and one that may be deleted */
  async delete(organizationId: string, id: string, actor: Actor, event: AuditedEvent): Promise<boolean> {
    const recorded = auditEventOf(organizationId, actor, event);
    const values = DELETE_GUARDRAIL.values([organizationId, id], recorded);
    return (await this.statements.writeOfAnySize(DELETE_GUARDRAIL, values)) > 0;
  }

  async find(organizationId: string, id: string): Promise<GuardrailEntity | undefined> {
    return this.statements.first(GUARDRAIL_BY_ID, [organizationId, id]);
  }

  /** Nobody else changes it until the end of the transaction. */
  async findForUpdate(on: StatementRunner, organizationId: string, id: string): Promise<GuardrailEntity | undefined> {
    return on.first(GUARDRAIL_FOR_UPDATE, [organizationId, id]);
  }

  /** The workspace that the id is the default guardrail's of. */
  async workspaceOfDefault(organizationId: string, id: string): Promise<GuardedWorkspace | undefined> {
    return this.statements.first(WORKSPACE_OF_DEFAULT_GUARDRAIL, [organizationId, id]);
  }

  /** The same; the workspace stays until the end of the transaction. */
  async keptWorkspaceOfDefault(
    on: StatementRunner,
    organizationId: string,
    id: string,
  ): Promise<GuardedWorkspace | undefined> {
    return on.first(KEPT_WORKSPACE_OF_DEFAULT_GUARDRAIL, [organizationId, id]);
  }

  /** @param workspaceId undefined for the organization's default workspace */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    window: PageWindow,
  ): Promise<Page<GuardrailEntity>> {
    const values = [organizationId, workspaceId ?? null];
    const page = await this.pages.read<ListedRow<GuardrailEntity>>(GUARDRAILS_PAGE, values, window);
    return this.largeRows.complete(organizationId, page, (ids) =>
      this.statements.rows<GuardrailEntity>(GUARDRAILS_BY_IDS, [organizationId, ids]),
    );
  }
}
