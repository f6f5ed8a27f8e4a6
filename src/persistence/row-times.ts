// The database says when, because the clocks of replicas may differ and lists are in the order of these times.

/** For new rows: when they were made. */
export const CREATED_NOW = { createdAt: 'now()' };

/** For new rows that also say when they were last changed. */
export const CREATED_AND_UPDATED_NOW = { createdAt: 'now()', updatedAt: 'now()' };

/** For changed rows. Not now(): the transaction may have begun before the one whose change it waited for. */
export const UPDATED_NOW = { updatedAt: 'clock_timestamp()' };
