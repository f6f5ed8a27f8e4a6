import type { JsonObject } from './json-rpc.js';

/** A session at a server for one session of a client, which knows it: no process keeps it. */
export interface ServerSession {
  /** The version of the server for which it was opened. */
  readonly version: string;
  /** Undefined for a server that keeps none. */
  readonly id: string | undefined;
  readonly revision: string;
}

/** One that was opened now. */
export interface OpenedServerSession extends ServerSession {
  /** What the server says that it can do in it. */
  readonly capabilities: JsonObject;
}
