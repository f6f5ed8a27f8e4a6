import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError } from '../../http/errors/define-error.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';

/** The caller's workspace has no preset of this slug. */
export class PresetNotFound extends defineError(404, 'preset_not_found') {}

/** The preset has no version of this number. */
export class PresetVersionNotFound extends defineError(404, 'preset_version_not_found') {}

/** What a violated constraint of presets means to the caller. */
export const PRESETS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_presets_workspace: () => new WorkspaceNotFound(),
};
