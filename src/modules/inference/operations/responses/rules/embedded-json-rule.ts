import { Injectable } from '@nestjs/common';
import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import type { RuleOrigin, RequestRule } from '../../../../../http/validation/rules.js';
import { LoopTurns } from '../../../../../concurrency/loop-turns.js';
import { EmbeddedJson } from '../../../rules/embedded-json.js';
import { carriedReasoningIssues } from '../../../rules/carried-reasoning-issues.js';

type Body = Readonly<Record<string, unknown>>;

/**
 * The arguments of calls, and the details that reasoning carries as a text, are bounded together like a body, and what is read
 * of the latter is checked like a body (docs/interface/responses.md#input). Each large one is looked at in a turn of the event loop.
 */
@Injectable()
export class EmbeddedJsonRule implements RequestRule {
  constructor(private readonly turns: LoopTurns) {}

  async check({ input }: Body, { organizationId }: Pick<RuleOrigin, 'organizationId'>): Promise<IssueWithReason[]> {
    if (!Array.isArray(input)) return [];
    const turn = (text: { readonly length: number }): Promise<void> =>
      this.turns.nextIfLarge(organizationId, text.length);
    const json = new EmbeddedJson();
    const issues: IssueWithReason[] = [];
    for (const [index, item] of input.entries() as IterableIterator<[number, unknown]>) {
      if (!isObject(item)) continue;
      const path = joinPath('input', index);
      const { arguments: given, encrypted_content: encrypted } = item;
      if (typeof given === 'string') {
        await turn(given);
        issues.push(...json.issuesOfArguments(given, joinPath(path, 'arguments')));
      }
      if (typeof encrypted === 'string') {
        const at = joinPath(path, 'encrypted_content');
        issues.push(...(await carriedReasoningIssues(encrypted, at, { json, turn })));
      }
    }
    return issues;
  }
}
