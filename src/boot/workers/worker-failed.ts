/** A worker could not start; the message is what it says itself. */
export class WorkerFailed extends Error {}
