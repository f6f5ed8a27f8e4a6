import type { PresetVersion } from './dto/preset-version.dto.js';
import type { PresetVersionEntity } from './entities/preset-version.entity.js';

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
