import type { Tenant } from '../support/resources/tenant.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_AND_API_KEYS,
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_SLUG,
} from './operation-row.js';

/** What reads one preset, or something of it. @param further parameters of the path */
function presetRead(path: string, further: Readonly<Record<string, string>> = {}): OperationRow {
  return {
    method: 'GET',
    path,
    callers: MANAGEMENT_AND_API_KEYS,
    permission: 'presets_read',
    success: 200,
    errors: [400, 404],
    request: () => ({ path: { slug: 'support-bot', ...further } }),
    otherOrganization: (ours, theirs) => otherPreset(ours, theirs, further),
  };
}

function otherPreset(ours: Tenant, theirs: Tenant, further: Readonly<Record<string, string>>): OtherOrganizationCases {
  const bySlug = (slug: string): RequestParts => ({ path: { slug, ...further } });
  const withApiKey = (slug: string): RequestParts => ({ ...bySlug(slug), key: ours.apiKey });
  const inWorkspace = (id: string): RequestParts => ({ ...bySlug(theirs.presetSlug), query: `workspace_id=${id}` });
  const inWorkspaceWithApiKey = (id: string): RequestParts => ({ ...inWorkspace(id), key: ours.apiKey });
  return {
    'of a preset': otherId(404, bySlug, theirs.presetSlug, UNKNOWN_SLUG),
    'of a preset, with an API key': otherId(404, withApiKey, theirs.presetSlug, UNKNOWN_SLUG),
    'of a preset in a workspace': otherId(404, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
    'of a preset in a workspace, with an API key': otherId(
      404,
      inWorkspaceWithApiKey,
      theirs.workspaceId,
      UNKNOWN_UUID,
    ),
    'of a preset in another workspace': otherId(404, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
  };
}

/** What creates a preset, or its next version. @param slug of a preset that there is not */
function presetCreated(path: string, slug: string): OperationRow {
  return {
    method: 'POST',
    path,
    callers: MANAGEMENT_KEYS,
    permission: 'presets_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 409],
    auditActions: ['preset.create'],
    // The count of presets is known for a second, and so not always read.
    insertsInto: 'preset_versions',
    request: () => ({ path: { slug }, json: { model: 'openai/gpt-5.4', temperature: 0.2 } }),
    otherOrganization: (_, theirs) => {
      const inWorkspace =
        (named: string) =>
        (id: string): RequestParts => ({
          path: { slug: named },
          query: `workspace_id=${id}`,
          json: { temperature: 0 },
        });
      const ofTheirs = inWorkspace(theirs.otherPresetSlug);
      return {
        'in a workspace': otherId(404, inWorkspace('intruder'), theirs.workspaceId, UNKNOWN_UUID),
        'of a preset in another workspace': otherId(404, ofTheirs, theirs.otherWorkspaceId, UNKNOWN_UUID),
      };
    },
  };
}

/** The operations of presets. */
export const PRESETS: OperationRows = {
  createPresetsChatCompletions: presetCreated('/presets/{slug}/chat/completions', 'drafted'),
  createPresetsMessages: presetCreated('/presets/{slug}/messages', 'drafted-as-message'),
  createPresetsResponses: presetCreated('/presets/{slug}/responses', 'drafted-as-response'),
  getPreset: presetRead('/presets/{slug}'),
  getPresetVersion: presetRead('/presets/{slug}/versions/{version}', {
    version: '1',
  }),
  listPresetVersions: presetRead('/presets/{slug}/versions'),
  listPresets: {
    method: 'GET',
    path: '/presets',
    callers: MANAGEMENT_AND_API_KEYS,
    permission: 'presets_read',
    success: 200,
    errors: [400],
    request: () => ({}),
    otherOrganization: (ours, theirs) => {
      const inWorkspace =
        (key: string) =>
        (id: string): RequestParts => ({ query: `workspace_id=${id}`, key });
      const byManager = inWorkspace(ours.managementKey);
      return {
        'of a workspace': otherId(200, byManager, theirs.workspaceId, UNKNOWN_UUID),
        'of a workspace, with an API key': otherId(200, inWorkspace(ours.apiKey), theirs.workspaceId, UNKNOWN_UUID),
        'of another workspace': otherId(200, byManager, theirs.otherWorkspaceId, UNKNOWN_UUID),
      };
    },
  },
};
