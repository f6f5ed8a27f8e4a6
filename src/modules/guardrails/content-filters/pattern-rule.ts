import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  compileMessage,
  type EngineMessages,
  PatternThread,
  measurePattern,
} from '../../../../packages/patterns/index.js';
import { Environment } from '../../../config/environment.js';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import {
  TooManyPatternChecks,
  INVALID_PATTERN,
  PATTERN_NESTED_TOO_DEEP,
  PATTERN_TOO_LARGE,
  PATTERNS_TOO_LARGE,
} from '../guardrails.errors.js';
import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import type { RuleOrigin, RequestRule } from '../../../http/validation/rules.js';
import { boundedFilters, filterEntriesOf } from '../guardrail-rules.js';
import {
  COMPILED_AT_ONCE_SIZE,
  MAXIMUM_CUSTOM_FILTERS,
  MAXIMUM_PATTERN_DEPTH,
  MAXIMUM_PATTERN_LENGTH,
  MAXIMUM_PATTERN_SIZE,
  MAXIMUM_PATTERNS_SIZE,
} from './stored-filters.js';

/** The caller that patterns are compiled for. */
export interface PatternClient {
  readonly organizationId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Checks patterns by compiling them. Large ones are compiled in a thread, for one request at a time: organizations take
 * turns, and each has a bounded number of waiting requests.
 */
@Injectable()
export class PatternCompiler implements OnApplicationShutdown {
  private readonly thread: PatternThread;
  private readonly queue = new FairQueue({
    overload: TooManyPatternChecks,
    concurrency: 1,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: 16,
    retryAfterSeconds: 1,
  });

  constructor({ patternTimeoutMs }: Environment) {
    this.thread = new PatternThread(patternTimeoutMs);
  }

  /** Compiles small patterns synchronously. @returns the error message for each pattern */
  compileAtOnce(patterns: readonly string[]): EngineMessages {
    return patterns.map(compileMessage);
  }

  /**
   * Compiles patterns in the thread, when it is the organization's turn.
   *
   * @returns the error message for each pattern; undefined when they take too much time or memory together
   * @throws TooManyPatternChecks when too many requests of the organization wait already
   * @throws the reason of the client's signal when that is aborted before it is their turn
   */
  compileInTurn(patterns: readonly string[], client: PatternClient): Promise<EngineMessages | undefined> {
    return this.queue.run(client.organizationId, () => this.thread.compile(patterns), client.signal);
  }

  /** Ends the thread after the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.thread.close();
  }
}

/** A pattern of a custom filter, and where in the body it stands. */
interface CustomPattern {
  readonly path: string;
  readonly pattern: string;
}

/** The patterns of a body that are small enough to compile. */
interface MeasuredPatterns {
  readonly issues: readonly IssueWithReason[];
  readonly accepted: readonly CustomPattern[];
  readonly size: number;
}

/**
 * Checks that the patterns of custom filters compile in a linear-time engine, so that no request content can cause
 * catastrophic backtracking. Patterns that would take much time or memory to compile are refused by their size, before
 * compiling.
 */
@Injectable()
export class PatternRule implements RequestRule {
  constructor(private readonly compiler: PatternCompiler) {}

  /** @throws TooManyPatternChecks when too many requests of the organization wait for the engine already */
  async check(body: Readonly<Record<string, unknown>>, origin: RuleOrigin): Promise<IssueWithReason[]> {
    const { issues, accepted, size } = measured(customPatternsOf(body));
    if (size > MAXIMUM_PATTERNS_SIZE) {
      const excess = `come to a size of ${size} together; at most ${MAXIMUM_PATTERNS_SIZE} are allowed`;
      return [...issues, PATTERNS_TOO_LARGE.at('content_filters', excess)];
    }
    const messages = await this.engineMessages(accepted, size, origin);
    if (messages === undefined) {
      return [...issues, PATTERNS_TOO_LARGE.at('content_filters', 'take too much time or memory to compile')];
    }
    const refused = accepted.flatMap(({ path }, index) => {
      const message = messages[index] ?? null;
      return message === null ? [] : [INVALID_PATTERN.at(path, message)];
    });
    return [...issues, ...refused];
  }

  private engineMessages(
    accepted: readonly CustomPattern[],
    size: number,
    { organizationId, signal }: RuleOrigin,
  ): EngineMessages | Promise<EngineMessages | undefined> {
    const patterns = accepted.map(({ pattern }) => pattern);
    if (size <= COMPILED_AT_ONCE_SIZE) return this.compiler.compileAtOnce(patterns);
    return this.compiler.compileInTurn(patterns, { organizationId, signal: signal() });
  }
}

/**
 * The patterns of a body of any form. Other types and other lengths are left to the schema, which refuses them, and so are
 * all patterns of a body with more filters, or larger ones, than a guardrail holds: none of them is worth compiling.
 */
function customPatternsOf(body: Readonly<Record<string, unknown>>): CustomPattern[] {
  const entries = filterEntriesOf(body, 'content_filters');
  if (entries.length > MAXIMUM_CUSTOM_FILTERS || boundedFilters(body).length > 0) return [];
  return entries.flatMap(({ path, entry: { pattern } }) =>
    typeof pattern === 'string' && pattern !== '' && pattern.length <= 2 * MAXIMUM_PATTERN_LENGTH
      ? [{ path: joinPath(path, 'pattern'), pattern }]
      : [],
  );
}

function measured(patterns: readonly CustomPattern[]): MeasuredPatterns {
  const issues: IssueWithReason[] = [];
  const accepted: CustomPattern[] = [];
  let total = 0;
  for (const candidate of patterns) {
    const { size, depth } = measurePattern(candidate.pattern, MAXIMUM_PATTERN_DEPTH);
    if (depth > MAXIMUM_PATTERN_DEPTH) issues.push(PATTERN_NESTED_TOO_DEEP.at(candidate.path, MAXIMUM_PATTERN_DEPTH));
    else if (size > MAXIMUM_PATTERN_SIZE) issues.push(PATTERN_TOO_LARGE.at(candidate.path, size, MAXIMUM_PATTERN_SIZE));
    else {
      accepted.push(candidate);
      total += size;
    }
  }
  return { issues, accepted, size: total };
}
