import pg from 'pg';
import { DatabaseUnreachable } from './database-failures.js';
import { LoopTimeout } from './loop-timeout.js';

/** How to make a {@link ServiceClient}. */
export interface ServiceClientConfig extends pg.ClientConfig {
  /** How long opening the connection may take, in milliseconds of a running event loop; as long as it takes when left out. */
  openingTimeoutMillis?: number;
}

/** A connection to PostgreSQL that is opened in a bounded time, not counting the time in which the event loop was blocked. */
export class ServiceClient extends pg.Client {
  private readonly openingTimeout: number | undefined;

  constructor(config: ServiceClientConfig) {
    super(config);
    this.openingTimeout = config.openingTimeoutMillis;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (this.openingTimeout !== undefined) this.boundOpening(this.openingTimeout);
    if (callback === undefined) return super.connect();
    super.connect(callback);
    return undefined;
  }

  private boundOpening(milliseconds: number): void {
    const timeout = new LoopTimeout(milliseconds, () => {
      this.connection.stream.destroy(new DatabaseUnreachable('PostgreSQL has not accepted a connection in time'));
    });
    const cancel = (): void => timeout.cancel();
    this.once('connect', cancel).once('end', cancel);
  }
}
