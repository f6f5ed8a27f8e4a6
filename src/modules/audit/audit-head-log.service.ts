import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../database/system-error.js';
import { ServiceLogger } from '../../http/logging/service-logger.js';
import { AuditHeadsRepository, type ChainHead } from './audit-heads.repository.js';

/** How often a process looks whether the heads are due, in milliseconds. */
const CHECK_INTERVAL_MS = 3_600_000;

/** How many heads are read at once. */
const BATCH_SIZE = 500;

/**
 * Writes the head of every chain to the log once a day. A log is kept elsewhere than the database, so that whoever rewrites
 * a chain there is found out by `gatehouse audit verify --expect`.
 */
@Injectable()
export class AuditHeadLogService implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: AuditHeadsRepository,
    private readonly logger: ServiceLogger,
  ) {}

  /** Looks now, and then every hour, for as long as the application runs. */
  start(): void {
    const look = (): void => void this.logIfDue().catch((error: unknown) => this.sayThatItFailed(error));
    this.timer = setInterval(look, CHECK_INTERVAL_MS).unref();
    look();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * Writes a line for each head, unless that was done in the last 24 hours by any process of the deployment.
   *
   * @returns whether it was done now
   */
  async logIfDue(): Promise<boolean> {
    return this.repository.onceADay(async (on) => {
      let heads: ChainHead[] = [];
      do {
        heads = await this.repository.after(on, heads.at(-1)?.organization_id ?? '', BATCH_SIZE);
        for (const { organization_id: id, sequence, hash } of heads) {
          this.logger.event('audit head', { organization_id: id, expect: `${sequence}:${hash}` });
        }
      } while (heads.length === BATCH_SIZE);
    });
  }

  private sayThatItFailed(error: unknown): void {
    this.logger.warn(
      `The heads of the audit trail could not be logged, and will be within an hour: ${errorMessage(error)}`,
    );
  }
}
