import { Injectable } from '@nestjs/common';
import { type ListedRow, listedColumnsOf } from '../../persistence/listed-columns.js';
import { rowInsert } from '../../persistence/insert-statement.js';
import { type BoundValues, statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { LargeRows } from '../organization-limits/large-rows.js';
import { countedPage, type Page, type PageRequest, VIEW_BY_NAME } from '../../persistence/page-statement.js';
import { isGuardrailOfMember } from '../limits/member-guardrails.js';
import { AuditedRows } from '../audit/audited-rows.js';
import { auditedStatement } from '../audit/audit-trail.js';
import { workspaceOrDefault } from '../workspaces/workspace-or-default.js';
import { GUARDRAIL_FIELDS, toAuditedFields, type WorkspaceOfDefault } from './guardrail-settings.js';
import { GuardrailNotFound } from './guardrails.errors.js';
import { GuardrailEntity } from './entities/guardrail.entity.js';
import { locking, rowsByIds } from '../../persistence/row-statements.js';
import { CREATED_NOW } from '../../persistence/row-times.js';

// A default guardrail is as old as its workspace.
const DEFAULT_INSERT = rowInsert(GuardrailEntity);

/** Inserts the default guardrail of a workspace unless it is there already. */
export const INSERT_GUARDRAIL_IF_ABSENT = statement<never, BoundValues<GuardrailEntity>>(
  'guardrail_insert_once',
  `${DEFAULT_INSERT.into} VALUES (${DEFAULT_INSERT.parameters}) ON CONFLICT (organization_id, id) DO NOTHING`,
);

/** Finds the workspace whose default guardrail has this id. */
export const WORKSPACE_OF_DEFAULT_GUARDRAIL = statement<
  WorkspaceOfDefault,
  [organizationId: string, guardrailId: string]
>(
  'workspace_of_default_guardrail',
  `SELECT id, organization_id AS "organizationId", created_at AS "createdAt"
    FROM workspaces WHERE organization_id = $1 AND default_guardrail_id = $2`,
);

export const LOCK_WORKSPACE_OF_DEFAULT_GUARDRAIL_FOR_KEY_SHARE = locking(
  'workspace_of_default_guardrail_kept',
  WORKSPACE_OF_DEFAULT_GUARDRAIL,
  'FOR KEY SHARE',
);

/** The keys that have a guardrail, through themselves or through their owners. */
export const KEYS_HAVING_GUARDRAIL = statement<{ id: string }, [organizationId: string, guardrailId: string]>(
  'guardrail_keys_having',
  `SELECT a.key_id AS id FROM guardrail_key_assignments a WHERE a.organization_id = $1 AND a.guardrail_id = $2
    UNION
    SELECT k.id FROM member_guardrails m
    JOIN api_keys k ON k.organization_id = $1 AND k.user_id = m.user_id AND k.kind = 'api_key'
    LEFT JOIN workspaces w ON w.organization_id = $1 AND w.is_default
    WHERE m.organization_id = $1 AND m.guardrail_id = $2
      AND ${isGuardrailOfMember('m', 'coalesce(k.workspace_id, w.id)')}`,
);

/** The guardrails that name an inspector. */
export const GUARDRAILS_NAMING_INSPECTOR = statement<{ id: string }, [organizationId: string, inspectorId: string]>(
  'guardrails_naming_inspector',
  `SELECT g.id FROM guardrails g
    WHERE g.organization_id = $1 AND g.inspector_ids IS NOT NULL AND $2::uuid = ANY (g.inspector_ids)`,
);

/** Deletes a guardrail that is no workspace's default one, and records it. */
export const DELETE_GUARDRAIL = auditedStatement<never, [organizationId: string, id: string]>(
  'guardrail_delete',
  `DELETE FROM guardrails WHERE organization_id = $1 AND id = $2
     AND NOT EXISTS (SELECT FROM workspaces WHERE organization_id = $1 AND default_guardrail_id = $2)`,
  2,
);

/** The guardrails of organizations. */
export const GUARDRAILS = new AuditedRows({
  entity: GuardrailEntity,
  one: 'guardrail',
  notFound: GuardrailNotFound,
  quota: 'guardrails',
  fields: GUARDRAIL_FIELDS,
  recorded: (guardrail) => toAuditedFields(guardrail),
  created: CREATED_NOW,
  create: 'guardrail_create',
  lock: 'FOR UPDATE',
  lockName: 'guardrail_for_update',
  delete: DELETE_GUARDRAIL,
});

const WORKSPACE = workspaceOrDefault('$2::uuid');

/** A page of a workspace's guardrails. */
export const GUARDRAILS_PAGE = countedPage<
  ListedRow<GuardrailEntity>,
  [organizationId: string, workspaceId: string | null]
>({
  name: 'guardrails_page',
  entity: GuardrailEntity,
  where: `organization_id = $1 AND workspace_id = ${WORKSPACE}`,
  parameters: 2,
  scope: `$1 || '/' || ${WORKSPACE}`,
  order: ['createdAt', 'id'],
  columns: listedColumnsOf(GuardrailEntity, 'item', ['allowedModels', 'ignoredModels', 'contentFilters']),
  view: VIEW_BY_NAME,
});

export const GUARDRAILS_BY_IDS = rowsByIds('guardrails_by_ids', GuardrailEntity);

/** Which of some inspectors an organization has. */
export const KNOWN_INSPECTORS = statement<{ id: string }, [organizationId: string, ids: readonly string[]]>(
  'guardrail_inspectors_known',
  'SELECT id FROM inspectors WHERE organization_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id',
);

/** Finds the same inspectors, which stay until the end of the transaction. */
export const KEEP_INSPECTORS = locking('guardrail_inspectors_kept', KNOWN_INSPECTORS, 'FOR KEY SHARE');

/** The rows of guardrails. */
@Injectable()
export class GuardrailsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
  ) {}

  /** Inserts it unless it is there already; waits for another transaction that is inserting it. */
  async insertIfAbsent(tx: Transaction, guardrail: GuardrailEntity): Promise<void> {
    await tx.write(INSERT_GUARDRAIL_IF_ABSENT, DEFAULT_INSERT.values(guardrail));
  }

  /** The workspace that the id is the default guardrail's of. */
  async workspaceOfDefault(organizationId: string, id: string): Promise<WorkspaceOfDefault | undefined> {
    return this.statements.first(WORKSPACE_OF_DEFAULT_GUARDRAIL, [organizationId, id]);
  }

  /** The workspace that the id is the default guardrail's of, which stays until the end of the transaction. */
  async lockWorkspaceOfDefaultForKeyShare(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<WorkspaceOfDefault | undefined> {
    return tx.first(LOCK_WORKSPACE_OF_DEFAULT_GUARDRAIL_FOR_KEY_SHARE, [organizationId, id]);
  }

  /** Which of some inspectors the organization has. @param tx the transaction until whose end they stay, if they are to */
  async knownInspectors(
    organizationId: string,
    ids: readonly string[],
    tx?: Transaction,
  ): Promise<ReadonlySet<string>> {
    const values: [string, readonly string[]] = [organizationId, ids];
    const rows = await (tx === undefined
      ? this.statements.rows(KNOWN_INSPECTORS, values)
      : tx.rows(KEEP_INSPECTORS, values));
    return new Set(rows.map(({ id }) => id));
  }

  /** @param workspaceId undefined for the organization's default workspace */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    request: PageRequest,
  ): Promise<Page<GuardrailEntity>> {
    const page = await this.statements.page(GUARDRAILS_PAGE, [organizationId, workspaceId ?? null], request);
    return this.largeRows.complete(organizationId, page, GUARDRAILS_BY_IDS);
  }
}
