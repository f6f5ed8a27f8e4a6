import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { DataRegion } from '../../../config/data-region.js';
import type { StoredBuiltinFilter, StoredCustomFilter } from '../content-filters/stored-filters.js';
import type { ResetInterval } from '../dto/guardrail.dto.js';

/** A named policy (docs/interface/guardrails.md). A field that a request left out is null. */
@Entity({ name: 'guardrails' })
@Index('ix_guardrails_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Check('ck_guardrails_reset_interval', `reset_interval IN ('daily', 'weekly', 'monthly')`)
@Check('ck_guardrails_limit', 'limit_usd >= 0')
@Check('ck_guardrails_limit_interval', '(limit_usd IS NULL) = (reset_interval IS NULL)')
@Check(
  'ck_guardrails_allowed_data_regions',
  `cardinality(allowed_data_regions) > 0 AND allowed_data_regions <@ ARRAY['global', 'europe', 'us']`,
)
@BelongsToOrganization('fk_guardrails_organization')
@BelongsTo('fk_guardrails_workspace', 'WorkspaceEntity', 'workspaceId')
export class GuardrailEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_guardrails' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrails' })
  id: string;

  /** Null: a legacy guardrail from before workspaces. */
  @Column({ name: 'workspace_id', type: 'uuid', nullable: true })
  workspaceId: string | null;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** US dollars per reset interval. */
  @Column({ name: 'limit_usd', type: 'double precision', nullable: true })
  limitUsd: number | null;

  @Column({ name: 'reset_interval', type: 'text', nullable: true })
  resetInterval: ResetInterval | null;

  @Column({ name: 'include_byok_in_budgets', type: 'boolean' })
  includeByokInBudgets: boolean;

  /** Canonical slugs, with the variant suffix where one was given. */
  @Column({ name: 'allowed_models', type: 'text', array: true, nullable: true })
  allowedModels: string[] | null;

  @Column({ name: 'ignored_models', type: 'text', array: true, nullable: true })
  ignoredModels: string[] | null;

  @Column({ name: 'allowed_providers', type: 'text', array: true, nullable: true })
  allowedProviders: string[] | null;

  @Column({ name: 'ignored_providers', type: 'text', array: true, nullable: true })
  ignoredProviders: string[] | null;

  /** The only regions through which a request may arrive. */
  @Column({ name: 'allowed_data_regions', type: 'text', array: true, nullable: true })
  allowedDataRegions: DataRegion[] | null;

  /** Deprecated: kept as it was sent; the fields of the vendors are what counts. */
  @Column({ name: 'enforce_zdr', type: 'boolean', nullable: true })
  enforceZdr: boolean | null;

  @Column({ name: 'enforce_zdr_vendor_a', type: 'boolean', nullable: true })
  enforceZdrVendorA: boolean | null;

  @Column({ name: 'enforce_zdr_vendor_b', type: 'boolean', nullable: true })
  enforceZdrVendorB: boolean | null;

  @Column({ name: 'enforce_zdr_vendor_c', type: 'boolean', nullable: true })
  enforceZdrVendorC: boolean | null;

  @Column({ name: 'enforce_zdr_vendor_d', type: 'boolean', nullable: true })
  enforceZdrVendorD: boolean | null;

  @Column({ name: 'enforce_zdr_other', type: 'boolean', nullable: true })
  enforceZdrOther: boolean | null;

  @Column({ name: 'enable_free_model_publication', type: 'boolean', nullable: true })
  enableFreeModelPublication: boolean | null;

  @Column({ name: 'enable_free_model_training', type: 'boolean', nullable: true })
  enableFreeModelTraining: boolean | null;

  @Column({ name: 'enable_paid_model_training', type: 'boolean', nullable: true })
  enablePaidModelTraining: boolean | null;

  @Column({ name: 'content_filter_builtins', type: 'jsonb', nullable: true })
  contentFilterBuiltins: StoredBuiltinFilter[] | null;

  @Column({ name: 'content_filters', type: 'jsonb', nullable: true })
  contentFilters: StoredCustomFilter[] | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}

/** The guardrail of a key. A key has at most one; another guardrail replaces the row. */
@Entity({ name: 'guardrail_key_assignments' })
@Unique('uq_guardrail_key_assignments_key', ['organizationId', 'keyId'])
@Index('ix_guardrail_key_assignments_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_guardrail_key_assignments_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@BelongsTo('fk_guardrail_key_assignments_guardrail', 'GuardrailEntity', 'guardrailId')
@BelongsTo('fk_guardrail_key_assignments_key', 'ApiKeyEntity', 'keyId')
export class GuardrailKeyAssignmentEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_guardrail_key_assignments' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrail_key_assignments' })
  id: string;

  @Column({ name: 'guardrail_id', type: 'uuid' })
  guardrailId: string;

  @Column({ name: 'key_id', type: 'uuid' })
  keyId: string;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ name: 'assigned_by', type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The guardrail of a member of the organization. A member has at most one; another guardrail replaces the row. */
@Entity({ name: 'guardrail_member_assignments' })
@Unique('uq_guardrail_member_assignments_member', ['organizationId', 'userId'])
@Index('ix_guardrail_member_assignments_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_guardrail_member_assignments_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@BelongsTo('fk_guardrail_member_assignments_guardrail', 'GuardrailEntity', 'guardrailId')
@BelongsTo('fk_guardrail_member_assignments_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class GuardrailMemberAssignmentEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_guardrail_member_assignments' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrail_member_assignments' })
  id: string;

  @Column({ name: 'guardrail_id', type: 'uuid' })
  guardrailId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ name: 'assigned_by', type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
