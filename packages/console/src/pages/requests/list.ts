import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { api, answered } from '../../api/client';
import type { Schema } from '../../api/types';
import type { Filters } from '../../components/filters';

type Page = Schema<'ListGenerationsResponse'>;

/** How many records a page of the list has. */
const LIMIT = 50;

/** The names of the filters that are sent as they are. */
const SENT = ['workspace_id', 'key_hash', 'user_id', 'model', 'provider', 'since', 'until'] as const;

/**
 * The records that the filters of the address let through, latest first, page by page. List and record share it, so that the next record
 * is the next of the list.
 */
export function useRequests(filters: Filters): UseInfiniteQueryResult<InfiniteData<Page, string | undefined>> {
  const status = filters.get('status');
  const refused = filters.get('refused');
  const query = {
    limit: LIMIT,
    ...Object.fromEntries(SENT.flatMap((name) => (filters.get(name) === '' ? [] : [[name, filters.get(name)]]))),
    ...(/^\d+$/.test(status) && { status: Number(status) }),
    ...(refused !== '' && { refused: refused === 'true' }),
  };
  return useInfiniteQuery({
    queryKey: ['requests', query],
    queryFn: ({ signal, pageParam: cursor }) =>
      answered(
        api.GET('/api/v1/generations', {
          params: { query: { ...query, ...(cursor !== undefined && { cursor }) } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}
