/** A command was asked for something that cannot be done; the message says what. */
export class UsageError extends Error {}
