import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import type { SampleOrganization } from './sample-organization.js';
import {
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';

/** The hash of no key. */
const UNKNOWN_HASH = '0'.repeat(64);

const QUERY = { metrics: ['request_count'] };

/** A query about what filters and inspectors did. */
const FILTERED_QUERY = { metrics: ['filter_matches'] };

/** An operation that reads what was used. */
function reading(path: string, fields: Partial<OperationRow> = {}): OperationRow {
  return {
    method: 'GET',
    path,
    callers: MANAGEMENT_KEYS,
    permission: 'usage_read',
    success: 200,
    errors: [403],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
    ...fields,
  };
}

/** The operations on what was used. */
export const USAGE: OperationRows = {
  getAnalyticsMeta: reading('/analytics/meta'),
  getCredits: reading('/credits'),
  getProvidersHealth: reading('/providers/health', { isBeyondContract: true }),
  getUserActivity: reading('/activity', {
    errors: [400, 403],
    otherOrganization: (_, theirs) => {
      const by =
        (filter: string) =>
        (id: string): RequestParts => ({ query: `${filter}=${id}` });
      return {
        'by key': otherId(200, by('api_key_hash'), theirs.apiKeyHash, UNKNOWN_HASH),
        'by member': otherId(200, by('user_id'), theirs.userId, UNKNOWN_USER),
        'by workspace': otherId(200, by('workspace_id'), theirs.workspaceId, UNKNOWN_UUID),
        ...withoutIds(),
      };
    },
  }),
  queryAnalytics: reading('/analytics/query', {
    method: 'POST',
    decidesIdentity: false,
    errors: [400, 403, 408],
    request: (_: SampleOrganization) => ({ json: QUERY }),
    otherOrganization: (_, theirs) => {
      const by =
        (field: string, query = QUERY) =>
        (id: string): RequestParts => ({
          json: { ...query, dimensions: [field], filters: [{ field, operator: 'eq', value: id }] },
        });
      return {
        'by key': otherId(200, by('api_key_id'), theirs.apiKeyHash, UNKNOWN_HASH),
        'by inspector': otherId(200, by('inspector', FILTERED_QUERY), theirs.inspectorId, UNKNOWN_UUID),
        'by member': otherId(200, by('user'), theirs.userId, UNKNOWN_USER),
        'by workspace': otherId(200, by('workspace'), theirs.workspaceId, UNKNOWN_UUID),
        ...withoutIds({ json: { ...QUERY, dimensions: ['api_key_id', 'workspace'] } }),
      };
    },
  }),
};
