import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RE2JS, RE2JSException } from 're2js';
import { Environment } from '../../../config/environment.js';
import { FairQueue } from '../../../limits/fair-queue.js';
import { type EngineFaults, PatternThread } from './pattern-thread.js';

/** For whom patterns are compiled. */
export interface PatternClient {
  readonly organizationId: string;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
}

/**
 * Finds out which patterns the engine takes. Large ones are compiled in a thread, for one request at a time: the
 * organizations take turns, and each has a bounded number of requests that wait.
 */
@Injectable()
export class PatternCompiler implements OnApplicationShutdown {
  private readonly thread: PatternThread;
  private readonly queue = new FairQueue({
    reason: 'pattern_check_limit',
    concurrency: 1,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: 16,
    retryAfterSeconds: 1,
  });

  constructor({ patternTimeoutMs }: Environment) {
    this.thread = new PatternThread(patternTimeoutMs);
  }

  /** Compiles small patterns at once. @returns what the engine says against each */
  compileAtOnce(patterns: readonly string[]): EngineFaults {
    return patterns.map(engineFault);
  }

  /**
   * Compiles patterns beside the event loop, when it is the organization's turn.
   *
   * @returns what the engine says against each; undefined when they take too much time or memory together
   * @throws RateLimitExceededError when too many requests of the organization wait already
   * @throws the reason of the client's signal when that is aborted before it is their turn
   */
  compileInTurn(patterns: readonly string[], client: PatternClient): Promise<EngineFaults | undefined> {
    return this.queue.run(client.organizationId, () => this.thread.compile(patterns), client.signal);
  }

  /** Ends the thread; Nest calls it when the last request is answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.thread.close();
  }
}

function engineFault(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return error.message;
  }
}
