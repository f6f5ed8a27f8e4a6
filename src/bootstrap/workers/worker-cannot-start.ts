/** A worker has ended before it listened. */
export class WorkerCannotStart extends Error {
  /** @param hasSaidWhy whether it has written the reason to standard error, as a service does that cannot start */
  constructor(
    ending: string,
    readonly hasSaidWhy: boolean,
  ) {
    super(`A worker has ended while it started: ${ending}`);
  }
}
