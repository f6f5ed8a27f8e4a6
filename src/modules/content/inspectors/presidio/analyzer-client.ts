import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../../../../concurrency/fair-queue.js';
import { Environment } from '../../../../config/environment.js';
import { InspectorFailure, type RemoteSettings } from '../remote-inspection.js';
import { InspectionServers, REMOTE_QUEUE } from '../remote-request.js';
import { piecesOf } from '../text-pieces.js';
import { ENTITY_TYPES, readEntities } from './analyzer-answer.js';
import type { AnalysisRequest, EntitySpan } from './analyzer.js';

/** The longest text that is sent in one piece, in code units, so that one answer is bounded too. */
const MAXIMUM_PIECE_LENGTH = 50_000;

/** The language that texts are analyzed in. The protocol needs one, and nothing says which it is. */
const LANGUAGE = 'en';

/**
 * Asks a Presidio-compatible analyzer for names and addresses (docs/interface/content-filters.md#analyzer). Organizations
 * take turns; each has a bounded number of texts that are analyzed and that wait.
 */
@Injectable()
export class AnalyzerClient implements OnApplicationShutdown {
  private readonly servers: InspectionServers;
  private readonly queue = new FairQueue(REMOTE_QUEUE);

  constructor(private readonly environment: Environment) {
    this.servers = new InspectionServers(environment);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.servers.close();
  }

  /** What CONTENT_ANALYZER_ON_FAILURE and CONTENT_ANALYZER_TOTAL_TIMEOUT_MS say. */
  get settings(): RemoteSettings {
    const { contentAnalyzerOnFailure, contentAnalyzerTotalTimeoutMs } = this.environment;
    return { letsPass: contentAnalyzerOnFailure === 'pass', totalTimeoutMs: contentAnalyzerTotalTimeoutMs };
  }

  /**
   * Finds names and addresses in a text, a piece of which is asked for when those of the one before it are taken: all of a long text
   * would take too much memory.
   *
   * @returns what is in each piece
   * @throws InspectorFailure when there is no analyzer, or it does not answer as it should or in time
   * @throws TooManyContentScans when too many texts of the organization wait already
   * @throws the reason of the signal
   */
  async *analyze({
    organizationId,
    text,
    entities,
    signal,
  }: AnalysisRequest): AsyncGenerator<EntitySpan[], void, undefined> {
    const { contentAnalyzerUrl, contentAnalyzerTimeoutMs: timeoutMs } = this.environment;
    if (contentAnalyzerUrl === undefined) throw new InspectorFailure('there is no analyzer');
    const url = `${contentAnalyzerUrl.replace(/\/+$/, '')}/analyze`;
    for (const { start, text: piece } of piecesOf(text, () => MAXIMUM_PIECE_LENGTH)) {
      const body = { text: piece, language: LANGUAGE, entities: entities.flatMap((name) => ENTITY_TYPES[name]) };
      const answer = await this.queue.run(
        organizationId,
        () => this.servers.ask({ url, body, timeoutMs, signal }),
        signal,
      );
      yield readEntities(answer, piece).map((span) => ({ ...span, start: span.start + start, end: span.end + start }));
    }
  }
}
