import type { Socket } from 'node:net';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { ConnectionQueue } from './connection-queue.js';
import { DatabaseUnreachable, endsConnection, ignoreConnectionError } from './database-failures.js';
import { OnePerPool } from './one-per-pool.js';
import { statementFailure } from './pooled-client.js';
import { boundedQuery, ServiceClient } from './service-client.js';
import { TimeLimits } from './time-limits.js';

/** The longest time that a lookup is expected to wait for those before it, in milliseconds. */
const MAXIMUM_WAIT_MS = 10;

/** The share of the newest lookup in the time that one is expected to take. */
const NEWEST_SHARE = 0.2;

/** The maximum number of lookups on the connection at once. More would wait longer for their turn than for a connection. */
const MAXIMUM_CONCURRENT_LOOKUPS = 64;

/** The pause between two attempts to open the connection, in milliseconds. */
const OPENING_PAUSE_MS = 1_000;

/**
 * The connection that lookups share: each is sent at once, without waiting for the answers to those before it
 * (docs/adr/0018-lookups-share-a-connection.md). It is opened by the first lookup.
 */
export class LookupConnection {
  private static readonly besidePools = new OnePerPool((pool) => new LookupConnection(pool));

  private readonly queue: ConnectionQueue;
  private current: SharedConnection | undefined;
  private isOpening = false;
  private isEnded = false;
  private lastOpening = Number.NEGATIVE_INFINITY;

  private constructor(private readonly pool: Pool) {
    this.queue = ConnectionQueue.of(pool);
  }

  /** Returns the lookup connection beside a pool; there is exactly one. */
  static beside(pool: Pool): LookupConnection {
    return this.besidePools.of(pool);
  }

  /** Closes the lookup connection beside a pool, if there is one. */
  static endBeside(pool: Pool): void {
    this.besidePools.forget(pool)?.end();
  }

  /**
   * Runs a lookup on the shared connection. When that is not open or is held up, or breaks meanwhile, the lookup is run on a
   * connection of its own.
   *
   * @param lookup one statement that only reads
   * @param onOwnConnection runs the same statement on a connection of the pool
   * @throws DatabaseUnreachable when there is no answer in time
   */
  async run<T>(lookup: (connection: SharedConnection) => Promise<T>, onOwnConnection: () => Promise<T>): Promise<T> {
    const connection = this.usable();
    if (connection === undefined || connection.isSaturated) return onOwnConnection();
    try {
      return await lookup(connection);
    } catch (error) {
      // Not after a timeout: the request has waited for as long as it may.
      if (connection.isOpen || connection.isSilent) throw error;
      return onOwnConnection();
    }
  }

  /** The open connection. If there is none, opens one, for later lookups. */
  private usable(): SharedConnection | undefined {
    const { current } = this;
    if (current?.isOpen === true && current.generation === this.queue.generation && !current.isStale) return current;
    current?.end();
    this.current = undefined;
    this.open();
    return undefined;
  }

  private open(): void {
    if (this.isOpening || this.isEnded || performance.now() - this.lastOpening < OPENING_PAUSE_MS) return;
    this.isOpening = true;
    this.lastOpening = performance.now();
    const { pool } = this;
    const { generation } = this.queue;
    const timeout = TimeLimits.of(pool).connection;
    const client = new ServiceClient({ ...pool.options, pipeline: true, openingTimeoutMillis: timeout });
    client.on('error', ignoreConnectionError);
    client.connect((error?: Error | null) => {
      this.isOpening = false;
      if (error) return;
      const connection = new SharedConnection(client, pool, generation);
      if (this.isEnded) connection.end();
      else this.current = connection;
    });
  }

  private end(): void {
    this.isEnded = true;
    this.current?.end();
  }
}

/** An open connection on which several statements are in progress at once. PostgreSQL answers them in their order. */
export class SharedConnection {
  /** Whether statements can be sent. */
  isOpen = true;
  /** Whether it was closed because there was no answer in time. */
  isSilent = false;
  private isCollecting = false;
  private inProgress = 0;
  private lastProgress = performance.now();
  /** The time that a lookup is expected to take, in milliseconds. */
  private expectedTime = 0;

  /** @param generation the generation of the pool's connections when it was opened */
  constructor(
    private readonly client: ServiceClient,
    private readonly pool: Pool,
    readonly generation: number,
  ) {
    client.once('end', () => (this.isOpen = false));
    // Like an idle connection of a pool that may: a process that has nothing else to do may end.
    (client.connection.stream as Socket).unref();
  }

  /** Whether another lookup would have to wait. */
  get isSaturated(): boolean {
    if (this.inProgress === 0) return false;
    if (this.inProgress >= MAXIMUM_CONCURRENT_LOOKUPS || this.inProgress * this.expectedTime > MAXIMUM_WAIT_MS)
      return true;
    return performance.now() - this.lastProgress > MAXIMUM_WAIT_MS;
  }

  /** Whether it has been idle for as long as an idle connection of the pool stays open. */
  get isStale(): boolean {
    const { idleTimeoutMillis } = this.pool.options;
    return this.inProgress === 0 && performance.now() - this.lastProgress > (idleTimeoutMillis ?? Infinity);
  }

  /** @throws DatabaseUnreachable after a timeout or a connection error, which close the connection */
  async query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    if (this.inProgress === 0) this.lastProgress = performance.now();
    this.inProgress += 1;
    this.sendTogether();
    try {
      return await boundedQuery<Row>(this.client, query, TimeLimits.of(this.pool).query);
    } catch (error) {
      if (error instanceof DatabaseUnreachable) this.fallSilent();
      else if (endsConnection(error)) this.isOpen = false;
      throw statementFailure(this.pool, error);
    } finally {
      this.inProgress -= 1;
      this.countTime();
    }
  }

  /** Closes the connection after the statements in progress. */
  end(): void {
    if (this.isOpen) void this.client.end();
    this.isOpen = false;
  }

  private countTime(): void {
    const now = performance.now();
    this.expectedTime += NEWEST_SHARE * (now - this.lastProgress - this.expectedTime);
    this.lastProgress = now;
  }

  private fallSilent(): void {
    this.isSilent = true;
    this.isOpen = false;
    this.client.connection.stream.destroy();
  }

  /** Holds back what is sent until all callers that can go on now have sent theirs, so that it is one write to the socket. */
  private sendTogether(): void {
    if (this.isCollecting) return;
    this.isCollecting = true;
    const { stream } = this.client.connection;
    stream.cork();
    process.nextTick(() => {
      this.isCollecting = false;
      stream.uncork();
    });
  }
}
