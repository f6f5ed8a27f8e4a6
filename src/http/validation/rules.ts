import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import type { IssueWithReason } from '../errors/issue.js';
import type { DtoClass } from './dto-fields.js';

/**
 * A rule about several fields of a body, or one that field constraints cannot express. It runs even if fields are invalid,
 * so that all issues are reported at once, and must therefore expect fields of any type.
 */
export type BodyRule = (body: Readonly<Record<string, unknown>>) => IssueWithReason[];

/** Where a body comes from. */
export interface BodyOrigin {
  /** The organization of the credential; empty without a credential. */
  readonly organizationId: string;
  readonly response: Response;
}

/** Whose body a rule checks, and how long it is waited for. */
export interface RuleOrigin {
  /** As of {@link BodyOrigin}. */
  readonly organizationId: string;
  /** Made when it is asked for: it is aborted when the client has gone. */
  readonly signal: () => AbortSignal;
}

/**
 * A rule that needs more than the body: the caller, or other services. It is a provider of a module. Like every rule, it
 * must expect fields of any type.
 */
export interface RequestRule {
  check(body: Readonly<Record<string, unknown>>, origin: RuleOrigin): Promise<IssueWithReason[]>;
}

const RULES_METADATA = 'gatehouse:rules';
const REQUEST_RULES_METADATA = 'gatehouse:request-rules';

/** Adds rules to a body class and its subclasses. The inherited rules run first. */
export function Rules(...rules: BodyRule[]): ClassDecorator {
  return (type) => Reflect.defineMetadata(RULES_METADATA, [...rulesOf(type as unknown as DtoClass), ...rules], type);
}

/** Adds rules that need the request to a body class and its subclasses. They run after all others. */
export function RequestRules(...rules: Type<RequestRule>[]): ClassDecorator {
  return (type) =>
    Reflect.defineMetadata(REQUEST_RULES_METADATA, [...requestRulesOf(type as unknown as DtoClass), ...rules], type);
}

/** The rules of a body class, including inherited ones. */
export function rulesOf(type: DtoClass): readonly BodyRule[] {
  return (Reflect.getMetadata(RULES_METADATA, type) as readonly BodyRule[] | undefined) ?? [];
}

/** The request rules of a body class, including inherited ones. */
export function requestRulesOf(type: DtoClass): readonly Type<RequestRule>[] {
  return (Reflect.getMetadata(REQUEST_RULES_METADATA, type) as readonly Type<RequestRule>[] | undefined) ?? [];
}
