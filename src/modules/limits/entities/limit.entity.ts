import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import {
  type CombinationValues,
  type Enforcement,
  ENFORCEMENTS,
  LIMIT_MEASURES,
  LIMIT_WINDOWS,
  type LimitCondition,
  type LimitKey,
  type LimitMeasure,
  type LimitWindow,
  ON_MISSING,
  type OnMissing,
} from '../limit-vocabulary.js';

/** A limit by condition and group (docs/interface/limits.md). */
@Entity({ name: 'limits' })
@Distributed('organization')
@Index('ix_limits_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_limits_workspace', ['organizationId', 'workspaceId'])
@OneOf('ck_limits_measure', 'measure', LIMIT_MEASURES)
@OneOf('ck_limits_window', '"window"', LIMIT_WINDOWS)
@OneOf('ck_limits_on_missing', 'on_missing', ON_MISSING)
@OneOf('ck_limits_enforcement', 'enforcement', ENFORCEMENTS)
@Check('ck_limits_amount', 'amount >= 0')
@Check('ck_limits_concurrent', `(measure = 'concurrent') = ("window" IS NULL)`)
@BelongsToOrganization('fk_limits_organization')
@BelongsTo('fk_limits_workspace', 'WorkspaceEntity', 'workspaceId')
export class LimitEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  /** The workspace whose requests count; null for those of the whole organization. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  @Column({ type: 'jsonb' })
  conditions: LimitCondition[];

  @Column({ type: 'text', array: true })
  groupBy: LimitKey[];

  @Column({ type: 'text' })
  measure: LimitMeasure;

  /** US dollars, or a whole number of tokens or requests. */
  @Column({ type: 'double precision' })
  amount: number;

  /** Null for a limit of requests at the same time. */
  @Column({ type: 'text', nullable: true })
  window: LimitWindow | null;

  @Column({ type: 'text' })
  onMissing: OnMissing;

  /** Whether usage through the organization's own provider keys counts. */
  @Column({ type: 'boolean' })
  includeByok: boolean;

  @Column({ type: 'text' })
  enforcement: Enforcement;

  /** Shares of the amount at which alerts are sent, ascending. */
  @Column({ type: 'double precision', array: true })
  alertAt: number[];

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** Another amount for one combination of a limit, possibly until some time. */
@Entity({ name: 'limit_exceptions' })
@Distributed('organization')
@Unique('uq_limit_exceptions_combination', ['organizationId', 'limitId', 'combination'])
@Index('ix_limit_exceptions_page', ['organizationId', 'limitId', 'createdAt', 'id'])
@Check('ck_limit_exceptions_amount', 'amount >= 0')
@BelongsTo('fk_limit_exceptions_limit', 'LimitEntity', 'limitId')
export class LimitExceptionEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  limitId: string;

  /** As `combinationOf` names it. */
  @Column({ type: 'text' })
  combination: string;

  @Column({ type: 'jsonb' })
  values: CombinationValues;

  @Column({ type: 'double precision' })
  amount: number;

  /** When the amount of the limit holds again; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  until: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/**
 * What one combination of values has used of a limit in a window, and what is reserved for its requests that are being answered
 * (docs/budgets.md#reservations). Made by its first request, deleted some time after its window.
 */
@Entity({ name: 'limit_counters' })
@Distributed('organization')
@Index('ix_limit_counters_expiry', ['organizationId', 'expiresAt'])
@Index('ix_limit_counters_key', ['organizationId', 'keyId'])
@Check(
  'ck_limit_counters_amounts',
  'amount >= 0 AND byok_amount >= 0 AND reserved >= 0 AND reserved_with_byok >= reserved',
)
@BelongsTo('fk_limit_counters_limit', 'LimitEntity', 'limitId')
export class LimitCounterEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  limitId: string;

  /** As `combinationOf` names it. */
  @PrimaryColumn({ type: 'text' })
  combination: string;

  /** 1970-01-01 for windows without an end. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  windowStart: Date;

  @Column({ type: 'jsonb' })
  values: CombinationValues;

  /** The key of its first request: each has a share of the counters of an organization. */
  @Column({ type: 'uuid' })
  keyId: string;

  /** What was used through provider keys of the deployment, in the measure of the limit. */
  @Column({ type: 'numeric' })
  amount: string;

  /** What was used through the organization's own provider keys. */
  @Column({ type: 'numeric' })
  byokAmount: string;

  /** What is reserved if usage through own provider keys does not count. */
  @Column({ type: 'numeric' })
  reserved: string;

  /** What is reserved if it counts. */
  @Column({ type: 'numeric' })
  reservedWithByok: string;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt: Date;

  /** When it may be deleted; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** When the limit has refused a request of the combination, as far as an alert may be about it, and not of each request; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refusedAt: Date | null;
}

/** How many counters a key has made, or all keys of an organization (docs/interface/limits.md#combinations). */
@Entity({ name: 'limit_populations' })
@Distributed('organization')
@BelongsToOrganization('fk_limit_populations_organization')
export class LimitPopulationEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** The nil UUID for all keys together. */
  @PrimaryColumn({ type: 'uuid' })
  keyId: string;

  @Column({ type: 'bigint' })
  combinations: string;
}
