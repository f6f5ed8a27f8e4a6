import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { OneOf } from '../../../persistence/one-of.js';
import { MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { AllowedLabels } from '../../labels/labels.js';
import type { BudgetInterval } from '../budgets/budget-interval.js';

/** A part of an organization with its own keys, guardrails, presets and destinations. */
@Entity({ name: 'workspaces' })
@Distributed('organization')
@Unique('uq_workspaces_organization_slug', ['organizationId', 'slug'])
@Unique('uq_workspaces_default_guardrail', ['organizationId', 'defaultGuardrailId'])
@Index('ix_workspaces_page', ['organizationId', 'createdAt', 'id'])
@Index('uq_workspaces_default', ['organizationId'], { unique: true, where: 'is_default' })
@Check('ck_workspaces_io_logging_sampling_rate', 'io_logging_sampling_rate BETWEEN 0 AND 1')
@Check('ck_workspaces_rate_limits', 'requests_per_minute > 0 AND tokens_per_minute > 0')
@BelongsToOrganization('fk_workspaces_organization')
export class WorkspaceEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  slug: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** At most one workspace of an organization; none after its deletion. */
  @Column({ type: 'boolean', default: false })
  isDefault: boolean;

  /** UUIDv5 of the id: the guardrail that applies to all traffic of the workspace, whether it is stored yet or not. */
  @Column({ type: 'uuid' })
  defaultGuardrailId: string;

  @Column({ type: 'text', nullable: true })
  defaultTextModel: string | null;

  @Column({ type: 'text', nullable: true })
  defaultImageModel: string | null;

  @Column({ type: 'text', nullable: true })
  defaultProviderSort: string | null;

  @Column({ type: 'boolean', default: false })
  isObservabilityIoLoggingEnabled: boolean;

  @Column({ type: 'boolean', default: false })
  isObservabilityBroadcastEnabled: boolean;

  @Column({ type: 'boolean', default: false })
  isDataDiscountLoggingEnabled: boolean;

  /** The part of the requests whose input and output are logged, from 0 to 1. */
  @Column({ type: 'double precision', default: 1 })
  ioLoggingSamplingRate: number;

  /** Null is every key. */
  @Column({ type: 'jsonb', nullable: true })
  ioLoggingApiKeyIds: number[] | null;

  /** The names of the server tools that requests in the workspace cannot use; null is none. */
  @Column({ type: 'text', array: true, nullable: true })
  disabledServerTools: string[] | null;

  /** Whether spend through the organization's own provider keys counts toward the budgets as well. */
  @Column({ type: 'boolean', default: false })
  includeByokInBudgets: boolean;

  /** Of all keys of the workspace together. */
  @Column({ type: 'integer', nullable: true })
  requestsPerMinute: number | null;

  @Column({ type: 'integer', nullable: true })
  tokensPerMinute: number | null;

  /** Whether answers are cached for requests that ask for it; null: where the workspace logs input and output. */
  @Column({ type: 'boolean', nullable: true })
  isResponseCacheEnabled: boolean | null;

  /** The labels that requests may name; null for all. */
  @Column({ type: 'jsonb', nullable: true })
  allowedLabels: AllowedLabels | null;

  @Column({ type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}

/**
 * A user's membership of a workspace with its sources: manual, from SCIM groups, or both. The default workspace has no
 * rows: all members of the organization are members.
 */
@Entity({ name: 'workspace_members' })
@Distributed('organization')
@Unique('uq_workspace_members_workspace_user', ['organizationId', 'workspaceId', 'userId'])
@Index('ix_workspace_members_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Index('ix_workspace_members_member', ['organizationId', 'userId'])
@OneOf('ck_workspace_members_role', 'role', MEMBER_ROLES)
@OneOf('ck_workspace_members_manual_role', 'manual_role', MEMBER_ROLES)
@OneOf('ck_workspace_members_scim_role', 'scim_role', MEMBER_ROLES)
// The higher role counts. greatest() ignores nulls.
@Check(
  'ck_workspace_members_sources',
  'role IS NOT DISTINCT FROM role_of_rank(greatest(role_rank(manual_role), role_rank(scim_role)))',
)
@BelongsTo('fk_workspace_members_workspace', 'WorkspaceEntity', 'workspaceId')
@BelongsTo('fk_workspace_members_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class WorkspaceMemberEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  userId: string;

  /** The higher of the two below. */
  @Column({ type: 'text' })
  role: MemberRole;

  /** The manual role; null for members from SCIM groups only. */
  @Column({ type: 'text', nullable: true })
  manualRole: MemberRole | null;

  /** The highest role from SCIM groups; null without one. Triggers maintain it (docs/adr/0010). */
  @Column({ type: 'text', nullable: true })
  scimRole: MemberRole | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The budget of a workspace for an interval. */
@Entity({ name: 'workspace_budgets' })
@Distributed('organization')
@Unique('uq_workspace_budgets_workspace_interval', ['organizationId', 'workspaceId', 'interval'])
@Check('ck_workspace_budgets_interval', `"interval" IN ('daily', 'weekly', 'monthly', 'lifetime')`)
@Check('ck_workspace_budgets_limit', 'limit_usd > 0')
@BelongsTo('fk_workspace_budgets_workspace', 'WorkspaceEntity', 'workspaceId')
export class WorkspaceBudgetEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  interval: BudgetInterval;

  /** US dollars. */
  @Column({ type: 'double precision' })
  limitUsd: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
