/** A command was called incorrectly or cannot do what was requested; the message says why. */
export class UsageError extends Error {}
