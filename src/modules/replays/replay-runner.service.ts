import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { onItsOwn } from '../../concurrency/request-scope.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { Statements } from '../../persistence/statements.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { AuditTrail, SERVICE } from '../audit/audit-trail.js';
import type { ReplayJobEntity } from './entities/replay-job.entity.js';
import { monthsOf, type ReplayWork } from './replay-work.js';
import { RECORDS_OF_BATCH, ReplaysRepository } from './replays.repository.js';

/** Runs replays, each in the process that has accepted it (docs/interface/replays.md#how-it-runs). */
@Injectable()
export class ReplayRunner implements OnModuleDestroy {
  private isStopped = false;

  constructor(
    private readonly repository: ReplaysRepository,
    private readonly slots: RequestSlots,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly logger: ServiceLogger,
  ) {}

  onModuleDestroy(): void {
    this.isStopped = true;
  }

  /** Begins a replay, which goes on behind the request. */
  begin(job: ReplayJobEntity, work: ReplayWork): void {
    void onItsOwn(() => this.run(job, work));
  }

  private async run(job: ReplayJobEntity, work: ReplayWork): Promise<void> {
    const { tally } = work;
    try {
      const isComplete = await this.readAll(job, work).finally(() => this.recordReading(job, work));
      if (isComplete) await this.repository.end(job, 'finished', tally.readCount, tally.result);
    } catch (error) {
      this.logger.warn(`the replay ${job.id} has failed: ${(error as Error).message}`);
      await this.repository.end(job, 'failed', tally.readCount, null).catch(() => undefined);
    }
  }

  /** @returns whether it has come to its end, and was not cancelled */
  private async readAll({ organizationId, id, to }: ReplayJobEntity, work: ReplayWork): Promise<boolean> {
    for (const span of monthsOf({ from: work.begin, to })) {
      let after = '';
      for (;;) {
        // In the turn of the organization, so that its requests and those of others have theirs.
        const records = await this.slots.run(organizationId, () =>
          this.repository.records(organizationId, span.from, span.to, after),
        );
        await work.take(span, records);
        const isWanted = await this.repository.progress(organizationId, id, work.tally.readCount);
        if (this.isStopped || !isWanted) return false;
        if (records.length < RECORDS_OF_BATCH) break;
        after = records.at(-1)!.id;
      }
    }
    return true;
  }

  private async recordReading({ organizationId, id }: ReplayJobEntity, { tally }: ReplayWork): Promise<void> {
    if (tally.contentsRead === 0) return;
    await this.statements.transaction((tx) =>
      this.audit.record(tx, organizationId, SERVICE, {
        action: 'replay.read_contents',
        targetId: id,
        changes: { contents: { after: tally.contentsRead } },
      }),
    );
  }
}
