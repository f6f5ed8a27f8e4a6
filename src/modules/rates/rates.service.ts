import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../concurrency/redis-connection.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { DatabaseRates } from './database-rates.js';
import { ProcessRates } from './process-rates.js';
import type { CountedRequest, RateCount, RateCounter, TokenCorrection } from './rate-count.js';
import { RedisRates } from './redis-rates.js';

/**
 * Counts requests and tokens per minute (docs/limits.md#rates): with Redis there, and while it does not answer what comes to this
 * process; without Redis in PostgreSQL.
 */
@Injectable()
export class RatesService {
  private readonly redis: RateCounter | undefined;
  private readonly process = new ProcessRates();
  private isRefused = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly database: DatabaseRates,
    private readonly logger: ServiceLogger,
  ) {
    if (connection.client !== undefined) this.redis = new RedisRates(connection.client);
  }

  /** Counts a request for all of its subjects, or for none. */
  count(organizationId: string, request: CountedRequest): Promise<RateCount> {
    return this.through((counter) => counter.count(organizationId, request));
  }

  /** Corrects what was counted. Where that fails, what was counted stays until its minute is over. */
  async correct(organizationId: string, correction: TokenCorrection): Promise<void> {
    try {
      await this.through((counter) => counter.correct(organizationId, correction));
    } catch (error) {
      this.logger.warn(`what a request has used could not be counted: ${(error as Error).message}`);
    }
  }

  private async through<Result>(work: (counter: RateCounter) => Promise<Result>): Promise<Result> {
    if (this.redis === undefined) return work(this.database);
    try {
      const result = await work(this.redis);
      this.isRefused = false;
      return result;
    } catch (error) {
      this.tell(error as Error);
      return work(this.process);
    }
  }

  /** One line for what Redis refuses; of a connection that is lost the connection itself tells. */
  private tell({ message }: Error): void {
    if (this.isRefused || this.connection.client?.status !== 'ready') return;
    this.isRefused = true;
    this.logger.warn(`Redis counts no requests, they are counted in memory: ${message}`);
  }
}
