import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { onItsOwn } from '../../concurrency/request-scope.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { errorMessage } from '../../persistence/database-failures.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { sizeOfEntry } from '../observability/delivery/outbox/enqueue-events.js';
import { GenerationsRepository, type RecordToInsert } from './generations.repository.js';

/** How long to wait before it is tried again, in milliseconds. */
const RETRY_MS = 1_000;

/** How many records wait at most: of one organization, and of all. */
const MAXIMUM_WAITING_PER_ORGANIZATION = 2_000;
const MAXIMUM_WAITING = 20_000;

/** How many bytes of what is meant for destinations wait at most. */
const MAXIMUM_OUTBOX_BYTES = 64 * 1_048_576;

/** How many records are written with one statement. */
const MAXIMUM_BATCH_SIZE = 200;

/** Stores records that could not be stored in time, because the database was gone or had too much to do. */
@Injectable()
export class LateGenerations implements OnModuleDestroy {
  private readonly waiting = new Map<string, RecordToInsert[]>();
  private count = 0;
  private outboxBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(
    private readonly repository: GenerationsRepository,
    private readonly slots: RequestSlots,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * Takes a record. When too many wait, it is lost, and what was reserved for it is charged when this process has ended; when too much
   * waits for destinations, they do not get it.
   */
  add({ outbox, ...record }: RecordToInsert): void {
    const bytes = sizeOfEntry(outbox);
    const isSent = outbox !== undefined && this.outboxBytes + bytes <= MAXIMUM_OUTBOX_BYTES;
    if (outbox !== undefined && !isSent) this.logger.warn(`generation ${record.id} is not sent to destinations`);
    const generation = isSent ? { ...record, outbox } : record;
    const ofOrganization = this.waiting.get(generation.organizationId) ?? [];
    if (ofOrganization.length >= MAXIMUM_WAITING_PER_ORGANIZATION || this.count >= MAXIMUM_WAITING) {
      this.logger.warn(`generation ${generation.id} could not be recorded, and too many others wait to be`);
      return;
    }
    ofOrganization.push(generation);
    this.count += 1;
    if (isSent) this.outboxBytes += bytes;
    this.waiting.set(generation.organizationId, ofOrganization);
    this.schedule();
  }

  /** Retries, so that nothing is lost that the database takes. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    clearTimeout(this.timer);
    await this.store();
  }

  /** Tries to store what waits. What cannot be stored waits on. */
  async store(): Promise<void> {
    await Promise.all([...this.waiting.keys()].map((organizationId) => this.storeOf(organizationId)));
    if (this.count > 0) this.schedule();
  }

  private schedule(): void {
    if (this.isClosing || this.timer !== undefined) return;
    this.timer = onItsOwn(() => {
      const again = (): void => {
        this.timer = undefined;
        void this.store();
      };
      return setTimeout(again, RETRY_MS).unref();
    });
  }

  private async storeOf(organizationId: string): Promise<void> {
    const generations = this.waiting.get(organizationId) ?? [];
    this.waiting.delete(organizationId);
    this.count -= generations.length;
    for (const { outbox } of generations) this.outboxBytes -= sizeOfEntry(outbox);
    for (let first = 0; first < generations.length; first += MAXIMUM_BATCH_SIZE) {
      const batch = generations.slice(first, first + MAXIMUM_BATCH_SIZE);
      try {
        const outcomes = await this.slots.run(organizationId, () => this.repository.insert(organizationId, batch));
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected')
            this.logger.warn(`a generation was refused: ${errorMessage(outcome.reason)}`);
        }
      } catch (error) {
        this.logger.warn(`${generations.length - first} generations still wait to be recorded: ${errorMessage(error)}`);
        for (const generation of generations.slice(first)) this.add(generation);
        return;
      }
    }
  }
}
