import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RepeatedWork } from '../../persistence/repeated-work.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { AuditHeadsRepository, type ChainHead } from './audit-heads.repository.js';

/** How often a process checks whether the heads are due, in milliseconds. */
const CHECK_INTERVAL_MS = 3_600_000;

/** How many heads are read at once. */
const BATCH_SIZE = 500;

/**
 * Writes the head of every chain to the log once a day. The log is stored outside the database, so `gatehouse audit
 * verify --expect` detects a rewritten chain.
 */
@Injectable()
export class AuditHeadLogService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(
    private readonly repository: AuditHeadsRepository,
    private readonly logger: ServiceLogger,
  ) {
    const failure = 'The heads of the audit trail could not be logged; the next attempt is within an hour';
    this.repeated = new RepeatedWork(() => this.logIfDue(), { intervalMs: CHECK_INTERVAL_MS, failure, logger });
  }

  /** Checks now, and then every hour while the application runs. */
  start(): void {
    this.repeated.start();
    this.repeated.wake();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
  }

  /**
   * Writes a line for each head, unless that was done in the last 24 hours by any process of the deployment. While there is
   * no head, nothing is remembered as done: `gatehouse audit verify` treats the time of the last log as evidence that chains existed.
   *
   * @returns whether heads were logged now
   */
  async logIfDue(): Promise<boolean> {
    return this.repository.onceADay(async (tx) => {
      let heads: ChainHead[] = [];
      let isAnyLogged = false;
      do {
        heads = await this.repository.after(tx, heads.at(-1)?.organization_id ?? '', BATCH_SIZE);
        for (const { organization_id: id, sequence, hash } of heads) {
          isAnyLogged = true;
          this.logger.event('audit head', { organization_id: id, expect: `${sequence}:${hash}` });
        }
      } while (heads.length === BATCH_SIZE);
      return isAnyLogged;
    });
  }
}
