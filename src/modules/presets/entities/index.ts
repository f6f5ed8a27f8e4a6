import { PresetEntity } from './preset.entity.js';
import { PresetVersionEntity } from './preset-version.entity.js';

/** Every entity of this module. */
export const PRESETS_ENTITIES = [PresetEntity, PresetVersionEntity];
