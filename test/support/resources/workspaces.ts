import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { CreateWorkspaceResponse, Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { expectToFitContract } from '../contract/contract-answers.js';
import type { TestApplication } from '../application/test-application.js';

/** What a workspace is that nothing was set in but its name and slug. */
export const WORKSPACE_DEFAULTS = {
  description: null,
  default_text_model: null,
  default_image_model: null,
  default_provider_sort: null,
  is_observability_io_logging_enabled: false,
  is_observability_broadcast_enabled: false,
  is_data_discount_logging_enabled: false,
  io_logging_sampling_rate: 1,
  io_logging_api_key_ids: null,
  disabled_server_tools: null,
  rate_limits: null,
  is_response_cache_enabled: null,
};

/** A value for everything that a request can set besides name and slug, none of them what it is by default. */
export const EVERY_WORKSPACE_SETTING = {
  description: 'All that there is',
  default_text_model: 'openai/gpt-5.4',
  default_image_model: 'openai/gpt-image-2',
  default_provider_sort: 'throughput',
  is_observability_io_logging_enabled: true,
  is_observability_broadcast_enabled: true,
  is_data_discount_logging_enabled: true,
  io_logging_sampling_rate: 0.25,
  io_logging_api_key_ids: [0, 7, Number.MAX_SAFE_INTEGER],
  disabled_server_tools: ['web_search', 'datetime'],
  rate_limits: { requests_per_minute: 60, tokens_per_minute: null },
  is_response_cache_enabled: true,
  allowed_labels: { team: ['search', 'ads'], env: '*' },
};

/** Makes a workspace by the operation that makes them. */
export async function newWorkspace(
  app: TestApplication,
  { managementKey: key }: NewOrganization,
  slug: string,
  fields: object = {},
): Promise<Workspace> {
  const json = { name: slug, slug, ...fields };
  const answer = await app.api.post<CreateWorkspaceResponse>('/workspaces', { key, json });
  expect(answer.status).toBe(201);
  expectToFitContract('createWorkspace', 201, answer.body);
  return answer.body.data;
}

/** The row of a workspace, with its limits per minute in the form of the interface. */
export async function workspaceRow(app: TestApplication, id: string): Promise<Record<string, unknown>> {
  const rows = await app.rows('SELECT * FROM workspaces WHERE id = $1', [id]);
  expect(rows).toHaveLength(1);
  const { requests_per_minute: requests, tokens_per_minute: tokens, ...row } = rows[0]!;
  const isLimited = requests !== null || tokens !== null;
  return { ...row, rate_limits: isLimited ? { requests_per_minute: requests, tokens_per_minute: tokens } : null };
}
