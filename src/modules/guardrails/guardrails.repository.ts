import { Injectable } from '@nestjs/common';
import { insertStatement } from '../../database/insert-statement.js';
import { countedTotal, type PageRow, pageStatement, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { GuardrailEntity } from './entities/guardrail.entity.js';

/** Inserts a guardrail. */
export const INSERT_GUARDRAIL = insertStatement('guardrail_insert', GuardrailEntity);

// The default workspace is looked up inside the statement, which saves a round trip.
const WORKSPACE = 'coalesce($2::uuid, (SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default))';

/** A page of a workspace's guardrails. */
export const GUARDRAILS_PAGE = pageStatement({
  name: 'guardrails_page',
  entity: GuardrailEntity,
  where: `organization_id = $1 AND workspace_id = ${WORKSPACE}`,
  parameters: 2,
  total: countedTotal(GuardrailEntity, `$1 || '/' || ${WORKSPACE}`),
  order: ['createdAt', 'id'],
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
