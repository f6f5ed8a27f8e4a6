import { Injectable } from '@nestjs/common';
import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import type { RuleOrigin, RequestRule } from '../../../../../http/validation/rules.js';
import { LoopTurns } from '../../../../../concurrency/loop-turns.js';
import { carriedReasoningIssues } from '../../../rules/carried-reasoning-issues.js';
import { EmbeddedJson } from '../../../rules/embedded-json.js';

type Body = Readonly<Record<string, unknown>>;

/**
 * The details that signatures of thoughts carry are bounded together like a body, and checked like one
 * (docs/interface/messages.md#content). Each large one is looked at in a turn of the event loop.
 */
@Injectable()
export class CarriedReasoningRule implements RequestRule {
  constructor(private readonly turns: LoopTurns) {}

  async check({ messages }: Body, { organizationId }: Pick<RuleOrigin, 'organizationId'>): Promise<IssueWithReason[]> {
    const turn = (text: { readonly length: number }): Promise<void> =>
      this.turns.nextIfLarge(organizationId, text.length);
    const json = new EmbeddedJson();
    const issues: IssueWithReason[] = [];
    for (const { signature, path } of signaturesIn(messages)) {
      issues.push(...(await carriedReasoningIssues(signature, path, { json, turn })));
    }
    return issues;
  }
}

function signaturesIn(messages: unknown): { readonly signature: string; readonly path: string }[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, at) => {
    if (!isObject(message) || !Array.isArray(message.content)) return [];
    const path = joinPath(joinPath('messages', at), 'content');
    return message.content.flatMap((block: unknown, index) =>
      isObject(block) && block.type === 'thinking' && typeof block.signature === 'string'
        ? [{ signature: block.signature, path: joinPath(joinPath(path, index), 'signature') }]
        : [],
    );
  });
}
