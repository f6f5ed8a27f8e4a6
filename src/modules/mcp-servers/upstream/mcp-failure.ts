/**
 * A server does not answer as it should, or not in time. The message says nothing of credentials, and nothing in the words of the server.
 */
export class McpFailure extends Error {
  /** @param status the HTTP status that it answered with; undefined without one @param hasTimedOut whether its time was over */
  constructor(
    message: string,
    readonly status?: number,
    readonly hasTimedOut = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A server does not know a session any more that its client goes on with. */
export class McpSessionLost extends McpFailure {}
