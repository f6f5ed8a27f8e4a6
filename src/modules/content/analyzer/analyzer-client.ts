import { Injectable } from '@nestjs/common';
import { exceededBound, type JsonBounds } from '../../../api/input/json-bounds.js';
import { Environment } from '../../../config/environment.js';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { TooManyContentScans } from '../content.errors.js';
import { ENTITY_TYPES, readEntities } from './analyzer-answer.js';
import { type AnalysisRequest, AnalyzerFailure, type EntitySpan } from './analyzer.js';

/** The longest text that is sent in one piece, in code units, so that one answer is bounded too. */
const MAXIMUM_PIECE_LENGTH = 50_000;

/** The largest answer, in bytes: an entity takes some 100, and a piece has no more than a few thousand. */
const MAXIMUM_ANSWER_BYTES = 4_194_304;

/** What an answer may hold: more takes many times as long, and as much memory, as its text. An entity has some 20 values. */
const ANSWER_BOUNDS: JsonBounds = { depth: 16, values: 200_000 };

/** The language that texts are analyzed in. The protocol needs one, and nothing says which it is. */
const LANGUAGE = 'en';

/**
 * Asks a Presidio-compatible analyzer for names and addresses (docs/interface/content-filters.md#analyzer). Organizations
 * take turns; each has a bounded number of texts that are analyzed and that wait.
 */
@Injectable()
export class AnalyzerClient {
  private readonly queue = new FairQueue({
    overload: TooManyContentScans,
    concurrency: 16,
    concurrencyPerOrganization: 8,
    waitingPerOrganization: 256,
    retryAfterSeconds: 1,
  });

  constructor(private readonly environment: Environment) {}

  /** Whether requests pass when the analyzer fails (CONTENT_ANALYZER_ON_FAILURE). */
  get letsPass(): boolean {
    return this.environment.contentAnalyzerOnFailure === 'pass';
  }

  /** How long all texts of one request may take together (CONTENT_ANALYZER_TOTAL_TIMEOUT_MS), in milliseconds. */
  get totalTimeoutMs(): number {
    return this.environment.contentAnalyzerTotalTimeoutMs;
  }

  /**
   * Finds names and addresses in a text, a piece of which is asked for when those of the one before it are taken: all of a long text
   * would take too much memory.
   *
   * @returns what is in each piece
   * @throws AnalyzerFailure when there is no analyzer, or it does not answer as it should or in time
   * @throws TooManyContentScans when too many texts of the organization wait already
   * @throws the reason of the signal
   */
  async *analyze(request: AnalysisRequest): AsyncGenerator<EntitySpan[], void, undefined> {
    const { contentAnalyzerUrl } = this.environment;
    if (contentAnalyzerUrl === undefined) throw new AnalyzerFailure('there is no analyzer');
    const url = `${contentAnalyzerUrl.replace(/\/+$/, '')}/analyze`;
    for (const { start, text } of piecesOf(request.text)) {
      const piece = { ...request, text };
      const spans = await this.queue.run(request.organizationId, () => this.ask(url, piece), request.signal);
      yield spans.map((span) => ({ ...span, start: span.start + start, end: span.end + start }));
    }
  }

  private async ask(url: string, { text, entities, signal }: AnalysisRequest): Promise<EntitySpan[]> {
    const timeLimit = AbortSignal.timeout(this.environment.contentAnalyzerTimeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ text, language: LANGUAGE, entities: entities.flatMap((name) => ENTITY_TYPES[name]) }),
        // Texts of requests are only sent to the address that the operator has set.
        redirect: 'error',
        signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
      });
      const answer = (await bodyOf(response)).toString();
      if (exceededBound(answer, ANSWER_BOUNDS) !== undefined) throw new AnalyzerFailure('the answer holds too much');
      return readEntities(JSON.parse(answer), text);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AnalyzerFailure) throw error;
      throw new AnalyzerFailure('the analyzer did not answer', { cause: error });
    }
  }
}

async function bodyOf(response: Response): Promise<Buffer> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new AnalyzerFailure(`the analyzer answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAXIMUM_ANSWER_BYTES) throw new AnalyzerFailure('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A text in pieces, which end between lines or words where that is possible. */
function* piecesOf(text: string): Generator<{ readonly start: number; readonly text: string }> {
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start);
    const piece = text.slice(start, end);
    if (piece.trim() !== '') yield { start, text: piece };
    start = end;
  }
}

function pieceEnd(text: string, start: number): number {
  const last = start + MAXIMUM_PIECE_LENGTH;
  if (last >= text.length) return text.length;
  for (const separator of ['\n', ' ']) {
    const end = text.lastIndexOf(separator, last - 1) + 1;
    if (end > start + MAXIMUM_PIECE_LENGTH / 2) return end;
  }
  // Not between the halves of one character.
  return /[\ud800-\udbff]/.test(text.charAt(last - 1)) ? last - 1 : last;
}
