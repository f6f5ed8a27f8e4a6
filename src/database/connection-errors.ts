/**
 * Listens to the errors of a connection, whose statement fails by itself when the connection breaks: an event of the name
 * `error` without a listener would end the process.
 */
export function leaveErrorToStatement(): void {
  // The statement on the connection is rejected with the same error.
}
