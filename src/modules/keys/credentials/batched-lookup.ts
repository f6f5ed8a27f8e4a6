import DataLoader from 'dataloader';

/**
 * Looks rows up by a hash. All lookups of one turn of the event loop are one statement, which under load saves most of the
 * round trips (docs/adr/0003-named-statements-on-hot-reads.md). Nothing is cached: a row is always read after it was asked
 * for.
 *
 * @param find the rows of some keys, in the same order; undefined where there is no row
 * @template Key names the hash, and may state what is known besides it
 */
export function batchedLookup<Key extends { readonly hash: Buffer }, Row>(
  find: (keys: readonly Key[]) => Promise<(Row | undefined)[]>,
): DataLoader<Key, Row | undefined, string> {
  const loader = new DataLoader<Key, Row | undefined, string>(
    (keys) => {
      // From here on the rows may be older than a new request for them.
      loader.clearAll();
      return find(keys);
    },
    { batchScheduleFn: setImmediate, cacheKeyFn: ({ hash }) => hash.toString('latin1') },
  );
  return loader;
}
