import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, answered } from './client';
import { ownDrafts } from './kept-drafts';
import type { Schema } from './types';

/** What something may need, and a key may be restricted to: also what only keys of the operator have. */
export type Permission = NonNullable<Schema<'ManagementKey'>['scopes']>[number];

/** The question who is signed in. */
export const SESSION = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const answer = await answered(api.GET('/api/v1/session', { signal }));
    ownDrafts(personOf(answer.data));
    return answer;
  },
  // What a role may do changes seldom, and the service decides anyhow.
  staleTime: 300_000,
});

/** Who is signed in, and for which organization, as one text. */
export function personOf({ user, organization }: Schema<'Session'>): string {
  return `${organization.id} ${user.id}`;
}

/** Who is signed in, and what they may do; undefined until that is known. */
export function useSession(): Schema<'Session'> | undefined {
  const { data } = useQuery(SESSION);
  return data?.data;
}

/** Whether who is signed in has a permission: only to leave out what would be refused. Until it is known nothing is left out. */
export function useMay(): (permission: Permission) => boolean {
  const session = useSession();
  return (permission) => {
    const permissions: readonly Permission[] | undefined = session?.permissions;
    return permissions === undefined || permissions.includes(permission);
  };
}
