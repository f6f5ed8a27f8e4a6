/** The prefix of the operations, in service and floor alike. */
export const BASE_PATH = '/api/v1';

/** The key that services and floor decrypt with; it only protects fictitious credentials. */
export const BENCH_ENCRYPTION_KEY = Buffer.alloc(32, 7);
