import type { Demonstration } from '../../../../src/cli/demo/demonstration.js';

/** Values that exist in the tenant, by the name of the field or parameter that takes them. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/**
 * What makes requests reach the rows, and not only the checks ahead of them.
 *
 * @param codes authorization codes that were made so far
 * @param hashes of keys that may be deleted
 */
export function knownValues(tenant: Demonstration, codes: readonly string[], hashes: readonly string[]): KnownValues {
  const { workspace, default_workspace: standard, other_organization: other, models } = tenant;
  const workspaces = [workspace.id, standard.id, other.workspace.id];
  const names = models.filter((model) => !model.includes(':'));
  return {
    workspace_id: workspaces,
    '/workspaces': [...workspaces, workspace.slug, standard.slug],
    '/observability': [...tenant.destination_ids, other.destination_id],
    '/presets': [tenant.preset_slug],
    '/keys': hashes,
    author: names.map((model) => model.split('/')[0]),
    '/model': names.map((model) => model.split('/')[1]),
    scim_group_id: tenant.scim_group_ids,
    user_id: [tenant.user_id],
    code: codes,
    allowed_models: names.map((model) => [model]),
    ignored_models: names.map((model) => [model]),
    callback_url: ['https://fuzz.example/callback', 'http://127.0.0.1:8080/'],
    pattern: ['secret', '[a-z]+@example', '(a|b)*c'],
  };
}
