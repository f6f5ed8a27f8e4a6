import { Injectable } from '@nestjs/common';
import { columnsOf, entityColumns } from '../../persistence/entity-columns.js';
import { rowInsert } from '../../persistence/insert-statement.js';
import { countedPage, type Page, type PageRequest, type PageRow, toPage } from '../../persistence/page-statement.js';
import { type ListedRow, listedColumnsOf } from '../../persistence/listed-columns.js';
import { type BoundValues, statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { LargeRows } from '../organization-limits/large-rows.js';
import { quotaStatement } from '../../persistence/quota-statement.js';
import { type Actor, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import { workspaceOrDefault } from '../workspaces/workspace-or-default.js';
import { PresetVersionEntity, PresetEntity } from './entities/preset.entity.js';
import { rowsByIds } from '../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW } from '../../persistence/row-times.js';

/** How many presets an organization has, against its quota. */
export const PRESETS_QUOTA = quotaStatement('presets_quota', 'presets', 'presets');

const WORKSPACE = workspaceOrDefault('$2::uuid');

type PresetName = [organizationId: string, workspaceId: string | null, slug: string];

/** The preset of these parameters. */
const NAMED_PRESET = `p.organization_id = $1 AND p.workspace_id = ${WORKSPACE} AND p.slug = $3`;

/**
 * A page of a preset's versions; no row if there is no such preset. They are numbered from 1 without gaps and never deleted, so the highest number is the
 * total, and a page starts at the number after its offset: no page has to skip rows.
 */
export const PRESET_VERSIONS_PAGE = statement<
  PageRow<ListedRow<PresetVersionEntity>>,
  [...PresetName, limit: number, offset: number]
>(
  'preset_versions_page',
  `SELECT total.total_count, page.* FROM presets p
    CROSS JOIN LATERAL (
      SELECT coalesce(max(version), 0)::bigint AS total_count FROM preset_versions
      WHERE organization_id = $1 AND preset_id = p.id
    ) AS total
    LEFT JOIN LATERAL (
      SELECT true AS is_item, ${listedColumnsOf(PresetVersionEntity, 'item', ['config', 'systemPrompt'])}
      FROM preset_versions AS item
      WHERE organization_id = $1 AND preset_id = p.id AND version > $5::bigint ORDER BY version LIMIT $4::bigint
    ) AS page ON true
    WHERE ${NAMED_PRESET}`,
);

export const PRESET_VERSIONS_BY_IDS = rowsByIds('preset_versions_by_ids', PresetVersionEntity);

/** A new version. */
export type NewVersion = Pick<PresetVersionEntity, 'id' | 'config' | 'systemPrompt' | 'creatorId'>;

/** A preset of a list, and the version in force. */
export type ListedPreset = PresetEntity & { readonly designatedVersionId: string | null };

/** A page of a workspace's presets, the most recently updated first. */
export const PRESETS_PAGE = countedPage<ListedPreset, [organizationId: string, workspaceId: string | null]>({
  name: 'presets_page',
  entity: PresetEntity,
  where: `organization_id = $1 AND workspace_id = ${WORKSPACE}`,
  parameters: 2,
  scope: `$1 || '/' || ${WORKSPACE}`,
  order: ['updatedAt', 'id'],
  descending: true,
  beside: `SELECT v.id AS "designatedVersionId" FROM preset_versions v
    WHERE v.organization_id = $1 AND v.preset_id = page.id ORDER BY v.version DESC`,
  view: {
    searched: ['item.name', 'item.slug'],
    sorts: { name: 'lower(item.name)', created_at: 'item.created_at', updated_at: 'item.updated_at' },
  },
});

/** A workspace's preset. */
export const PRESET_BY_SLUG = statement<PresetEntity, PresetName>(
  'preset_by_slug',
  `SELECT ${columnsOf(PresetEntity, 'p')} FROM presets p WHERE ${NAMED_PRESET}`,
);

/** A version of a preset, by its number. */
export const PRESET_VERSION = statement<
  PresetVersionEntity,
  [organizationId: string, presetId: string, version: number]
>(
  'preset_version',
  `SELECT ${columnsOf(PresetVersionEntity, 'v')} FROM preset_versions v
    WHERE organization_id = $1 AND preset_id = $2 AND version = $3`,
);

/** The newest version of a preset. */
export const NEWEST_PRESET_VERSION = statement<PresetVersionEntity, [organizationId: string, presetId: string]>(
  'preset_version_newest',
  `SELECT ${columnsOf(PresetVersionEntity, 'v')} FROM preset_versions v
    WHERE organization_id = $1 AND preset_id = $2 ORDER BY version DESC LIMIT 1`,
);

/** The row of a new preset, without the times that the database sets. */
export type NewPresetRow = Omit<PresetEntity, 'createdAt' | 'updatedAt'>;

const PRESET_ROW = rowInsert(PresetEntity, CREATED_AND_UPDATED_NOW);

const VERSION_ROW = rowInsert(
  PresetVersionEntity,
  {
    organizationId: 'preset.organization_id',
    presetId: 'preset.id',
    version: 'preset.newest_version',
    createdAt: 'preset.updated_at',
    updatedAt: 'preset.updated_at',
  },
  PRESET_ROW.count + 1,
);

/** The value that a field of the preset has now, for the audit trail. */
const MADE_WITH = ['slug', 'name', 'workspace_id'].map(
  (name) => `'${name}', jsonb_build_object('after', preset.${name})`,
);

/**
 * Creates the preset if the workspace has none of this slug, and adds its next version. A concurrent statement waits for the
 * lock of the preset's row and continues from its number, so numbers have no gap and no duplicate.
 */
export const ADD_PRESET_VERSION = auditedStatement<
  PresetEntity,
  [...BoundValues<NewPresetRow>, ...BoundValues<NewVersion>]
>(
  'preset_version_add',
  `${VERSION_ROW.into} SELECT ${VERSION_ROW.parameters} FROM preset`,
  PRESET_ROW.count + VERSION_ROW.count,
  {
    with: `preset AS (${PRESET_ROW.into} VALUES (${PRESET_ROW.parameters})
      ON CONFLICT (organization_id, workspace_id, slug) DO UPDATE
        SET newest_version = presets.newest_version + 1, updated_at = greatest(presets.updated_at, excluded.updated_at)
      RETURNING *)`,
    returning: 'preset_id, version',
    action: `CASE change.version WHEN 1 THEN 'preset.create' ELSE 'preset.update' END`,
    targetId: 'change.preset_id::text',
    changes: `(SELECT CASE change.version
        WHEN 1 THEN jsonb_build_object('version', jsonb_build_object('after', 1), ${MADE_WITH.join(', ')})
        ELSE jsonb_build_object('version', jsonb_build_object('before', change.version - 1, 'after', change.version))
      END FROM preset)`,
    answer: entityColumns(PresetEntity)
      .map(({ name, property }) => `(SELECT preset."${name}" FROM preset) AS "${property}"`)
      .join(', '),
  },
);

/** The rows of presets and their versions. */
@Injectable()
export class PresetsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
  ) {}

  /** @param workspaceId null for the default workspace, in all methods @returns undefined when it has no preset of that slug */
  async versionsPage(
    organizationId: string,
    workspaceId: string | null,
    slug: string,
    { limit, offset }: PageRequest,
  ): Promise<Page<PresetVersionEntity> | undefined> {
    const rows = await this.statements.rows(PRESET_VERSIONS_PAGE, [organizationId, workspaceId, slug, limit, offset]);
    if (rows.length === 0) return undefined;
    return this.largeRows.complete(organizationId, toPage(rows), PRESET_VERSIONS_BY_IDS);
  }

  async page(organizationId: string, workspaceId: string | null, request: PageRequest): Promise<Page<ListedPreset>> {
    return this.statements.page(PRESETS_PAGE, [organizationId, workspaceId], request);
  }

  async findBySlug(
    organizationId: string,
    workspaceId: string | null,
    slug: string,
  ): Promise<PresetEntity | undefined> {
    return this.statements.first(PRESET_BY_SLUG, [organizationId, workspaceId, slug]);
  }

  /** @param presetId of a preset that was found for the caller */
  async version(organizationId: string, presetId: string, version: number): Promise<PresetVersionEntity | undefined> {
    return this.statements.first(PRESET_VERSION, [organizationId, presetId, version]);
  }

  /** @param presetId of a preset that was found for the caller */
  async newestVersion(organizationId: string, presetId: string): Promise<PresetVersionEntity | undefined> {
    return this.statements.first(NEWEST_PRESET_VERSION, [organizationId, presetId]);
  }

  /**
   * Creates the preset, or adds the version to the workspace's preset of this slug, and records it.
   *
   * @param version without its number and preset, which the statement finds
   * @returns the preset afterwards
   */
  async addVersion(preset: NewPresetRow, version: NewVersion, actor: Actor): Promise<PresetEntity> {
    const event = auditEventOf(preset.organizationId, actor, { action: 'preset.create' });
    const values = [...PRESET_ROW.values(preset), ...VERSION_ROW.values(version)];
    return (await this.statements.first(ADD_PRESET_VERSION, ADD_PRESET_VERSION.values(values, event)))!;
  }
}
