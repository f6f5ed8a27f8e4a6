import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** How long the time is that a total is of; the lifetime has no end. */
export type TotalPeriod = 'minute' | 'hour' | 'day' | 'lifetime';

/** Whether a total is that of a key, of all keys of a workspace, or of the organization. */
export type TotalScope = 'organization' | 'workspace' | 'key';

/**
 * What was used in a period, of one model at one endpoint (docs/interface/usage.md#totals). A text that is unset is empty: rows of
 * workspaces have no key, the row of the organization has neither key nor workspace nor model. Rows outlive what they name.
 */
@Entity({ name: 'usage_totals' })
@Index('ix_usage_totals_key', ['organizationId', 'period', 'keyId', 'startsAt'], { where: `scope = 'key'` })
@Index('ix_usage_totals_member', ['organizationId', 'period', 'userId', 'startsAt'], { where: `scope = 'key'` })
@Check('ck_usage_totals_period', `period IN ('minute', 'hour', 'day', 'lifetime')`)
@Check('ck_usage_totals_scope', `scope IN ('organization', 'workspace', 'key')`)
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_usage_totals_organization',
  onDelete: 'CASCADE',
})
export class UsageTotalEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  organizationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  period: TotalPeriod;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  scope: TotalScope;

  /** The beginning of the period in UTC; 1970-01-01 for the lifetime. */
  @PrimaryColumn({
    name: 'starts_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'pk_usage_totals',
  })
  startsAt: Date;

  @PrimaryColumn({ name: 'workspace_id', type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  workspaceId: string;

  @PrimaryColumn({ name: 'key_id', type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  keyId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  userId: string;

  /** The id of the model; unset for requests that no provider was asked for. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  model: string;

  /** The slug of the provider that was asked last. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  provider: string;

  /** The tag of the endpoint that was asked last. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_usage_totals' })
  endpoint: string;

  /** Requests that were answered. */
  @Column({ name: 'request_count', type: 'numeric' })
  requestCount: string;

  /** Requests that were refused, or failed before they were answered. */
  @Column({ name: 'refused_count', type: 'numeric' })
  refusedCount: string;

  /** Those of the answered that went through a provider key of the organization. */
  @Column({ name: 'byok_request_count', type: 'numeric' })
  byokRequestCount: string;

  /** Requests, also refused ones, in which a content filter found something. */
  @Column({ name: 'filtered_request_count', type: 'numeric' })
  filteredRequestCount: string;

  @Column({ name: 'prompt_tokens', type: 'numeric' })
  promptTokens: string;

  @Column({ name: 'completion_tokens', type: 'numeric' })
  completionTokens: string;

  @Column({ name: 'reasoning_tokens', type: 'numeric' })
  reasoningTokens: string;

  /** Prompt tokens that the provider had cached. */
  @Column({ name: 'cached_tokens', type: 'numeric' })
  cachedTokens: string;

  /** US dollars, through the gateway's own provider keys. */
  @Column({ name: 'usage_usd', type: 'numeric' })
  usageUsd: string;

  /** US dollars at list price, through the organization's own provider keys. */
  @Column({ name: 'byok_usage_usd', type: 'numeric' })
  byokUsageUsd: string;

  /** Milliseconds until the first token, of all {@link timedRequestCount}. */
  @Column({ name: 'latency_ms', type: 'numeric' })
  latencyMs: string;

  /** Answered requests with a first token. */
  @Column({ name: 'timed_request_count', type: 'numeric' })
  timedRequestCount: string;

  /** Milliseconds that answers took which have completion tokens. */
  @Column({ name: 'generation_ms', type: 'numeric' })
  generationMs: string;

  /** The completion tokens of answers whose time is known. */
  @Column({ name: 'generated_tokens', type: 'numeric' })
  generatedTokens: string;
}
