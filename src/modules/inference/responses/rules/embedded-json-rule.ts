import { Injectable } from '@nestjs/common';
import { joinPath, type ReasonedIssue } from '../../../../api/errors/issue.js';
import { inspectText } from '../../../../api/input/text-inspection.js';
import type { GatehouseRequest } from '../../../../api/request.js';
import { isObject } from '../../../../api/validation/constraints.js';
import type { RequestRule } from '../../../../api/validation/rules.js';
import { LoopTurns } from '../../../../limits/loop-turns.js';
import { EmbeddedJson } from '../../rules/embedded-json.js';
import { carriedJson, detailsIn } from '../reasoning-text.js';

type Body = Readonly<Record<string, unknown>>;

/**
 * The arguments of calls, and the details that reasoning carries as a text, are bounded together like a body, and what is read
 * of the latter is checked like a body (docs/interface/responses.md#input). Each large one is looked at in a turn of the event loop.
 */
@Injectable()
export class EmbeddedJsonRule implements RequestRule {
  constructor(private readonly turns: LoopTurns) {}

  async check({ input }: Body, { organizationId = '' }: GatehouseRequest): Promise<ReasonedIssue[]> {
    if (!Array.isArray(input)) return [];
    const json = new EmbeddedJson();
    const issues: ReasonedIssue[] = [];
    for (const [index, item] of input.entries() as IterableIterator<[number, unknown]>) {
      if (!isObject(item)) continue;
      const path = joinPath('input', index);
      const { arguments: given, encrypted_content: encrypted } = item;
      if (typeof given === 'string') {
        await this.turns.nextOf(organizationId, given.length);
        issues.push(...json.issuesOfArguments(given, joinPath(path, 'arguments')));
      }
      if (typeof encrypted === 'string') {
        await this.turns.nextOf(organizationId, encrypted.length);
        issues.push(...carriedIssues(json, encrypted, joinPath(path, 'encrypted_content')));
      }
    }
    return issues;
  }
}

function carriedIssues(json: EmbeddedJson, text: string, path: string): ReasonedIssue[] {
  const carried = carriedJson(text);
  if (carried === undefined) return [];
  const issues = json.issuesOf(carried, path);
  if (issues.length > 0) return issues;
  return inspectText(detailsIn(carried))
    .slice(0, 1)
    .map(({ message }) => ({ path, message }));
}
