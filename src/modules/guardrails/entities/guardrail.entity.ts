import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { OneOf } from '../../../persistence/one-of.js';
import { type Enforcement, ENFORCEMENTS } from '../../limits/limit-vocabulary.js';
import type { DataRegion } from '../../../config/data-region.js';
import type { StoredBuiltinFilter, StoredCustomFilter } from '../content-filters/stored-filters.js';
import type { McpArgumentRule } from '../mcp/mcp-tools-policy.js';
import type { ResetInterval } from '../dto/guardrail.dto.js';

/** A named policy (docs/interface/guardrails.md). A field that a request left out is null. */
@Entity({ name: 'guardrails' })
@Distributed('organization')
@Index('ix_guardrails_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Index('ix_guardrails_inspectors', ['organizationId'], { where: 'inspector_ids IS NOT NULL' })
@Check('ck_guardrails_reset_interval', `reset_interval IN ('daily', 'weekly', 'monthly')`)
@OneOf('ck_guardrails_enforcement', 'enforcement', ENFORCEMENTS)
@Check('ck_guardrails_limit', 'limit_usd >= 0')
@Check('ck_guardrails_limit_interval', '(limit_usd IS NULL) = (reset_interval IS NULL)')
@Check(
  'ck_guardrails_allowed_data_regions',
  `cardinality(allowed_data_regions) > 0 AND allowed_data_regions <@ ARRAY['global', 'europe', 'us']`,
)
@BelongsToOrganization('fk_guardrails_organization')
@BelongsTo('fk_guardrails_workspace', 'WorkspaceEntity', 'workspaceId')
export class GuardrailEntity extends OrganizationRow {
  /** Null: a legacy guardrail from before workspaces. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** US dollars per reset interval. */
  @Column({ type: 'double precision', nullable: true })
  limitUsd: number | null;

  @Column({ type: 'text', nullable: true })
  resetInterval: ResetInterval | null;

  @Column({ type: 'boolean' })
  includeByokInBudgets: boolean;

  /** Canonical slugs, with the variant suffix where one was given. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedModels: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  ignoredModels: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  allowedProviders: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  ignoredProviders: string[] | null;

  /** The only regions through which a request may arrive. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedDataRegions: DataRegion[] | null;

  /** Deprecated: kept as it was sent; the fields of the vendors are what counts. */
  @Column({ type: 'boolean', nullable: true })
  enforceZdr: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enforceZdrVendorA: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enforceZdrVendorB: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enforceZdrVendorC: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enforceZdrVendorD: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enforceZdrOther: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enableFreeModelPublication: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enableFreeModelTraining: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  enablePaidModelTraining: boolean | null;

  @Column({ type: 'jsonb', nullable: true })
  contentFilterBuiltins: StoredBuiltinFilter[] | null;

  @Column({ type: 'jsonb', nullable: true })
  contentFilters: StoredCustomFilter[] | null;

  /** The inspectors that judge texts, each once. */
  @Column({ type: 'uuid', array: true, nullable: true })
  inspectorIds: string[] | null;

  /** The tools of MCP servers that may be used: `server/tool`, or `server/*`. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedMcpTools: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  ignoredMcpTools: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  mcpArgumentRules: McpArgumentRule[] | null;

  /** Whether it refuses, or only records what it would have refused. */
  @Column({ type: 'text', default: 'enforce' })
  enforcement: Enforcement;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}

/** The guardrail of a key. A key has at most one; another guardrail replaces the row. */
@Entity({ name: 'guardrail_key_assignments' })
@Distributed('organization')
@Unique('uq_guardrail_key_assignments_key', ['organizationId', 'keyId'])
@Index('ix_guardrail_key_assignments_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_guardrail_key_assignments_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@BelongsTo('fk_guardrail_key_assignments_guardrail', 'GuardrailEntity', 'guardrailId')
@BelongsTo('fk_guardrail_key_assignments_key', 'ApiKeyEntity', 'keyId')
export class GuardrailKeyAssignmentEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  guardrailId: string;

  @Column({ type: 'uuid' })
  keyId: string;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** A guardrail of a member of the organization: at most one of each workspace, one of none, and one that an earlier release has assigned. */
@Entity({ name: 'member_guardrails' })
@Distributed('organization')
@Unique('uq_member_guardrails_workspace', ['organizationId', 'userId', 'workspaceId'])
@Index('uq_member_guardrails_of_none', ['organizationId', 'userId'], { unique: true, where: 'workspace_id IS NULL' })
@Index('uq_member_guardrails_earlier', ['organizationId', 'userId'], {
  unique: true,
  where: 'applies_everywhere AND workspace_id IS NOT NULL',
})
@Index('ix_member_guardrails_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_member_guardrails_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@BelongsTo('fk_member_guardrails_guardrail', 'GuardrailEntity', 'guardrailId')
@BelongsTo('fk_member_guardrails_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class MemberGuardrailEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  guardrailId: string;

  @Column({ type: 'text' })
  userId: string;

  /** The workspace of the guardrail; null for a guardrail of none. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  /** Whether it applies to the member's keys of all workspaces, and not to those of its own alone. */
  @Column({ type: 'boolean' })
  appliesEverywhere: boolean;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/**
 * The guardrail of a member as releases before the guardrails of workspaces have it: one row a member, which is in
 * {@link MemberGuardrailEntity}, too. This release only deletes rows.
 */
@Entity({ name: 'guardrail_member_assignments' })
@Distributed('organization')
@Unique('uq_guardrail_member_assignments_member', ['organizationId', 'userId'])
@Index('ix_guardrail_member_assignments_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_guardrail_member_assignments_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@BelongsTo('fk_guardrail_member_assignments_guardrail', 'GuardrailEntity', 'guardrailId')
@BelongsTo('fk_guardrail_member_assignments_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class GuardrailMemberAssignmentEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  guardrailId: string;

  @Column({ type: 'text' })
  userId: string;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
