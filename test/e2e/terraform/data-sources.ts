import { asks, BOOLEAN, type Life, LIST, lists, NUMBER, TEXT } from './exchange.js';

const reads = (path: string, has: Readonly<Record<string, unknown>>): Life[number] =>
  asks(`reads ${path}`, `GET ${path}`, 200, { has });

/** One read for each data source, with the pages that a person asks for. */
export const DATA_SOURCES = {
  data_sources: [
    lists('/keys', { data: LIST }),
    lists('/keys?offset=0&include_disabled=true&workspace_id={workspace}', { data: LIST }),
    reads('/keys/{keyHash}', { 'data.hash': '{keyHash}' }),
    lists('/byok'),
    reads('/credits', { 'data.total_credits': NUMBER, 'data.total_usage': NUMBER }),
    lists('/guardrails?offset=0&limit=2&workspace_id={defaultWorkspace}'),
    lists('/guardrails/assignments/keys'),
    lists('/guardrails/assignments/members'),
    lists('/models?output_modalities=all&offset=0&limit=500'),
    reads('/model/openai/gpt-4o', { 'data.id': 'openai/gpt-4o' }),
    lists('/providers', { data: LIST }),
    lists('/presets'),
    reads('/presets/{preset}', { 'data.slug': '{preset}' }),
    lists('/observability/destinations?workspace_id={workspace}'),
    lists('/organization/members'),
    reads('/organization/settings', { 'data.id': TEXT, 'data.is_filtered_model_catalog_enabled': BOOLEAN }),
    lists('/scim/groups'),
    reads('/scim/group-mappings/{mapping}', { 'data.id': '{mapping}' }),
    lists('/workspaces'),
    reads('/workspaces/{slug}', { 'data.id': '{workspace}' }),
    lists('/workspaces/{workspace}/members'),
    lists('/workspaces/{workspace}/budgets', { data: LIST, include_byok_in_budgets: BOOLEAN }),
    lists('/private-providers', { data: LIST }),
  ],
} satisfies Readonly<Record<string, Life>>;
