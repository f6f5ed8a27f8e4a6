import { once } from 'node:events';
import type { Response } from 'express';

/** A connection that the client has ended takes no more, before the response is told that it is closed. */
export function hasClientLeft({ destroyed, socket }: Response): boolean {
  return destroyed || socket?.writable === false;
}

/** Waits until the client has read what was sent, as far as its connection holds it. @returns false where the client has left */
export async function drained(response: Response): Promise<boolean> {
  // What has closed says so once, perhaps before this.
  if (hasClientLeft(response)) return false;
  const stop = new AbortController();
  const { signal } = stop;
  const { socket } = response;
  const reading = socket === null ? [] : [once(socket, 'drain', { signal })];
  try {
    await Promise.race([...reading, once(response, 'close', { signal })]);
  } catch {
    // The connection broke before the response is told of it.
    return false;
  } finally {
    stop.abort();
  }
  return !response.destroyed;
}
