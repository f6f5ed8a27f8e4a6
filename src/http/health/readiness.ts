import { Injectable } from '@nestjs/common';
import { DatabaseHealth, type DatabaseState } from '../../database/database-health.js';
import { ServiceLogger } from '../logging/service-logger.js';
import { SharedAnswer } from './shared-answer.js';

/** What the log says when the database cannot be worked with, and why. */
const EXPLANATIONS: Readonly<Record<Exclude<DatabaseState, 'up'>, string>> = {
  down: 'not ready: PostgreSQL does not answer, or accepts no connection',
  read_only:
    'not ready: PostgreSQL accepts no writes. DATABASE_URL must lead to the primary, and this is a standby or a server set to read only',
  no_prepared_statements:
    'not ready: DATABASE_URL leads through a pooler that does not keep prepared statements. ' +
    'Use session mode, or PgBouncer 1.21 or later with max_prepared_statements (docs/scaling.md)',
};

/** Finds out whether something is wrong with what a module needs. @returns what it is; undefined for nothing */
type Requirement = () => Promise<string | undefined>;

/** How long what the database answered holds, in milliseconds: a flood of checks must not take its connections. */
const ANSWER_LIFETIME_MS = 1_000;

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private stopping = false;
  private lastState: DatabaseState = 'up';
  private readonly requirements = new Map<string, Requirement>();
  private readonly needs = new SharedAnswer(() => this.lookAtNeeds(), ANSWER_LIFETIME_MS);

  constructor(
    private readonly database: DatabaseHealth,
    private readonly logger: ServiceLogger,
  ) {}

  /** From now on the process is not ready: it finishes what it has and takes no more. */
  stop(): void {
    this.stopping = true;
  }

  /** Has something that a module needs looked at as well. It stands among the checks while it is missing. */
  require(name: string, requirement: Requirement): void {
    this.requirements.set(name, requirement);
  }

  /** The state of each thing that the service needs. Logs a line when that of the database has changed. */
  async check(): Promise<{ ready: boolean; checks: Readonly<Record<string, string>> }> {
    const { database, missing } = await this.needs.get();
    return {
      ready: database === 'up' && !this.stopping && Object.keys(missing).length === 0,
      checks: { service: this.stopping ? 'stopping' : 'running', database, ...missing },
    };
  }

  private async lookAtNeeds(): Promise<{ database: DatabaseState; missing: Readonly<Record<string, string>> }> {
    const database = await this.database.state();
    this.report(database);
    // What modules need is in the database.
    return { database, missing: database === 'up' ? await this.missing() : {} };
  }

  private async missing(): Promise<Readonly<Record<string, string>>> {
    const missing: Record<string, string> = {};
    for (const [name, requirement] of this.requirements) {
      const fault = await requirement().catch(() => 'unknown');
      if (fault !== undefined) missing[name] = fault;
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
