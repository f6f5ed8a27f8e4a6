import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import pg from 'pg';
import { createApplication } from '../../../src/app.setup.js';
import { OPENABLE_OPERATIONS } from '../../../src/bootstrap/load-environment.js';
import { type Environment, readEnvironment } from '../../../src/config/environment.js';
import type { BrokenAnswerWaits } from '../../../src/http/broken-answers.js';
import { ServiceLogger } from '../../../src/telemetry/logging/service-logger.js';
import { ApiClient } from '../network/api-client.js';
import { Factory } from './factory.js';
import { RELAXED_TIME_LIMITS } from './time-limits.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { watchForUndocumentedErrors } from './undocumented-errors.js';

/** How a test wants its application to be. */
export interface TestApplicationOptions {
  /** Environment variables; of those that limit time, a test has to name those that it is about ({@link RELAXED_TIME_LIMITS}). */
  readonly variables?: Readonly<Record<string, string>>;
  /** How answers that cannot be completed end; by default as soon as they can, so that no test waits. */
  readonly brokenAnswers?: BrokenAnswerWaits;
  /** A database that another application uses too, as a second replica does. */
  readonly database?: TestDatabase;
}

/** A running application with a database of its own. */
export class TestApplication {
  private readonly replicas: TestApplication[] = [];
  private stopped?: Promise<void>;

  private constructor(
    readonly application: INestApplication,
    /** Scheme, host and port. */
    readonly origin: string,
    readonly api: ApiClient,
    readonly factory: Factory,
    readonly environment: Environment,
    /** Every log line so far. */
    readonly logLines: readonly string[],
    readonly database: TestDatabase,
    private readonly ownsDatabase: boolean,
    /** Connections of the test itself, which have none of the time limits of the service's. */
    private readonly connections: pg.Pool,
    private readonly undocumentedErrors: ReadonlySet<string>,
  ) {}

  /** Starts one on a free port, through the same set-up as the service. */
  static async start(options: TestApplicationOptions = {}): Promise<TestApplication> {
    const database = options.database ?? (await createTestDatabase());
    const variables = {
      DATABASE_URL: database.serviceUrl,
      ENCRYPTION_KEY: '11'.repeat(32),
      HOST: '127.0.0.1',
      PORT: '0',
      // Servers of models that organizations register in tests are on the loopback.
      ALLOW_PRIVATE_UPSTREAMS: 'true',
      ...RELAXED_TIME_LIMITS,
      ...options.variables,
    };
    const environment = readEnvironment(variables, OPENABLE_OPERATIONS);
    const logLines: string[] = [];
    const destination = new Writable({
      write(line: Buffer, _encoding, done): void {
        logLines.push(line.toString());
        done();
      },
    });
    const logger = new ServiceLogger('debug', destination);
    const application = await createApplication({
      environment,
      databaseUrl: database.serviceUrl,
      logger,
      brokenAnswers: options.brokenAnswers ?? { end: 0, close: 10_000 },
    });
    const undocumentedErrors = watchForUndocumentedErrors(application);
    await application.listen(0, '127.0.0.1');
    const { port } = (application.getHttpServer() as Server).address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const api = new ApiClient(`${origin}${environment.apiBasePath}`);
    const ownsDatabase = options.database === undefined;
    const connections = new pg.Pool({ connectionString: database.url, max: 4, application_name: 'gatehouse test' });
    // Tests end connections on purpose. The statement on one of them fails by itself; an idle one is replaced.
    connections.on('error', () => undefined);
    return new TestApplication(
      application,
      origin,
      api,
      new Factory(application),
      environment,
      logLines,
      database,
      ownsDatabase,
      connections,
      undocumentedErrors,
    );
  }

  /** Another replica on the same database. It stops with this application, if it has not stopped before. */
  async replica(variables: Readonly<Record<string, string>> = {}): Promise<TestApplication> {
    const replica = await TestApplication.start({ database: this.database, variables });
    this.replicas.push(replica);
    return replica;
  }

  /** The rows of a statement, on a connection of the test's own: what really is in the database, however long it takes. */
  async rows<Row extends object = Record<string, unknown>>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.connections.query<Row>(statement, values)).rows;
  }

  /** Lets the database take no more writes, as one that has become a standby does, and ends the connections of the service. */
  async refuseWrites(): Promise<void> {
    await this.setReadOnly('SET default_transaction_read_only = on');
  }

  /** Lets the database take writes again. */
  async takeWrites(): Promise<void> {
    await this.setReadOnly('RESET default_transaction_read_only');
  }

  private async setReadOnly(change: string): Promise<void> {
    const { pathname } = new URL(this.database.url);
    await this.rows(`ALTER DATABASE "${pathname.slice(1)}" ${change}`);
    await this.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name <> 'gatehouse test'`,
    );
  }

  /** @throws Error when an operation has answered an error that it does not document, also in tests of something else */
  stop(): Promise<void> {
    this.stopped ??= this.stopOnce();
    return this.stopped;
  }

  private async stopOnce(): Promise<void> {
    for (const replica of this.replicas) await replica.stop();
    (this.application.getHttpServer() as Server).closeAllConnections();
    await this.application.close();
    await this.connections.end();
    if (this.ownsDatabase) await this.database.drop();
    expect([...this.undocumentedErrors]).toEqual([]);
  }
}
