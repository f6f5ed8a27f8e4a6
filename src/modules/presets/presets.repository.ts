import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PageRow, pageStatement, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { PresetVersionEntity } from './entities/preset-version.entity.js';
import { PresetEntity } from './entities/preset.entity.js';

/** The id of a workspace's preset. */
export const PRESET_ID = {
  name: 'preset_id',
  text: `SELECT id FROM presets WHERE organization_id = $1 AND workspace_id = $2 AND slug = $3`,
};

/** A page of a preset's versions. */
export const PRESET_VERSIONS_PAGE = pageStatement({
  name: 'preset_versions_page',
  entity: PresetVersionEntity,
  where: 'preset_id = $1',
  parameters: 1,
  // Versions are numbered without gaps, and none is ever deleted.
  total: '(SELECT coalesce(max(version), 0)::bigint FROM preset_versions WHERE preset_id = $1)',
  order: ['version'],
});

/** The rows of presets and their versions. */
@Injectable()
export class PresetsRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns the preset's id, or undefined when the workspace has none of that slug */
  async find(organizationId: string, workspaceId: string, slug: string): Promise<string | undefined> {
    return (await this.statements.first<{ id: string }>(PRESET_ID, [organizationId, workspaceId, slug]))?.id;
  }

  /** @param presetId of a preset that {@link find} has found for the caller */
  async versionsPage(presetId: string, { limit, offset }: PageWindow): Promise<Page<PresetVersionEntity>> {
    const values = [presetId, limit, offset];
    return toPage(await this.statements.rows<PageRow<PresetVersionEntity>>(PRESET_VERSIONS_PAGE, values));
  }

  async insert(manager: EntityManager, preset: PresetEntity, versions: PresetVersionEntity[]): Promise<void> {
    await manager.insert(PresetEntity, preset);
    await manager.insert(PresetVersionEntity, versions);
  }
}
