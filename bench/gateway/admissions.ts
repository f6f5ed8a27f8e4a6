import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { readEnvironment } from '../../src/config/environment.js';
import { GenerationsService } from '../../src/modules/generations/generations.service.js';
import { AdmissionService } from '../../src/modules/spend/admission.service.js';
import { unitsOf } from '../../src/modules/spend/decimal-amount.js';
import { UsageRollUpService } from '../../src/modules/usage/totals/usage-roll-up.service.js';
import { ServiceLogger } from '../../src/telemetry/logging/service-logger.js';
import { BENCH_ENCRYPTION_KEY } from '../support/constants.js';
import { type BenchSpender, generationOf } from '../support/generation.js';
import type { TestBed } from './test-bed.js';

/** How many requests are under way at a time. */
const AT_ONCE = 128;

/** Until plans are made and the compiler has seen the code. */
const WARM_UP_SECONDS = 1;

/** What a request is admitted with: twice what it costs then. */
const WORST_CASE = {
  candidates: [{ fixed: unitsOf('0.00246'), perToken: 0n, longestAnswer: 1, isByok: false }],
  namedTokens: 1,
};

/** The services that admit and record requests, in this process, as the service has them. */
export interface Admissions {
  /**
   * Admits requests and records them, many at once, for a while.
   *
   * @param spenders take turns
   * @returns how many a second
   */
  rate(spenders: readonly BenchSpender[], seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts those services. */
export async function openAdmissions({ database }: TestBed): Promise<Admissions> {
  const environment = readEnvironment({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64'),
  });
  const logger = new ServiceLogger('silent');
  const context = await NestFactory.createApplicationContext(
    AppModule.forRoot({ environment, databaseUrl: database.url, logger }),
    { logger },
  );
  const admission = context.get(AdmissionService);
  const generations = context.get(GenerationsService);
  context.get(UsageRollUpService).start();

  const request = async (spender: BenchSpender): Promise<void> => {
    const { content: _, ...record } = generationOf(spender);
    const { id: generationId, requestId, model } = { ...record, requestId: record.id };
    await admission.admit({
      ...spender,
      generationId,
      createdAt: record.createdAt,
      worstCase: WORST_CASE,
      limitsVersion: 'bench',
      request: { requestId, requestedModel: model, model, apiType: 'completions', streamed: false },
    });
    await generations.record(record);
  };

  const rate = async (spenders: readonly BenchSpender[], seconds: number): Promise<number> => {
    const start = performance.now();
    let count = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() - start < seconds * 1000) {
        await request(spenders[count++ % spenders.length]!);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return (count * 1000) / (performance.now() - start);
  };

  return {
    async rate(spenders, seconds) {
      await rate(spenders, WARM_UP_SECONDS);
      return rate(spenders, seconds);
    },
    close: () => context.close(),
  };
}
