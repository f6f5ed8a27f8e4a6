import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../database/entity-columns.js';
import { type PageRow, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { PresetVersionEntity } from './entities/preset-version.entity.js';
import { PresetEntity } from './entities/preset.entity.js';

/** The id of a workspace's preset. */
export const PRESET_ID = {
  name: 'preset_id',
  text: `SELECT id FROM presets WHERE organization_id = $1 AND workspace_id = $2 AND slug = $3`,
};

/**
 * A page of a preset's versions. They are numbered from 1 without gaps and none is ever deleted, so the highest number is
 * how many there are, and a page begins at the number behind its offset: however deep it lies, nothing is skipped over.
 */
export const PRESET_VERSIONS_PAGE = {
  name: 'preset_versions_page',
  text: `SELECT total.total_count, page.* FROM
      (SELECT coalesce(max(version), 0)::bigint AS total_count FROM preset_versions WHERE preset_id = $1) AS total
    LEFT JOIN (
      SELECT true AS is_item, ${columnsOf(PresetVersionEntity, 'item')} FROM preset_versions AS item
      WHERE preset_id = $1 AND version > $3::bigint ORDER BY version LIMIT $2::bigint
    ) AS page ON true`,
};

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
