import { Check, Entity, Index, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { UsageMeasures } from './usage-measures.js';

/** The length of the period of a total; the lifetime has no end. */
export type TotalPeriod = 'minute' | 'hour' | 'day' | 'lifetime';

/**
 * Whether a total is that of a key with a model at an endpoint, of a key with all models (`spender`), of all keys of a workspace, or of the
 * organization.
 */
export type TotalScope = 'organization' | 'workspace' | 'key' | 'spender';

/**
 * What was used in a period, of one model at one endpoint (docs/interface/usage.md#totals). A text that is unset is empty: rows of
 * workspaces have no key, those of spenders no model, and the row of the organization has nothing. Rows outlive what they name.
 */
@Entity({ name: 'usage_totals' })
@Distributed('organization')
@Index('ix_usage_totals_key', ['organizationId', 'period', 'keyId', 'startsAt'], { where: `scope = 'key'` })
@Index('ix_usage_totals_member', ['organizationId', 'period', 'userId', 'startsAt'], { where: `scope = 'key'` })
@Check('ck_usage_totals_period', `period IN ('minute', 'hour', 'day', 'lifetime')`)
@Check('ck_usage_totals_scope', `scope IN ('organization', 'workspace', 'key', 'spender')`)
@BelongsToOrganization('fk_usage_totals_organization')
export class UsageTotalEntity extends UsageMeasures {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  period: TotalPeriod;

  @PrimaryColumn({ type: 'text' })
  scope: TotalScope;

  /** The beginning of the period in UTC; 1970-01-01 for the lifetime. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @PrimaryColumn({ type: 'text' })
  workspaceId: string;

  @PrimaryColumn({ type: 'text' })
  keyId: string;

  @PrimaryColumn({ type: 'text' })
  userId: string;

  /** The id of the model, or what records call a tool; unset for requests to models that no provider was asked for. */
  @PrimaryColumn({ type: 'text' })
  model: string;

  /** The slug of the provider that was asked last. */
  @PrimaryColumn({ type: 'text' })
  provider: string;

  /** The tag of the endpoint that was asked last. */
  @PrimaryColumn({ type: 'text' })
  endpoint: string;
}
