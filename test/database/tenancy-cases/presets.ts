import { UNKNOWN_SLUG, attempt, type Call, type Case, type Cases } from '../../support/foreign-ids.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

/** What reading a preset, or something of it, could be told. @param below what stands behind the preset's slug */
const reads =
  (below: string): Case =>
  (ours, theirs) => {
    const ofSlug = (slug: string): Call => ({ method: 'GET', path: `/presets/${slug}${below}` });
    const withApiKey = (slug: string): Call => ({ ...ofSlug(slug), key: ours.apiKey });
    const inWorkspace =
      (key?: string) =>
      (id: string): Call => ({
        method: 'GET',
        path: `/presets/${theirs.presetSlug}${below}?workspace_id=${id}`,
        ...(key !== undefined && { key }),
      });
    return {
      'of a preset': attempt(404, ofSlug, theirs.presetSlug, UNKNOWN_SLUG),
      'of a preset, with an API key': attempt(404, withApiKey, theirs.presetSlug, UNKNOWN_SLUG),
      'of a preset in a workspace': attempt(404, inWorkspace(), theirs.workspaceId, UNKNOWN_UUID),
      'of a preset in a workspace, with an API key': attempt(
        404,
        inWorkspace(ours.apiKey),
        theirs.workspaceId,
        UNKNOWN_UUID,
      ),
      'of a preset in another workspace': attempt(404, inWorkspace(), theirs.otherWorkspaceId, UNKNOWN_UUID),
    };
  };

/** What the operations of presets could be told of another organization. */
export const PRESETS_CASES: Cases = {
  listPresets: (ours, theirs) => {
    const inWorkspace =
      (key: string) =>
      (id: string): Call => ({ method: 'GET', path: `/presets?workspace_id=${id}`, key });
    return {
      'of a workspace': attempt(200, inWorkspace(ours.managementKey), theirs.workspaceId, UNKNOWN_UUID),
      'of a workspace, with an API key': attempt(200, inWorkspace(ours.apiKey), theirs.workspaceId, UNKNOWN_UUID),
      'of another workspace': attempt(200, inWorkspace(ours.managementKey), theirs.otherWorkspaceId, UNKNOWN_UUID),
    };
  },

  getPreset: reads(''),

  listPresetVersions: reads('/versions'),

  getPresetVersion: reads('/versions/1'),

  createPresetsChatCompletions: (_, theirs) => {
    const inWorkspace =
      (slug: string) =>
      (id: string): Call => ({
        method: 'POST',
        path: `/presets/${slug}/chat/completions?workspace_id=${id}`,
        json: { temperature: 0 },
      });
    return {
      'in a workspace': attempt(404, inWorkspace('intruder'), theirs.workspaceId, UNKNOWN_UUID),
      'of a preset in another workspace': attempt(
        404,
        inWorkspace(theirs.otherPresetSlug),
        theirs.otherWorkspaceId,
        UNKNOWN_UUID,
      ),
    };
  },
};
