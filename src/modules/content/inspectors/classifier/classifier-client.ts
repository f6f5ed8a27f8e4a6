import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairQueue } from '../../../../concurrency/fair-queue.js';
import { Environment } from '../../../../config/environment.js';
import { InspectorFailure, type RemoteSettings } from '../remote-inspection.js';
import { InspectionServers, REMOTE_QUEUE } from '../remote-request.js';

/** Texts that a classifier is asked about, and for whom. */
export interface Classification {
  readonly organizationId: string;
  readonly texts: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a classifier whether texts are prompt injections: a server with the interface of text-embeddings-inference
 * (docs/interface/content-filters.md#classifier). Organizations take turns; each has a bounded number of requests that are answered and
 * that wait.
 */
@Injectable()
export class ClassifierClient implements OnApplicationShutdown {
  private readonly servers: InspectionServers;
  private readonly queue = new FairQueue(REMOTE_QUEUE);

  constructor(private readonly environment: Environment) {
    this.servers = new InspectionServers(environment);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.servers.close();
  }

  /** Whether there is a classifier (CONTENT_CLASSIFIER_URL). */
  get isConfigured(): boolean {
    return this.environment.contentClassifierUrl !== undefined;
  }

  /** What CONTENT_CLASSIFIER_ON_FAILURE and CONTENT_CLASSIFIER_TOTAL_TIMEOUT_MS say. */
  get settings(): RemoteSettings {
    const { contentClassifierOnFailure, contentClassifierTotalTimeoutMs } = this.environment;
    return { letsPass: contentClassifierOnFailure === 'pass', totalTimeoutMs: contentClassifierTotalTimeoutMs };
  }

  /**
   * Asks about some texts.
   *
   * @returns for each whether it is a prompt injection
   * @throws InspectorFailure when there is no classifier, or it does not answer as it should or in time
   * @throws TooManyContentScans when too many requests of the organization wait already
   * @throws the reason of the signal
   */
  async classify({ organizationId, texts, signal }: Classification): Promise<boolean[]> {
    const { contentClassifierUrl, contentClassifierKey: key, contentClassifierTimeoutMs: timeoutMs } = this.environment;
    if (contentClassifierUrl === undefined) throw new InspectorFailure('there is no classifier');
    const url = `${contentClassifierUrl.replace(/\/+$/, '')}/predict`;
    // Two texts in one list would be a pair, of which a batch has one each.
    const body = { inputs: texts.map((text) => [text]), truncate: true };
    const answer = await this.queue.run(
      organizationId,
      () => this.servers.ask({ url, body, key, timeoutMs, signal }),
      signal,
    );
    if (!Array.isArray(answer) || answer.length !== texts.length)
      throw new InspectorFailure('the answer is no list of as many predictions as there are texts');
    return answer.map((labels: unknown) => this.isAttack(labels));
  }

  /** Whether the labels of attacks have a score of the threshold or more together. */
  private isAttack(labels: unknown): boolean {
    const { contentClassifierLabels, contentClassifierThreshold } = this.environment;
    if (!Array.isArray(labels) || labels.length === 0) throw new InspectorFailure('a prediction has no labels');
    const scores = labels.map((prediction: unknown) => {
      const { label, score } = predictionOf(prediction);
      return contentClassifierLabels.has(label.toUpperCase()) ? score : 0;
    });
    return scores.reduce((sum, score) => sum + score, 0) >= contentClassifierThreshold;
  }
}

function predictionOf(value: unknown): { readonly label: string; readonly score: number } {
  if (typeof value === 'object' && value !== null && 'label' in value && 'score' in value) {
    const { label, score } = value;
    if (typeof label === 'string' && typeof score === 'number') return { label, score };
  }
  // What cannot be read may be an attack.
  throw new InspectorFailure('a prediction has no label or no score');
}
