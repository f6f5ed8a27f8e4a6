import { Injectable } from '@nestjs/common';
import { issuesInside, type IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';
import type { RuleOrigin, RequestRule } from '../../../http/validation/rules.js';
import { PatternRule } from '../../guardrails/content-filters/pattern-rule.js';

/** Checks the patterns of a guardrail in the field `guardrail` as those of one that is saved. */
@Injectable()
export class UnsavedPatternRule implements RequestRule {
  constructor(private readonly patterns: PatternRule) {}

  /** @throws TooManyPatternChecks when too many requests of the organization wait for the engine already */
  async check({ guardrail }: Readonly<Record<string, unknown>>, origin: RuleOrigin): Promise<IssueWithReason[]> {
    return isObject(guardrail) ? issuesInside('guardrail', await this.patterns.check(guardrail, origin)) : [];
  }
}
