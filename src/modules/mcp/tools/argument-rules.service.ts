import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { argumentCheck, type ArgumentCheck } from '../../guardrails/mcp/argument-schema.js';
import { type EffectiveMcpTools, namesTool } from '../../guardrails/mcp/mcp-tools-policy.js';
import type { RefusalByRules } from '../../guardrails/refusing-guardrails.js';

/** How many compiled rules a process keeps. */
const COMPILED = 1_000;

/** What a rule of guardrails does not allow of the arguments of a call. */
interface ArgumentIssue extends RefusalByRules {
  /** What is wrong, without any value. */
  readonly issue: string;
}

/** Applies the rules of guardrails for arguments of tools (docs/interface/guardrails.md#tools-of-mcp-servers). */
@Injectable()
export class ArgumentRules {
  private readonly compiled = new LRUCache<string, ArgumentCheck>({ max: COMPILED });

  /** @param tool `server/tool` @returns what is wrong with arguments, and whose rule says so; undefined for nothing */
  issueOf(
    { mcpArgumentRules }: Pick<EffectiveMcpTools, 'mcpArgumentRules'>,
    tool: string,
    values: object,
  ): ArgumentIssue | undefined {
    for (const rule of mcpArgumentRules) {
      if (!namesTool(new Set([rule.tool]), tool)) continue;
      const issue = this.checkOf(rule.schema)(values);
      if (issue !== undefined) return { issue, guardrailIds: rule.guardrailIds };
    }
    return undefined;
  }

  private checkOf(schema: object): ArgumentCheck {
    const name = JSON.stringify(schema);
    const known = this.compiled.get(name);
    if (known !== undefined) return known;
    const check = argumentCheck(schema);
    this.compiled.set(name, check);
    return check;
  }
}
