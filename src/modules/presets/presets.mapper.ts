import { entityTagOf } from '../../http/entity-tags.js';
import type { Preset, PresetVersion, PresetWithDesignatedVersion } from './dto/preset.dto.js';
import type { PresetVersionEntity, PresetEntity } from './entities/preset.entity.js';
import type { ListedPreset } from './presets.repository.js';

/** A preset as lists show it. */
export function toPresetResponse(preset: ListedPreset): Preset {
  return {
    id: preset.id,
    workspace_id: preset.workspaceId,
    slug: preset.slug,
    name: preset.name,
    description: preset.description,
    status: preset.status,
    status_updated_at: preset.statusUpdatedAt?.toISOString() ?? null,
    designated_version_id: preset.designatedVersionId,
    creator_user_id: preset.creatorId,
    created_at: preset.createdAt.toISOString(),
    updated_at: preset.updatedAt.toISOString(),
  };
}

/** A preset with its newest version, which is the one in force, as the interface shows it. */
export function toPresetWithVersionResponse(
  preset: PresetEntity,
  newest: PresetVersionEntity | undefined,
): PresetWithDesignatedVersion {
  return {
    ...toPresetResponse({ ...preset, designatedVersionId: newest?.id ?? null }),
    designated_version: newest === undefined ? null : toPresetVersionResponse(newest),
  };
}

/** A version as the interface shows it. */
export function toPresetVersionResponse(version: PresetVersionEntity): PresetVersion {
  return {
    id: version.id,
    preset_id: version.presetId,
    version: version.version,
    config: version.config,
    system_prompt: version.systemPrompt,
    creator_id: version.creatorId,
    created_at: version.createdAt.toISOString(),
    updated_at: version.updatedAt.toISOString(),
  };
}

/** The entity tag of a preset with its newest version (docs/interface/conventions.md#conditional-requests). */
export function tagOfPreset(preset: PresetEntity): string {
  return entityTagOf(preset.id, {
    name: preset.name,
    description: preset.description,
    status: preset.status,
    newest_version: preset.newestVersion,
  });
}
