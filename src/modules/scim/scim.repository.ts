import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertStatement } from '../../database/insert-statement.js';
import { countedTotal, type PageRow, pageStatement, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { ScimGroupMappingEntity } from './entities/scim-group-mapping.entity.js';
import { ScimGroupEntity } from './entities/scim-group.entity.js';

/** Inserts a mapping. */
export const INSERT_SCIM_MAPPING = insertStatement('scim_group_mapping_insert', ScimGroupMappingEntity);

/** A page of an organization's mappings. */
export const SCIM_MAPPINGS_PAGE = pageStatement({
  name: 'scim_group_mappings_page',
  entity: ScimGroupMappingEntity,
  where: 'organization_id = $1',
  parameters: 1,
  total: countedTotal(ScimGroupMappingEntity, '$1'),
  order: ['createdAt', 'id'],
});

/** The rows of SCIM groups and their mappings. */
@Injectable()
export class ScimRepository {
  constructor(private readonly statements: Statements) {}

  /** The constraints see to it that group and workspace are the organization's, and that the pair is new. */
  async insertMapping(mapping: ScimGroupMappingEntity): Promise<void> {
    await this.statements.write(INSERT_SCIM_MAPPING, INSERT_SCIM_MAPPING.values(mapping));
  }

  async mappingsPage(organizationId: string, { limit, offset }: PageWindow): Promise<Page<ScimGroupMappingEntity>> {
    const values = [organizationId, limit, offset];
    return toPage(await this.statements.rows<PageRow<ScimGroupMappingEntity>>(SCIM_MAPPINGS_PAGE, values));
  }

  async insertGroup(manager: EntityManager, group: ScimGroupEntity): Promise<void> {
    await manager.insert(ScimGroupEntity, group);
  }
}
