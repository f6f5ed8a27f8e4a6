import { Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../auth/authentication.guard.js';
import { clientSignal } from '../../../http/client-signal.js';
import type { ReasonedIssue } from '../../../http/errors/issue.js';
import type { RequestRule } from '../../../http/input/request-rules.js';
import {
  COMPILED_AT_ONCE_SIZE,
  MAXIMUM_PATTERN_DEPTH,
  MAXIMUM_PATTERN_SIZE,
  MAXIMUM_PATTERNS_SIZE,
} from './pattern-bounds.js';
import { type CustomPattern, customPatternsOf } from './custom-patterns.js';
import { PatternCompiler } from './pattern-compiler.js';
import type { EngineFaults } from './pattern-thread.js';
import { measurePattern } from './pattern-size.js';

/** The patterns of a body whose size lets the engine look at them. */
interface MeasuredPatterns {
  readonly issues: readonly ReasonedIssue[];
  readonly accepted: readonly CustomPattern[];
  /** The size of these together. */
  readonly size: number;
}

/**
 * The patterns of custom filters compile in a linear-time engine, so that no content of a request can make it back-track.
 * What would take much time or memory to compile is refused by its size, before it is compiled.
 */
@Injectable()
export class PatternRule implements RequestRule {
  constructor(private readonly compiler: PatternCompiler) {}

  /** @throws RateLimitExceededError when too many requests of the organization wait for the engine already */
  async check(body: Readonly<Record<string, unknown>>, request: AuthenticatedRequest): Promise<ReasonedIssue[]> {
    const { issues, accepted, size } = measured(customPatternsOf(body));
    if (size > MAXIMUM_PATTERNS_SIZE) return [...issues, tooLargeTogether(size)];
    const faults = await this.engineFaults(accepted, size, request);
    if (faults === undefined) return [...issues, tooExpensive()];
    return [...issues, ...accepted.flatMap(({ path }, index) => engineIssues(path, faults[index]!))];
  }

  private engineFaults(
    accepted: readonly CustomPattern[],
    size: number,
    request: AuthenticatedRequest,
  ): EngineFaults | Promise<EngineFaults | undefined> {
    const patterns = accepted.map(({ pattern }) => pattern);
    if (size <= COMPILED_AT_ONCE_SIZE) return this.compiler.compileAtOnce(patterns);
    return this.compiler.compileInTurn(patterns, {
      organizationId: organizationOf(request),
      signal: clientSignal(request.res!),
    });
  }
}

function organizationOf({ principal }: AuthenticatedRequest): string {
  // Callers without an organization share one turn.
  return principal !== undefined && 'organizationId' in principal ? principal.organizationId : '';
}

function measured(patterns: readonly CustomPattern[]): MeasuredPatterns {
  const issues: ReasonedIssue[] = [];
  const accepted: CustomPattern[] = [];
  let total = 0;
  for (const candidate of patterns) {
    const { size, depth } = measurePattern(candidate.pattern, MAXIMUM_PATTERN_DEPTH);
    if (depth > MAXIMUM_PATTERN_DEPTH) issues.push(nestedTooDeep(candidate.path));
    else if (size > MAXIMUM_PATTERN_SIZE) issues.push(tooLarge(candidate.path, size));
    else {
      accepted.push(candidate);
      total += size;
    }
  }
  return { issues, accepted, size: total };
}

function nestedTooDeep(path: string): ReasonedIssue {
  const message = `must not nest groups deeper than ${MAXIMUM_PATTERN_DEPTH} levels`;
  return { path, message, reason: 'pattern_nested_too_deep' };
}

function tooLarge(path: string, size: number): ReasonedIssue {
  const message = `comes to a size of ${size} with its repetitions and character classes; at most ${MAXIMUM_PATTERN_SIZE} are allowed`;
  return { path, message, reason: 'pattern_too_large' };
}

function tooLargeTogether(size: number): ReasonedIssue {
  const message = `the patterns come to a size of ${size} together; at most ${MAXIMUM_PATTERNS_SIZE} are allowed`;
  return { path: 'content_filters', message, reason: 'patterns_too_large' };
}

function tooExpensive(): ReasonedIssue {
  const message = 'the patterns take too much time or memory to compile';
  return { path: 'content_filters', message, reason: 'patterns_too_large' };
}

function engineIssues(path: string, fault: string | null): ReasonedIssue[] {
  if (fault === null) return [];
  const message = `is not a regular expression that runs in linear time: ${fault}`;
  return [{ path, message, reason: 'invalid_regex_pattern' }];
}
