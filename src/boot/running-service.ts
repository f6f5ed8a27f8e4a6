import type { NewOrganization } from '../modules/installation/installation.service.js';
import type { Closable } from './shutdown.js';

/** A service that answers requests, in this process or in several. */
export interface RunningService extends Closable {
  /** Where it listens. */
  readonly port: number;
  /** The first organization, when this start made it. */
  readonly made: NewOrganization | undefined;
  /** Resolves when it cannot be kept running; never for one in this process, which goes with it. */
  readonly gone: Promise<void>;
  /** Finishes the requests in flight, refuses new ones, and resolves when all is closed. */
  close(): Promise<void>;
}
