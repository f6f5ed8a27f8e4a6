/** The prefix of the operations, in service and limit alike. */
export const LIMIT_BASE_PATH = '/api/v1';

/** The key that service and limit both decrypt with; it only protects fictitious credentials. */
export const LIMIT_ENCRYPTION_KEY = Buffer.alloc(32, 7);
