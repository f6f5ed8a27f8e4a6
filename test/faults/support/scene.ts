import { randomBytes } from 'node:crypto';
import type { Demonstration } from '../../../src/cli/demo/demonstration.js';
import { LIMIT_ENCRYPTION_KEY } from '../../../bench/limit/constants.js';
import { Caller } from './caller.js';
import type { Deployment } from './deployment.js';
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
  private readonly secrets = new Set<string>();
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
      ENCRYPTION_KEY: LIMIT_ENCRYPTION_KEY.toString('base64'),
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

  /** Somebody who calls the operations of a service, as the tenant's administrator unless another key is given. */
  caller(service: ServiceProcess, key = this.tenant.management_key): Caller {
    return this.callerAt(`${service.origin}/api/v1`, key);
  }

  /** Somebody who calls what is below an address, without a key unless one is given. */
  callerAt(address: string, key?: string): Caller {
    const caller = new Caller(address, key);
    this.callers.push(caller);
    return caller;
  }

  /** Remembers what no log may show. */
  keepSecret(...secrets: readonly string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
  }

  /** Every secret that the fault has made or was given. */
  get keptSecrets(): readonly string[] {
    return [...this.secrets];
  }

  /** Stops what still runs. */
  async stopServices(): Promise<void> {
    for (const caller of this.callers) caller.close();
    await Promise.all(this.services.map((service) => service.stop()));
  }

  /** Stops what still runs, and looks for secrets in all that was logged. */
  async end(): Promise<void> {
    await this.stopServices();
    const logs = this.services.map((service) => service.log);
    const found = searchForSecrets(logs, this.secrets);
    this.verdict.figure('log bytes searched', found.searched);
    this.verdict.expect(found.places.length === 0, 'no secret stands in a log', found.places);
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
    LIMIT_ENCRYPTION_KEY.toString('base64'),
  ];
}
