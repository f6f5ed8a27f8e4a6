import { Check, Column, Entity, Index } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import type { FilterPlace } from '../../content/content-filters.js';
import { type Enforcement, ENFORCEMENTS } from '../../limits/limit-vocabulary.js';
import { ON_FAILURE, type OnFailure } from '../inspector-vocabulary.js';
import type { InspectorProtocol } from '../protocols/inspection-protocols.js';

/** What answers show of the secrets of an inspector: a mask of each. */
export interface SecretMasks {
  readonly apiKey: string | null;
  readonly signingSecret: string | null;
  /** By their names as they were given. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that judges texts of an organization (docs/interface/inspectors.md). */
@Entity({ name: 'inspectors' })
@Distributed('organization')
@Index('ix_inspectors_page', ['organizationId', 'createdAt', 'id'])
@OneOf('ck_inspectors_mode', 'mode', ENFORCEMENTS)
@OneOf('ck_inspectors_on_failure', 'on_failure', ON_FAILURE)
@Check('ck_inspectors_window', '(window_characters IS NULL) = (window_overlap IS NULL)')
@BelongsToOrganization('fk_inspectors_organization')
export class InspectorEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  protocol: InspectorProtocol;

  /** Null: the address of the protocol. */
  @Column({ type: 'text', nullable: true })
  url: string | null;

  /** By the names of the protocol; none of them is a secret. */
  @Column({ type: 'jsonb' })
  settings: object;

  @Column({ type: 'text', array: true })
  appliesTo: FilterPlace[];

  @Column({ type: 'text' })
  mode: Enforcement;

  @Column({ type: 'text' })
  onFailure: OnFailure;

  @Column({ type: 'integer' })
  timeoutMs: number;

  /** Null, as the overlap then is: answers are judged as a whole. */
  @Column({ type: 'integer', nullable: true })
  windowCharacters: number | null;

  @Column({ type: 'integer', nullable: true })
  windowOverlap: number | null;

  @Column({ type: 'jsonb' })
  secretMasks: SecretMasks;

  /** Null without any. */
  @Column({ type: 'bytea', nullable: true })
  encryptedSecrets: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
