import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Batcher, type Outcome } from '../../concurrency/batcher.js';
import { onItsOwn } from '../../concurrency/request-scope.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { applyTokenCorrection, countIn, type FindWindows } from './counted-windows.js';
import {
  type CountedRequest,
  nameOf,
  type RateCount,
  type RateCounter,
  type RateSubject,
  type TokenCorrection,
} from './rate-count.js';
import { type LockedUse, RateUsesRepository, type StoredUse } from './rate-uses.repository.js';
import { SlidingWindow, WINDOW_SECONDS } from './sliding-window.js';

/** How many requests are counted with one transaction, which has to end within the time limit of a statement. */
const MAXIMUM_BATCH_SIZE = 200;

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Counts something in the windows of its subjects. */
interface Piece {
  readonly subjects: readonly RateSubject[];
  readonly work: (find: FindWindows, now: number) => RateCount | undefined;
}

/**
 * Counts in PostgreSQL what comes to all replicas, for deployments without Redis: what an organization counts at the same moment with
 * one transaction, which locks the rows of its subjects in their order and waits for no disk.
 */
@Injectable()
export class DatabaseRates implements RateCounter, OnApplicationShutdown {
  private readonly pieces = new Batcher<Piece, RateCount | undefined>(
    (organizationId, pieces) => this.work(organizationId, pieces),
    MAXIMUM_BATCH_SIZE,
  );
  /** When something was counted last for organizations that may have rows. */
  private readonly counted = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly repository: RateUsesRepository,
    private readonly logger: ServiceLogger,
  ) {
    this.timer = onItsOwn(() => setInterval(() => void this.deleteOld(), WINDOW_MS).unref());
  }

  async count(organizationId: string, request: CountedRequest): Promise<RateCount> {
    const { subjects } = request;
    const work = (find: FindWindows, now: number): RateCount => countIn(find, request, now);
    return (await this.pieces.run(organizationId, { subjects, work }))!;
  }

  async correct(organizationId: string, correction: TokenCorrection): Promise<void> {
    const { subjects } = correction;
    const work = (find: FindWindows, now: number): undefined => {
      applyTokenCorrection(find, correction, now);
    };
    await this.pieces.run(organizationId, { subjects, work });
  }

  /** Deletes what does not count any more, of organizations for which this process has counted. */
  async deleteOld(): Promise<void> {
    for (const [organizationId, countedAt] of this.counted) {
      try {
        await this.repository.deleteOld(organizationId);
        // What was counted since is deleted with the next one.
        const isOver = performance.now() - countedAt > 2 * WINDOW_MS && this.counted.get(organizationId) === countedAt;
        if (isOver) this.counted.delete(organizationId);
      } catch (error) {
        this.logger.warn(`old counts of requests could not be deleted: ${(error as Error).message}`);
      }
    }
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async work(
    organizationId: string,
    pieces: readonly Piece[],
  ): Promise<readonly Outcome<RateCount | undefined>[]> {
    this.counted.set(organizationId, performance.now());
    const subjects = new Map(pieces.flatMap((piece) => piece.subjects).map((subject) => [nameOf(subject), subject]));
    return this.repository.change(organizationId, [...subjects.values()], (uses) => {
      const known = new Map(uses.map((use) => [nameOf(use), windowsOf(use)]));
      const now = Math.max(...uses.map((use) => use.now));
      const find: FindWindows = (subject) => known.get(nameOf(subject))!;
      const counts = pieces.map(({ work }) => work(find, now));
      // What was refused has changed nothing.
      const isChanged = counts.some((count) => count?.exceeded === undefined);
      return {
        written: isChanged ? uses.map((use) => storedOf(use, find)) : [],
        result: counts.map((value) => ({ status: 'fulfilled', value })),
      };
    });
  }
}

function windowsOf({ latestSecond, requests, tokens }: LockedUse): ReturnType<FindWindows> {
  return { requests: new SlidingWindow(latestSecond, requests), tokens: new SlidingWindow(latestSecond, tokens) };
}

/** Both windows of a subject end with the same second. */
function storedOf({ subject, id }: LockedUse, find: FindWindows): StoredUse {
  const { requests, tokens } = find({ subject, id } as RateSubject);
  const latestSecond = Math.max(requests.latestSecond, tokens.latestSecond);
  for (const window of [requests, tokens]) window.advance(latestSecond);
  return { subject, id, latestSecond, requests: requests.stored, tokens: tokens.stored };
}
