import { BoundedThread, GIVE_WAY } from './bounded-thread.js';
import { matchSpans } from './match-spans.js';

/** Besides compiled patterns and what the engine makes of them, the thread holds one text and its matches. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** Compiled patterns are forgotten when the thread has so many bytes on its heap: they and their automatons grow with the texts. */
const KEPT_BYTES = 96 * 1_048_576;

const SOURCE = `
  ${GIVE_WAY}
  const { parentPort, workerData } = require('node:worker_threads');
  const { getHeapStatistics } = require('node:v8');
  const { RE2JS } = require(workerData.engine);
  const compiled = new Map();

  function compiledOf(pattern) {
    if (getHeapStatistics().used_heap_size > ${KEPT_BYTES}) compiled.clear();
    const expression = compiled.get(pattern) ?? RE2JS.compile(pattern);
    compiled.set(pattern, expression);
    return expression;
  }

  const spansOf = ${matchSpans.toString()};

  parentPort.on('message', ({ patterns, text, maximum, sliceMs }) => {
    const begun = performance.now();
    for (const pattern of patterns) {
      parentPort.postMessage(Int32Array.from(spansOf(compiledOf(pattern), text, maximum)));
      if (performance.now() - begun >= sliceMs) break;
    }
    parentPort.postMessage(performance.now() - begun);
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

/** How long a part of a search may take, in milliseconds. */
export interface SearchLimits {
  /** After the pattern with which this is over, the thread stops. */
  readonly sliceMs: number;
  /** When this is over, the thread is ended, unless it may go on. */
  readonly limitMs: number;
  /** Whether it may, as long as no more than {@link longestMs} are over. */
  readonly mayGoOn: () => boolean;
  readonly longestMs: number;
}

/** What was searched of a text. */
export interface SearchedPart {
  /** The matches of each pattern, in their order: of fewer patterns when the slice was over, or the thread has failed. */
  readonly matches: readonly MatchOffsets[];
  /** The time that it took, in milliseconds: the limit if the thread has failed. */
  readonly milliseconds: number;
  /** Whether the first pattern without matches took too much time or memory. */
  readonly hasFailed: boolean;
}

/** A thread that searches texts for patterns outside the event loop. Callers must not make concurrent calls. */
export class SearchThread {
  private readonly thread = new BoundedThread<PatternSearch & { readonly sliceMs: number }, MatchOffsets | number>(
    SOURCE,
    RESOURCE_LIMITS,
  );

  /** Searches a text. */
  async search({ patterns, text, maximum }: PatternSearch, limits: SearchLimits): Promise<SearchedPart> {
    const { sliceMs, limitMs, mayGoOn, longestMs } = limits;
    const latest = performance.now() + longestMs;
    const matches: MatchOffsets[] = [];
    let milliseconds = limitMs;
    const take = (report: MatchOffsets | number): boolean => {
      if (typeof report === 'number') milliseconds = report;
      else matches.push(report);
      return typeof report === 'number';
    };
    const isInTime = (): boolean => performance.now() < latest && mayGoOn();
    const isComplete = await this.thread.run({ patterns, text, maximum, sliceMs }, take, limitMs, isInTime);
    return { matches, milliseconds, hasFailed: !isComplete };
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
