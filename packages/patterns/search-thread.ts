import { BoundedThread, GIVE_WAY } from './bounded-thread.js';
import { boundAutomatonMemory } from './automaton-memory.js';
import { matchSpans } from './match-spans.js';

/** Besides compiled patterns and what the engine makes of them, the thread holds one text and its matches. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** About how many bytes compiled patterns take: at least, and by the number of their instructions. Rather more than they do. */
const COMPILED_BYTES = 16_384;
const BYTES_OF_INSTRUCTION = 640;

/** How many bytes of states a pattern keeps for the next text. */
const STATES_BYTES = 16_384;

// Compiled patterns are kept as long as they are small together; the one that was used longest ago goes first.
const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS } = require(workerData.engine);
  const KEPT_BYTES = 96 * 1048576;
  const compiled = new Map();
  let keptBytes = 0;

  const bytesOf = (expression) => ${COMPILED_BYTES} + ${BYTES_OF_INSTRUCTION} * expression.programSize();

  function compiledOf(pattern) {
    const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
    if (compiled.delete(pattern)) keptBytes -= bytesOf(known);
    compiled.set(pattern, known);
    keptBytes += bytesOf(known);
    for (const [oldest, expression] of compiled) {
      if (keptBytes <= KEPT_BYTES) break;
      compiled.delete(oldest);
      keptBytes -= bytesOf(expression);
    }
    return known;
  }

  const spansOf = ${matchSpans.toString()};
  const boundAutomatonMemory = ${boundAutomatonMemory.toString()};

  parentPort.on('message', ({ patterns, text, maximum, sliceMs }) => {
    const begun = performance.now();
    for (const pattern of patterns) {
      const expression = compiledOf(pattern);
      parentPort.postMessage(Int32Array.from(spansOf(expression, text, maximum)));
      boundAutomatonMemory(expression, ${STATES_BYTES});
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
  /** When this is over, the thread is ended. */
  readonly limitMs: number;
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
  private readonly thread: BoundedThread<PatternSearch & { readonly sliceMs: number }, MatchOffsets | number>;

  /** @param givesWay whether the thread leaves busy cores to others */
  constructor({ givesWay }: { readonly givesWay: boolean }) {
    this.thread = new BoundedThread(givesWay ? `${GIVE_WAY}\n${SOURCE}` : SOURCE, RESOURCE_LIMITS);
  }

  /** Searches a text. */
  async search({ patterns, text, maximum }: PatternSearch, { sliceMs, limitMs }: SearchLimits): Promise<SearchedPart> {
    const matches: MatchOffsets[] = [];
    let milliseconds = limitMs;
    const take = (report: MatchOffsets | number): boolean => {
      if (typeof report === 'number') milliseconds = report;
      else matches.push(report);
      return typeof report === 'number';
    };
    const isComplete = await this.thread.run({ patterns, text, maximum, sliceMs }, take, limitMs);
    return { matches, milliseconds, hasFailed: !isComplete };
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
