import { Column, Entity, Index } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import { OneOf } from '../../../persistence/one-of.js';
import { DECLARED_REGIONS, type DeclaredRegion } from '../../catalog/private/private-endpoint.js';

/** A key of an organization's own for a provider, in a workspace. */
@Entity({ name: 'provider_keys' })
@Distributed('organization')
@Index('ix_provider_keys_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Index('ix_provider_keys_provider', ['organizationId', 'provider'])
@OneOf('ck_provider_keys_declared_region', 'declared_region', DECLARED_REGIONS)
@BelongsTo('fk_provider_keys_workspace', 'WorkspaceEntity', 'workspaceId')
export class ProviderKeyEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  workspaceId: string;

  /** The slug of the provider. The catalog may lose it and get it back, so this is not a foreign key. */
  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text', nullable: true })
  name: string | null;

  /** The key as it is shown: masked. */
  @Column({ type: 'text' })
  label: string;

  /** Bound to organization, workspace, provider and id. */
  @Column({ type: 'bytea' })
  encryptedKey: Buffer;

  @Column({ type: 'boolean' })
  disabled: boolean;

  /** Whether it is tried after the credentials of the deployment, and not before them. */
  @Column({ type: 'boolean' })
  isFallback: boolean;

  /** Whether the credentials of the deployment for this provider are not used for the models of this key. */
  @Column({ type: 'boolean', default: false })
  isRequired: boolean;

  /** Whether they are used for no model at all. */
  @Column({ type: 'boolean', default: false })
  isByokOnly: boolean;

  /** Whether this key may answer requests that demand zero data retention; null for what the endpoint says. */
  @Column({ type: 'boolean', nullable: true })
  declaredZdr: boolean | null;

  /** Where the account of this key works, as the organization says. */
  @Column({ type: 'text', nullable: true })
  declaredRegion: DeclaredRegion | null;

  /** Canonical slugs of the only models that it is used for; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedModels: string[] | null;

  /** Hashes of the only API keys that it is used for; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedApiKeyHashes: string[] | null;

  /** The only users that it is used for; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedUserIds: string[] | null;

  /** Keys for one provider in one workspace are tried in this order. */
  @Column({ type: 'integer' })
  sortOrder: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
