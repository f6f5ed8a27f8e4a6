import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Demonstration } from '../../../src/cli/demo/demonstration.js';
import { BENCH_ENCRYPTION_KEY } from '../../../bench/support/constants.js';
import { Caller } from './caller.js';
import type { Deployment } from './deployment.js';
import { Load } from './load.js';
import { temporaryDirectory } from './postgres-server.js';
import { RedisServer } from './redis-server.js';
import { searchForSecrets } from './secret-search.js';
import { ServiceProcess } from './service-process.js';
import { Verdict } from './verdict.js';

/** How many requests a fault makes: all that the issue asks for, or a small part of them while one is being written. */
export type Scale = 'full' | 'quick';

/** What a fault works with: a database with an organization in it, services of its own, and somewhere to say what it found. */
export class Scene {
  readonly verdict = new Verdict();
  private readonly services: ServiceProcess[] = [];
  private readonly callers: Caller[] = [];
  private readonly loads: Load[] = [];
  private readonly secrets = new Set<string>();
  private readonly cleanups: (() => Promise<void>)[] = [];
  private databaseUrl: Promise<string> | undefined;

  constructor(
    readonly deployment: Deployment,
    private readonly scale: Scale,
    /** Where the random choices of the fault begin. */
    readonly seed: number,
  ) {
    this.keepSecret(deployment.password, ...secretsOf(deployment.tenant));
  }

  /** The organization of the database. */
  get tenant(): Demonstration {
    return this.deployment.tenant;
  }

  /** So many of something, or few while the fault is being written. */
  count(full: number, quick: number): number {
    return this.scale === 'full' ? full : quick;
  }

  /** The fault's own database, with the tenant in it. */
  database(): Promise<string> {
    this.databaseUrl ??= this.deployment.copyDatabase(`fault_${randomBytes(6).toString('hex')}`);
    return this.databaseUrl;
  }

  /** A service on the fault's own database. */
  async service(variables: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    return this.serviceWith({ ...(await this.variables()), ...variables });
  }

  /** What a service needs to use the fault's own database. */
  async variables(): Promise<Record<string, string>> {
    return {
      DATABASE_URL: await this.database(),
      ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64'),
      KEY_DELETION_RATE_LIMIT: '1000000',
    };
  }

  /** A service with nothing but these variables. */
  async serviceWith(variables: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const service = this.launch(variables);
    await service.announced();
    return service;
  }

  /** A service that is not waited for. */
  launch(variables: Readonly<Record<string, string>>): ServiceProcess {
    const service = ServiceProcess.launch(variables);
    this.services.push(service);
    return service;
  }

  /** Calls the operations of a service, as the tenant's administrator unless another key is given. */
  caller(service: ServiceProcess, key = this.tenant.management_key): Caller {
    return this.callerOf([service], key);
  }

  /** Calls the operations of replicas, which get the requests in turn. */
  callerOf(replicas: readonly ServiceProcess[], key = this.tenant.management_key, connections?: number): Caller {
    return this.callerAt(
      replicas.map(({ origin }) => `${origin}/api/v1`),
      key,
      connections,
    );
  }

  /** Calls the paths below one or several addresses, in turns; without a key unless one is given. */
  callerAt(addresses: string | readonly string[], key?: string, connections?: number): Caller {
    const caller = new Caller([addresses].flat(), key, connections);
    this.callers.push(caller);
    return caller;
  }

  /** A directory of the fault's own, which the account that runs PostgreSQL can reach; removed at the end. */
  async directory(): Promise<string> {
    const directory = await temporaryDirectory('gatehouse-fault-');
    this.afterwards(() => rm(directory, { recursive: true, force: true }));
    return directory;
  }

  /** A Redis server, removed at the end; where the system has none, undefined, and the verdict says so. */
  async redis(): Promise<RedisServer | undefined> {
    const redis = await RedisServer.create(await this.directory());
    if (redis === undefined) this.verdict.skipped = 'there is no redis-server on this system';
    else this.afterwards(() => redis.remove());
    return redis;
  }

  /** Callers that go on until they are stopped, at the latest at the end. */
  load(callers: number, turn: (caller: number) => Promise<void>): Load {
    const load = new Load(callers, turn);
    this.loads.push(load);
    return load;
  }

  /** Remembers what no log may show. */
  keepSecret(...secrets: readonly string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
  }

  /** Every secret that the fault has created or received. */
  get keptSecrets(): readonly string[] {
    return [...this.secrets];
  }

  /** Stops what still runs. */
  async stopServices(): Promise<void> {
    for (const caller of this.callers) caller.close();
    await Promise.all(this.services.map((service) => service.stop()));
  }

  /** Stops all processes and removes all files. */
  async clear(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.abandon()));
    await this.stopServices();
    for (let cleanup = this.cleanups.pop(); cleanup !== undefined; cleanup = this.cleanups.pop()) await cleanup();
  }

  /** Stops all processes, removes all files, and searches all logs for secrets. */
  async end(): Promise<void> {
    await this.clear();
    const logs = this.services.map((service) => service.log);
    const found = searchForSecrets(logs, this.secrets);
    this.verdict.figure('log bytes searched', found.searched);
    this.verdict.expect(found.places.length === 0, 'no secret stands in a log', found.places);
  }

  /** Remembers what is to be done once the fault is over. */
  private afterwards(cleanup: () => Promise<void>): void {
    this.cleanups.push(cleanup);
  }
}

function secretsOf(tenant: Demonstration): string[] {
  const { management_key, api_key, client_secret, other_client_secret, authorization_codes, other_organization } =
    tenant;
  return [
    management_key,
    api_key,
    client_secret,
    other_client_secret,
    other_organization.management_key,
    ...authorization_codes.flatMap(({ code, code_verifier }) => [
      code,
      ...(code_verifier === null ? [] : [code_verifier]),
    ]),
    BENCH_ENCRYPTION_KEY.toString('base64'),
  ];
}
