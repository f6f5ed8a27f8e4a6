import { useQuery } from '@tanstack/react-query';
import { api, answered } from './client';
import type { Schema } from './types';

/** How long names are taken as they are, in milliseconds: they seldom change, and every page shows some. */
const NAMES_FRESH_MS = 60_000;

/** The most that a list gives at once. */
const PAGE = 100;

/** The workspaces of the organization: the first hundred, which is what a menu can show. */
export function useWorkspaces(): readonly Schema<'Workspace'>[] {
  const { data } = useQuery({
    queryKey: ['workspaces', 'names'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/workspaces', { params: { query: { limit: PAGE } }, signal })),
    staleTime: NAMES_FRESH_MS,
  });
  return data?.data ?? [];
}

/** The members of the organization: the first hundred. */
export function useMembers(): readonly Schema<'OrganizationMember'>[] {
  const { data } = useQuery({
    queryKey: ['members', 'names'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/organization/members', { params: { query: { limit: PAGE } }, signal })),
    staleTime: NAMES_FRESH_MS,
  });
  return data?.data ?? [];
}

/** The keys of the organization: the first hundred. @param isNeeded whether they are asked for at all */
export function useKeys(isNeeded = true): readonly Schema<'Key'>[] {
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/keys', { params: { query: { limit: PAGE } }, signal })),
    staleTime: NAMES_FRESH_MS,
    enabled: isNeeded,
  });
  return data?.data ?? [];
}

/** How a member is called: the name, else the address. */
export function nameOfMember(member: Schema<'OrganizationMember'>): string {
  return [member.first_name, member.last_name].filter((part) => part != null && part !== '').join(' ') || member.email;
}

/** The name of a guardrail; undefined until it is known, and for one that was deleted. */
export function useGuardrailName(id: string): string | undefined {
  const { data } = useQuery({
    queryKey: ['guardrails', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/guardrails/{id}', { params: { path: { id } }, signal })),
    staleTime: NAMES_FRESH_MS,
  });
  return data?.data.name;
}

/** Finds names of workspaces and members; what is unknown is shown by its id. */
export function useNames(): {
  readonly workspace: (id: string | null | undefined) => string;
  readonly member: (id: string | null | undefined) => string;
} {
  const workspaces = useWorkspaces();
  const members = useMembers();
  return {
    workspace: (id) => workspaces.find((workspace) => workspace.id === id)?.name ?? id ?? '',
    member: (id) => {
      const found = members.find((member) => member.id === id);
      return found === undefined ? (id ?? '') : nameOfMember(found);
    },
  };
}
