export { CreatePresetFromInferenceResponse, PresetPath, PresetWorkspaceQuery } from './dto/preset.dto.js';
export { type ConfiguringRequest, type NamedModel, namedModelsOf } from './preset-configuration.js';
export { PresetsModule } from './presets.module.js';
export { type PresetInForce, PresetsInForce } from './presets-in-force.service.js';
export { PresetsService } from './presets.service.js';
