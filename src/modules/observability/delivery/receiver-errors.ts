/** A receiver gave no whole answer: no connection, a broken one, a wrong certificate, or too late. Its message names no credential. */
export class ReceiverUnreachable extends Error {}

/** A receiver's host leads to an address that is not allowed (docs/interface/destinations.md#addresses). */
export class ReceiverNotAllowed extends Error {}
