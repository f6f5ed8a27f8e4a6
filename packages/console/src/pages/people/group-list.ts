import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, answered } from '../../api/client';
import type { Schema } from '../../api/types';

/** The most that a list gives at once. */
const LIMIT = 100;

/** The groups of the directory: the first hundred. */
export function useGroups(): UseQueryResult<Schema<'ListScimGroupsResponse'>> {
  return useQuery({
    queryKey: ['groups', 'list'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/scim/groups', { params: { query: { limit: LIMIT } }, signal })),
  });
}
