import { useEffect, useState } from 'react';
import { CONSOLE_PATH } from '../../api/client';
import type { Schema } from '../../api/types';

type Row = Schema<'ListedGeneration'>;

/** How many of the records that came are kept: the others are in the list when it is read anew. */
const KEPT = 500;

/** Whether records come by themselves: not wanted, being connected, connected, or refused by the service. */
export type LiveState = 'off' | 'connecting' | 'on' | 'refused';

/** The records that have come by themselves, latest first, while that is wanted. */
export interface Live {
  readonly state: LiveState;
  readonly rows: readonly Row[];
}

/**
 * Receives the records that match from now on as server-sent events. The browser connects again by itself when the stream ends, and says
 * which event was the last.
 *
 * @param filters as they are sent; others begin anew
 */
export function useLive(isWanted: boolean, filters: Readonly<Record<string, string>>): Live {
  const query = new URLSearchParams(filters).toString();
  const [live, setLive] = useState<Live>({ state: 'off', rows: [] });
  useEffect(() => {
    if (!isWanted) {
      setLive({ state: 'off', rows: [] });
      return undefined;
    }
    setLive({ state: 'connecting', rows: [] });
    const source = new EventSource(`${CONSOLE_PATH}api/v1/generations?${query}`);
    source.addEventListener('open', () => setLive(({ rows }) => ({ state: 'on', rows })));
    source.addEventListener('error', () => {
      const state = source.readyState === EventSource.CLOSED ? 'refused' : 'connecting';
      setLive(({ rows }) => ({ state, rows }));
    });
    source.addEventListener('generation', ({ data }: MessageEvent<string>) => {
      const row = JSON.parse(data) as Row;
      setLive(({ rows }) => ({ state: 'on', rows: merged([row], rows).slice(0, KEPT) }));
    });
    return () => source.close();
  }, [isWanted, query]);
  return live;
}

/** Records of two lists, each once, latest first as in the list of the service. */
export function merged(some: readonly Row[], others: readonly Row[]): readonly Row[] {
  const rows = new Map([...some, ...others].map((row) => [row.id, row]));
  return [...rows.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}
