import { BoundedThread, GIVE_WAY } from './bounded-thread.js';
import { matchSpans } from './match-spans.js';

/** Besides compiled patterns and what the engine makes of them, the thread holds one text and its matches. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** Compiled patterns are forgotten when the thread has so many bytes on its heap: they and their automatons grow with the texts. */
const KEPT_BYTES = 96 * 1_048_576;

/** How often the size of the heap is asked for, which takes longer than most searches. */
const PATTERNS_PER_CHECK = 8;

const SOURCE = `
  ${GIVE_WAY}
  const { parentPort, workerData } = require('node:worker_threads');
  const { getHeapStatistics } = require('node:v8');
  const { RE2JS } = require(workerData.engine);
  const compiled = new Map();

  function compiledOf(pattern, position) {
    if (position % ${PATTERNS_PER_CHECK} === 0 && getHeapStatistics().used_heap_size > ${KEPT_BYTES}) compiled.clear();
    const expression = compiled.get(pattern) ?? RE2JS.compile(pattern);
    compiled.set(pattern, expression);
    return expression;
  }

  const spansOf = ${matchSpans.toString()};

  parentPort.on('message', ({ patterns, texts, starts, maximum, place, sliceMs }) => {
    const begun = performance.now();
    while (place[0] < texts.length) {
      const [text, pattern] = place;
      const offsets = spansOf(compiledOf(patterns[pattern], pattern), texts[text], maximum, starts?.[text][pattern]);
      if (offsets.length > 0) parentPort.postMessage({ text, pattern, offsets });
      if (pattern + 1 < patterns.length) place[1] += 1;
      else place.set([text + 1, 0]);
      if (performance.now() - begun >= sliceMs) break;
    }
    parentPort.postMessage(performance.now() - begun);
  });
`;

/** What is searched for, and where. */
export interface PatternSearch {
  /** Patterns that compile, at least one. */
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
  /** Where the search for each pattern begins in each text, in code units; absent for the beginning of all. */
  readonly starts?: readonly (readonly number[])[];
  /** How many matches of each pattern in a text are reported at most. */
  readonly maximum: number;
}

/** A pattern in a text, by their positions. */
export interface SearchPlace {
  readonly text: number;
  readonly pattern: number;
}

/** The matches of a pattern in a text. There is at least one; empty matches are left out. */
export interface PatternMatches extends SearchPlace {
  /** The start and the end of each match in UTF-16 code units, one after the other. */
  readonly offsets: readonly number[];
}

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

/** How far a search has come. */
export interface SearchProgress {
  /** Where it goes on: behind the last text when all is done, at what took too much time or memory when it has failed. */
  readonly place: SearchPlace;
  /** The time that this part took, in milliseconds: the limit if it has failed. */
  readonly milliseconds: number;
  readonly hasFailed: boolean;
}

interface SearchOrder extends PatternSearch {
  /** The positions of text and pattern, which the thread moves on: they are known also when it has ended. */
  readonly place: Int32Array;
  readonly sliceMs: number;
}

/** A thread that searches texts for patterns outside the event loop. Callers must not make concurrent calls. */
export class SearchThread {
  private readonly thread = new BoundedThread<SearchOrder, PatternMatches | number>(SOURCE, RESOURCE_LIMITS);

  /**
   * Searches all texts for all patterns, one text after the other, until that is done or the slice is over.
   *
   * @param from where to begin
   * @param found takes the matches
   */
  async search(
    search: PatternSearch,
    from: SearchPlace,
    { sliceMs, limitMs, mayGoOn, longestMs }: SearchLimits,
    found: (matches: PatternMatches) => void,
  ): Promise<SearchProgress> {
    const latest = performance.now() + longestMs;
    const place = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    place.set([from.text, from.pattern]);
    let milliseconds = limitMs;
    const take = (report: PatternMatches | number): boolean => {
      if (typeof report === 'number') milliseconds = report;
      else found(report);
      return typeof report === 'number';
    };
    const isInTime = (): boolean => performance.now() < latest && mayGoOn();
    const isComplete = await this.thread.run({ ...search, place, sliceMs }, take, limitMs, isInTime);
    return { place: { text: place[0]!, pattern: place[1]! }, milliseconds, hasFailed: !isComplete };
  }

  async close(): Promise<void> {
    await this.thread.close();
  }
}
