/**
 * Gives every further statement of a transaction the time that it needs, rather than that of a request: for work that no
 * caller waits for, and that waits for others of its kind.
 */
export const UNHURRIED = "SET LOCAL statement_timeout = '2min'; SET LOCAL lock_timeout = '2min'";
