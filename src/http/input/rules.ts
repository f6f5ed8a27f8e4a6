import type { ReasonedIssue } from '../errors/issue.js';
import { lineage, type SchemaClass } from '../schema/schema-registry.js';

/**
 * A rule over several fields, or one that a schema cannot say. It runs beside the schema, so that all faults are named
 * at once, and so must expect fields of any type.
 */
export type Rule = (body: Readonly<Record<string, unknown>>) => ReasonedIssue[] | Promise<ReasonedIssue[]>;

const rulesByClass = new Map<unknown, readonly Rule[]>();

/** Adds rules to a request class and to those that extend it, over and above its fields. */
export function Rules(...rules: Rule[]): ClassDecorator {
  return (type) => {
    rulesByClass.set(type, rules);
  };
}

/** The rules of a request class: those that it inherits, and behind them its own. */
export function rulesOf(type: SchemaClass): readonly Rule[] {
  return lineage(type).flatMap((ancestor) => rulesByClass.get(ancestor) ?? []);
}
