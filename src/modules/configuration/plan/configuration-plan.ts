import type { Permission } from '../../../auth/permissions.js';
import type { PlanReplay } from './recorded-traffic.js';

/** What a plan does to an object. */
export const CHANGE_ACTIONS = ['create', 'update', 'adopt', 'delete', 'release'] as const;

export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** A field before and after, as files have it. Of a secret its digests. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a plan does to one object. */
export interface PlannedChange {
  readonly action: ChangeAction;
  readonly section: string;
  readonly workspace: string | null;
  readonly name: string;
  /** Null for what no file has any more. */
  readonly file: string | null;
  readonly fields: readonly FieldChange[];
  /** What loses an object that is deleted, in words. */
  readonly dependents: readonly string[];
}

/** Why an object stands in the way of a plan. */
export const CONFLICT_REASONS = [
  'not_managed',
  'other_owner',
  'has_dependents',
  'not_deletable',
  'renamed_twice',
] as const;

export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** An object that stands in the way of a plan. */
export interface PlanConflict {
  readonly section: string;
  readonly workspace: string | null;
  readonly name: string;
  readonly reason: ConflictReason;
  /** The particulars, in words. */
  readonly detail: string;
}

/** A key that would no longer reach models that it reaches now. */
export interface KeyLosingModels {
  readonly hash: string;
  readonly name: string;
  /** The models that it loses: the first by their names. */
  readonly models: readonly string[];
  readonly model_count: number;
}

/** What would break (docs/configuration.md#what-would-break). */
export interface PlanImpact {
  readonly keys_checked: number;
  readonly keys_losing_models: number;
  /** The first of them. */
  readonly keys: readonly KeyLosingModels[];
}

/** What applying files would do, or has done. */
export interface ConfigurationPlan {
  /** Follows from what the plan does and from what it has read: the same plan has the same one. */
  readonly id: string;
  readonly owner: string;
  readonly changes: readonly PlannedChange[];
  readonly conflicts: readonly PlanConflict[];
  readonly warnings: readonly string[];
  readonly unchanged: number;
  readonly required_permissions: readonly Permission[];
  readonly missing_permissions: readonly Permission[];
  /** Null where nothing changes what keys may use, and for what has been applied. */
  readonly impact: PlanImpact | null;
  /** Null where none was asked for. */
  readonly replay: PlanReplay | null;
}
