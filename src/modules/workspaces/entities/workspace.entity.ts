import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A part of an organization with its own keys, guardrails, presets and destinations. */
@Entity({ name: 'workspaces' })
@Unique('uq_workspaces_organization_slug', ['organizationId', 'slug'])
@Unique('uq_workspaces_default_guardrail', ['organizationId', 'defaultGuardrailId'])
@Index('ix_workspaces_page', ['organizationId', 'createdAt', 'id'])
@Index('uq_workspaces_default', ['organizationId'], { unique: true, where: 'is_default' })
@Check('ck_workspaces_io_logging_sampling_rate', 'io_logging_sampling_rate BETWEEN 0 AND 1')
@Check('ck_workspaces_rate_limits', 'requests_per_minute > 0 AND tokens_per_minute > 0')
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_workspaces_organization',
  onDelete: 'CASCADE',
})
export class WorkspaceEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_workspaces' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_workspaces' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  slug: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** At most one workspace of an organization; none after its deletion. */
  @Column({ name: 'is_default', type: 'boolean', default: false })
  isDefault: boolean;

  /** UUIDv5 of the id: the guardrail that applies to all traffic of the workspace, whether it is stored yet or not. */
  @Column({ name: 'default_guardrail_id', type: 'uuid' })
  defaultGuardrailId: string;

  @Column({ name: 'default_text_model', type: 'text', nullable: true })
  defaultTextModel: string | null;

  @Column({ name: 'default_image_model', type: 'text', nullable: true })
  defaultImageModel: string | null;

  @Column({ name: 'default_provider_sort', type: 'text', nullable: true })
  defaultProviderSort: string | null;

  @Column({ name: 'is_observability_io_logging_enabled', type: 'boolean', default: false })
  isObservabilityIoLoggingEnabled: boolean;

  @Column({ name: 'is_observability_broadcast_enabled', type: 'boolean', default: false })
  isObservabilityBroadcastEnabled: boolean;

  @Column({ name: 'is_data_discount_logging_enabled', type: 'boolean', default: false })
  isDataDiscountLoggingEnabled: boolean;

  /** The part of the requests whose input and output are logged, from 0 to 1. */
  @Column({ name: 'io_logging_sampling_rate', type: 'double precision', default: 1 })
  ioLoggingSamplingRate: number;

  /** Null is every key. */
  @Column({ name: 'io_logging_api_key_ids', type: 'jsonb', nullable: true })
  ioLoggingApiKeyIds: number[] | null;

  /** The names of the server tools that requests in the workspace cannot use; null is none. */
  @Column({ name: 'disabled_server_tools', type: 'text', array: true, nullable: true })
  disabledServerTools: string[] | null;

  /** Whether spend through the callers' own provider keys counts toward the budgets as well. */
  @Column({ name: 'include_byok_in_budgets', type: 'boolean', default: false })
  includeByokInBudgets: boolean;

  /** Of all keys of the workspace together. */
  @Column({ name: 'requests_per_minute', type: 'integer', nullable: true })
  requestsPerMinute: number | null;

  @Column({ name: 'tokens_per_minute', type: 'integer', nullable: true })
  tokensPerMinute: number | null;

  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}
