import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, answered } from '../api/client';
import { useSession } from '../api/session';
import type { Schema } from '../api/types';
import { Badge, Time } from './values';

/** How long the list is taken as it is, in milliseconds: once for all marks of a page. */
const FRESH_MS = 60_000;

interface ManagedProps {
  /** The list of files that has such objects. */
  readonly section: Schema<'ManagedObjectResponse'>['section'];
  /** As paths of the interface have it: of a key its hash. */
  readonly id: string | undefined;
}

/** What files say of an object; undefined where they do not configure it, and for people who may not know. */
function useManaged({ section, id }: ManagedProps): Schema<'ManagedObjectResponse'> | undefined {
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['managed-objects'],
    queryFn: async ({ signal }) => {
      const { data: objects } = await answered(api.GET('/api/v1/configuration/objects', { signal }));
      return new Map(objects.map((object) => [`${object.section} ${object.id}`, object]));
    },
    staleTime: FRESH_MS,
    enabled: session?.only_own === false,
  });
  return data?.get(`${section} ${id}`);
}

/** Marks a row of what files configure (docs/configuration.md#owners). */
export function ManagedMark(props: ManagedProps): ReactNode {
  const managed = useManaged(props);
  if (managed === undefined) return null;
  return (
    <>
      {' '}
      <Badge tone={managed.drifted_at === null ? 'neutral' : 'warning'}>
        files of {managed.owner}
        {managed.drifted_at !== null && ', changed since'}
      </Badge>
    </>
  );
}

/** Says on the page of an object that files configure it, and whether it was changed by other means. */
export function ManagedNote(props: ManagedProps): ReactNode {
  const managed = useManaged(props);
  if (managed === undefined) return null;
  return (
    <p>
      Files of <strong>{managed.owner}</strong> configure this (<code>{managed.file}</code>).
      {managed.drifted_at !== null && (
        <>
          {' '}
          It was changed by other means <Time at={managed.drifted_at} />, until they are applied again.
        </>
      )}
    </p>
  );
}
