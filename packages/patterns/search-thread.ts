import { BoundedThread } from './bounded-thread.js';
import { matchSpans } from './match-spans.js';

/** Besides compiled patterns and what the engine keeps of them, the thread holds one text and its matches. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

// Compiled patterns are kept as long as their texts together are small; the one that was used longest ago goes first.
const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS } = require(workerData.engine);
  const KEPT_PATTERN_TEXT = 262144;
  const compiled = new Map();
  let keptText = 0;

  function compiledOf(pattern) {
    const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
    if (compiled.delete(pattern)) keptText -= pattern.length;
    compiled.set(pattern, known);
    keptText += pattern.length;
    for (const oldest of compiled.keys()) {
      if (keptText <= KEPT_PATTERN_TEXT) break;
      compiled.delete(oldest);
      keptText -= oldest.length;
    }
    return known;
  }

  const spansOf = ${matchSpans.toString()};

  parentPort.on('message', ({ patterns, text, maximum }) => {
    for (const pattern of patterns) parentPort.postMessage(Int32Array.from(spansOf(compiledOf(pattern), text, maximum)));
  });
`;

/** What is searched for, and where. */
export interface PatternSearch {
  /** Patterns that compile. */
  readonly patterns: readonly string[];
  readonly text: string;
  /** How many matches of each pattern are reported at most. */
  readonly maximum: number;
}

/**
 * The start and the end of each match in UTF-16 code units, one after the other. Empty matches are left out.
 */
export type MatchOffsets = Int32Array;

/** A thread that searches texts for patterns outside the event loop. Callers must not make concurrent calls. */
export class SearchThread {
  private readonly thread: BoundedThread<PatternSearch, MatchOffsets>;

  /** @param timeLimitMs how long one search may take, in milliseconds */
  constructor(timeLimitMs: number) {
    this.thread = new BoundedThread(SOURCE, timeLimitMs, RESOURCE_LIMITS);
  }

  /**
   * Searches a text.
   *
   * @returns the matches of each pattern, in their order. Fewer than patterns when the limit of time or memory is exceeded:
   *   then the first that is missing is the one that took too long
   */
  async search(search: PatternSearch): Promise<readonly MatchOffsets[]> {
    const matches: MatchOffsets[] = [];
    if (search.patterns.length === 0) return matches;
    await this.thread.run(search, (offsets) => matches.push(offsets) === search.patterns.length);
    return matches;
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
