import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { columnsOf } from '../../database/entity-columns.js';
import { type PageRow, pageStatement, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { GuardrailEntity } from './entities/guardrail.entity.js';

// The default workspace is looked up inside the statement, which saves a round trip.
const PAGE = pageStatement({
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
  constructor(
    private readonly statements: Statements,
    @InjectRepository(GuardrailEntity) private readonly guardrails: Repository<GuardrailEntity>,
  ) {}

  async insert(guardrail: GuardrailEntity): Promise<void> {
    await this.guardrails.insert(guardrail);
  }

  /** @param workspaceId undefined for the organization's default workspace */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    { limit, offset }: PageWindow,
  ): Promise<Page<GuardrailEntity>> {
    const values = [organizationId, workspaceId ?? null, limit, offset];
    return toPage(await this.statements.rows<PageRow<GuardrailEntity>>(PAGE, values));
  }
}
