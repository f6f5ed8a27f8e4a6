import { joinPath } from '../../http/errors/issue.js';

/** An object in a list of a body, and where it stands. */
export interface FilterEntry {
  readonly path: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The objects in a list of filters, of a body of any form. */
export function filterEntriesOf(body: Readonly<Record<string, unknown>>, field: string): FilterEntry[] {
  const list = body[field];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    typeof entry === 'object' && entry !== null
      ? [{ path: joinPath(field, index), entry: entry as Record<string, unknown> }]
      : [],
  );
}
