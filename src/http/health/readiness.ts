import { Injectable } from '@nestjs/common';
import { DatabaseHealth, type DatabaseState } from '../../database/database-health.js';
import { ServiceLogger } from '../logging/service-logger.js';

/** What the log says when the database cannot be worked with, and why. */
const EXPLANATIONS: Readonly<Record<Exclude<DatabaseState, 'up'>, string>> = {
  down: 'not ready: PostgreSQL does not answer, or accepts no connection',
  read_only:
    'not ready: PostgreSQL accepts no writes. DATABASE_URL must lead to the primary, and this is a standby or a server set to read only',
  no_prepared_statements:
    'not ready: DATABASE_URL leads through a pooler that does not keep prepared statements. ' +
    'Use session mode, or PgBouncer 1.21 or later with max_prepared_statements (docs/scaling.md)',
};

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private stopping = false;
  private lastState: DatabaseState = 'up';

  constructor(
    private readonly database: DatabaseHealth,
    private readonly logger: ServiceLogger,
  ) {}

  /** From now on the process is not ready: it finishes what it has and takes no more. */
  stop(): void {
    this.stopping = true;
  }

  /** The state of each thing that the service needs. Logs a line when that of the database has changed. */
  async check(): Promise<{ ready: boolean; checks: { service: string; database: DatabaseState } }> {
    const database = await this.database.state();
    this.report(database);
    return {
      ready: database === 'up' && !this.stopping,
      checks: { service: this.stopping ? 'stopping' : 'running', database },
    };
  }

  private report(state: DatabaseState): void {
    if (state === this.lastState) return;
    this.lastState = state;
    if (state === 'up') this.logger.event('ready again: PostgreSQL answers and accepts writes');
    else this.logger.warn(EXPLANATIONS[state]);
  }
}
