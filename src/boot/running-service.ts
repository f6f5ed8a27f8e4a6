import type { Closable } from './shutdown.js';

/** A service that answers requests, in this process or in several. */
export interface RunningService extends Closable {
  /** Where it listens. */
  readonly port: number;
  /** Whether this start created the first organization, and has shown its management key. */
  readonly created: boolean;
  /** Resolves when it cannot be kept running; never for one in this process, which goes with it. */
  readonly gone: Promise<void>;
  /** Finishes the requests in flight, refuses new ones, and resolves when all is closed. */
  close(): Promise<void>;
}
