import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { NETWORK_PROTOCOLS } from '../../../config/provider-variables.js';
import { OneOf } from '../../../persistence/one-of.js';
import type { UpstreamTimeouts } from '../../codecs/upstream-codec.js';
import type { AddressForm } from '../addresses/operation-address.js';
import type { CredentialScheme } from '../credentials/credential-scheme.js';
import type { ProviderAddress } from '../connections/well-known-providers.js';
import { Distributed } from '../../../persistence/distribution.js';

/** The current edition of the connections: one row that a trigger updates whenever a connection changes. */
@Entity({ name: 'provider_connection_edition' })
@Distributed('local')
@Check('ck_provider_connection_edition_single', 'is_current')
export class ProviderConnectionEditionEntity {
  @PrimaryColumn({ type: 'boolean' })
  isCurrent: true;

  @Column({ type: 'uuid' })
  edition: string;
}

/** The connection of the deployment to a provider. It belongs to no organization. */
@Entity({ name: 'provider_connections' })
@Distributed('local')
@OneOf('ck_provider_connections_protocol', 'protocol', NETWORK_PROTOCOLS)
export class ProviderConnectionEntity {
  /** The slug of the provider. The catalog may lose it and get it back, so this is not a foreign key. */
  @PrimaryColumn({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  protocol: ProviderAddress['protocol'];

  /** The base URL, without a slash at its end. */
  @Column({ type: 'text' })
  baseUrl: string;

  /** The preset that it was made by; null where the protocol and the address were given. */
  @Column({ type: 'text', nullable: true })
  preset: string | null;

  /** How the addresses of operations are formed; null where they are added to the base URL. */
  @Column({ type: 'jsonb', nullable: true })
  address: AddressForm | null;

  /** How the provider is shown who calls, without the secret; null for the API key where the protocol has it. */
  @Column({ type: 'jsonb', nullable: true })
  credential: CredentialScheme | null;

  /** The secret, bound to all of the above; null for a server that wants none, and where the machine has it. */
  @Column({ type: 'bytea', nullable: true })
  encryptedApiKey: Buffer | null;

  /** The timeouts that differ from the defaults, in milliseconds. */
  @Column({ type: 'jsonb' })
  timeouts: Partial<UpstreamTimeouts>;

  /** The provider's own names of models, by the canonical slug. */
  @Column({ type: 'jsonb' })
  models: Record<string, string>;

  /** What the operator says that the server can do; null for nothing. */
  @Column({ type: 'jsonb', nullable: true })
  capabilities: ModelCapabilities | null;

  /**
   * Whether its address was chosen by the interface, and not by someone who administers the machine: it is called at public addresses alone,
   * and gets no credential of the environment.
   */
  @Column({ type: 'boolean', default: false })
  isFromInterface: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
