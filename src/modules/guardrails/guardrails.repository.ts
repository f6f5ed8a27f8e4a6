import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { insertStatement } from '../../database/insert-statement.js';
import { type PageRow, pageStatement, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { GuardrailEntity } from './entities/guardrail.entity.js';

/** Inserts a guardrail. */
export const INSERT_GUARDRAIL = insertStatement('guardrail_insert', GuardrailEntity);

/** A page of a workspace's guardrails. */
// The default workspace is looked up inside the statement, which saves a round trip.
export const GUARDRAILS_PAGE = pageStatement({
  name: 'guardrails_page',
  columns: columnsOf(GuardrailEntity, 'g'),
  from: 'guardrails g',
  where: `g.organization_id = $1 AND g.workspace_id =
    coalesce($2::uuid, (SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default))`,
  order: 'g.created_at, g.id',
  parameters: 2,
});

/** The rows of guardrails. */
@Injectable()
export class GuardrailsRepository {
  constructor(private readonly statements: Statements) {}

  async insert(guardrail: GuardrailEntity): Promise<void> {
    await this.statements.write(INSERT_GUARDRAIL, INSERT_GUARDRAIL.values(guardrail));
  }

  /** @param workspaceId undefined for the organization's default workspace */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    { limit, offset }: PageWindow,
  ): Promise<Page<GuardrailEntity>> {
    const values = [organizationId, workspaceId ?? null, limit, offset];
    return toPage(await this.statements.rows<PageRow<GuardrailEntity>>(GUARDRAILS_PAGE, values));
  }
}
