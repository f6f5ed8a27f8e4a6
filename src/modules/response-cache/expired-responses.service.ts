import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RepeatedWork } from '../../persistence/repeated-work.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { ExpiredResponsesRepository } from './stores/expired-responses.repository.js';

/** How often a process looks for answers whose time is over, in milliseconds. */
const INTERVAL_MS = 600_000;

/** Deletes answers from PostgreSQL whose time is over; Redis does so by itself. */
@Injectable()
export class ExpiredResponses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(repository: ExpiredResponsesRepository, logger: ServiceLogger) {
    const failure =
      'Answers in the cache whose time is over could not be deleted; this is tried again within ten minutes';
    this.repeated = new RepeatedWork(() => repository.delete(), { intervalMs: INTERVAL_MS, failure, logger });
  }

  onApplicationBootstrap(): void {
    this.repeated.start();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
  }
}
