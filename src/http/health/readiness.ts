import { Injectable } from '@nestjs/common';
import { DatabaseHealth, type DatabaseState } from '../../persistence/database-health.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';

/** The log messages for each state in which the database cannot be used. */
const EXPLANATIONS: Readonly<Record<Exclude<DatabaseState, 'up'>, string>> = {
  down: 'not ready: PostgreSQL does not answer, or accepts no connection',
  read_only:
    'not ready: PostgreSQL accepts no writes. DATABASE_URL must lead to the primary, and this is a standby or a server set to read only',
  no_prepared_statements:
    'not ready: DATABASE_URL leads through a pooler that does not keep prepared statements. ' +
    'Use session mode, or PgBouncer 1.21 or later with max_prepared_statements (docs/scaling.md)',
};

/** The state of what requests need. */
interface Needs {
  readonly database: DatabaseState;
  /** The requirements of modules that are not met, by name. */
  readonly missing: Readonly<Record<string, string>>;
}

/** Checks something that a module requires. @returns what is wrong; undefined if nothing is */
type Requirement = () => Promise<string | undefined>;

/**
 * How long a check is shared since it began, in milliseconds, so that frequent health checks do not use up connections, and none learns
 * of an older state.
 */
const CHECK_LIFETIME_MS = 1_000;

/** Determines whether this process can handle requests. */
@Injectable()
export class Readiness {
  private stopping = false;
  private lastState: DatabaseState = 'up';
  private readonly requirements = new Map<string, Requirement>();
  private latest: { readonly begunAt: number; readonly needs: Promise<Needs> } | undefined;

  constructor(
    private readonly database: DatabaseHealth,
    private readonly logger: ServiceLogger,
  ) {}

  /** Marks the process as not ready, because it is shutting down. */
  stop(): void {
    this.stopping = true;
  }

  /** Whether the process is shutting down. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** Adds a requirement of a module. It is listed in the response while it is not met. */
  require(name: string, requirement: Requirement): void {
    this.requirements.set(name, requirement);
  }

  /** Runs all checks. Logs a line when the state of the database has changed. */
  async check(): Promise<{ ready: boolean; checks: Readonly<Record<string, string>> }> {
    const { database, missing } = await this.needs();
    return {
      ready: database === 'up' && !this.stopping && Object.keys(missing).length === 0,
      checks: { service: this.stopping ? 'stopping' : 'running', database, ...missing },
    };
  }

  private needs(): Promise<Needs> {
    const now = performance.now();
    if (this.latest === undefined || now - this.latest.begunAt >= CHECK_LIFETIME_MS) {
      this.latest = { begunAt: now, needs: this.lookAtNeeds(now) };
    }
    return this.latest.needs;
  }

  private async lookAtNeeds(begunAt: number): Promise<Needs> {
    const database = await this.database.state();
    // A later check may have ended before, and knows better.
    if (this.latest?.begunAt === begunAt) this.report(database);
    // The requirements of modules depend on the database.
    return { database, missing: database === 'up' ? await this.missing() : {} };
  }

  private async missing(): Promise<Readonly<Record<string, string>>> {
    const missing: Record<string, string> = {};
    for (const [name, requirement] of this.requirements) {
      const issue = await requirement().catch(() => 'unknown');
      if (issue !== undefined) missing[name] = issue;
    }
    return missing;
  }

  private report(state: DatabaseState): void {
    if (state === this.lastState) return;
    this.lastState = state;
    if (state === 'up') this.logger.event('ready again: PostgreSQL answers and accepts writes');
    else this.logger.warn(EXPLANATIONS[state]);
  }
}
