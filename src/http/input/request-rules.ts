import type { Type } from '@nestjs/common';
import type { ReasonedIssue } from '../errors/issue.js';
import type { GatehouseRequest } from '../request.js';
import type { SchemaClass } from '../schema/schema-registry.js';

/**
 * A rule that needs more than the body: who asks, or other parts of the service. It is a provider of a module. Like
 * every rule it runs beside the schema, so it must expect fields of any type.
 */
export interface RequestRule {
  check(body: Readonly<Record<string, unknown>>, request: GatehouseRequest): Promise<ReasonedIssue[]>;
}

const rulesByClass = new Map<unknown, readonly Type<RequestRule>[]>();

/** Adds rules to a request class that are asked for the whole request, behind all others. */
export function RequestRules(...rules: Type<RequestRule>[]): ClassDecorator {
  return (type) => {
    rulesByClass.set(type, rules);
  };
}

/** The rules of a request class that are asked for the whole request. */
export function requestRulesOf(type: SchemaClass): readonly Type<RequestRule>[] {
  return rulesByClass.get(type) ?? [];
}
