import type { Pool, PoolClient } from 'pg';
import { ConnectionsInUse, DatabaseUnreachable, ignoreConnectionError } from './database-failures.js';
import { LoopTimeout } from '../concurrency/loop-timeout.js';
import { forSeveralRequests } from '../concurrency/request-scope.js';
import { OnePerPool } from './one-per-pool.js';
import { DatabaseTimeouts } from './database-timeouts.js';

/** A connection that is checked out of the pool. */
export interface TakenConnection {
  readonly client: PoolClient;
  /** Whether it was opened for this checkout, rather than reused. */
  readonly isNew: boolean;
}

/**
 * Hands out the connections of a pool, first come, first served. Each caller waits a bounded time, not counting the time in
 * which the event loop was blocked, which the pool's own timeout would count.
 */
export class ConnectionQueue {
  private static readonly ofPools = new OnePerPool((pool) => new ConnectionQueue(pool));

  private readonly callers = new Set<() => void>();
  private readonly opened = new WeakSet<PoolClient>();
  private readonly generations = new WeakMap<PoolClient, number>();
  private readonly timeout: number;
  /** Increases when all connections are replaced. */
  private generation = 0;
  private taken = 0;

  private constructor(private readonly pool: Pool) {
    this.timeout = DatabaseTimeouts.of(pool).connection;
    pool.on('connect', (client) => {
      // An error without a listener ends the process, and a server that stops may report it as soon as the connection is open, before
      // the caller that asked for the client has it.
      client.on('error', ignoreConnectionError);
      this.opened.add(client);
      this.generations.set(client, this.generation);
    });
  }

  /** Returns the queue of a pool; there is exactly one. */
  static of(pool: Pool): ConnectionQueue {
    return this.ofPools.of(pool);
  }

  /** The number of callers that wait for a connection. */
  get length(): number {
    return this.callers.size;
  }

  /**
   * Waits for a connection.
   *
   * @throws ConnectionsInUse when none becomes free in time
   * @throws DatabaseUnreachable when none can be opened, or not in time
   */
  acquire(): Promise<TakenConnection> {
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      const timeout = new LoopTimeout(this.timeout, () => {
        isGivenUp = true;
        const hasWaited = this.callers.delete(start);
        if (!hasWaited) this.startNext();
        reject(
          hasWaited
            ? new ConnectionsInUse()
            : new DatabaseUnreachable('PostgreSQL has not accepted a connection in time'),
        );
      });
      const taken = (error: unknown, connection?: TakenConnection): void => {
        timeout.cancel();
        if (isGivenUp) connection?.client.release();
        else if (connection === undefined) {
          this.startNext();
          reject(DatabaseUnreachable.because(error));
        } else resolve(connection);
      };
      const start = (): void => {
        this.taken += 1;
        // Others use the connection after the request that it is opened for.
        forSeveralRequests(() => this.connect(taken));
      };
      if (this.taken < this.pool.options.max) start();
      else this.callers.add(start);
    });
  }

  /** @param isBroken whether the connection must not be used again */
  release(client: PoolClient, isBroken = false): void {
    client.release(isBroken);
    this.startNext();
  }

  /** Replaces all connections that are open now: each is closed when it is no longer in use. */
  renew(): void {
    this.generation += 1;
  }

  private connect(callback: (error: unknown, connection?: TakenConnection) => void): void {
    this.pool.connect((error, client) => {
      if (client === undefined) callback(error);
      else if ((this.generations.get(client) ?? 0) === this.generation) {
        callback(undefined, { client, isNew: this.opened.delete(client) });
      } else {
        client.release(true);
        this.connect(callback);
      }
    });
  }

  private startNext(): void {
    this.taken -= 1;
    const [start] = this.callers;
    if (start === undefined || this.taken >= this.pool.options.max) return;
    this.callers.delete(start);
    start();
  }
}
