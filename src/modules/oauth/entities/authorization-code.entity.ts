import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn, Unique, Check } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { CodeChallengeMethod } from '../codes/code-challenge.js';
import type { LimitReset } from '../../keys/dto/key.dto.js';

/** An application that gets authorization codes, identified by the origin of its callback URL. */
@Entity({ name: 'oauth_applications' })
@Distributed('organization')
@Unique('uq_oauth_applications_organization_origin', ['organizationId', 'origin'])
@Unique('uq_oauth_applications_organization_number', ['organizationId', 'number'])
// Read alone for the application of an origin: the migration ApplicationsByOrigin gives the reason.
@Index('ix_oauth_applications_origin', ['organizationId', 'origin', 'id', 'number'])
@BelongsToOrganization('fk_oauth_applications_organization')
export class OauthApplicationEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** Unique in the deployment; never shown. */
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id: string;

  /** The `app_id` of the interface, counted by a trigger from 1 in each organization. */
  @Column({ type: 'bigint' })
  number: string;

  /** Scheme, host and port (RFC 6454, section 6.2). */
  @Column({ type: 'text' })
  origin: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** An authorization code (RFC 6749, section 4.1.2), with the properties of its future key. */
@Entity({ name: 'authorization_codes' })
@Distributed('organization')
// The hash comes first: a code of version 1 states no organization.
@Unique('uq_authorization_codes_code_hash', ['codeHash', 'organizationId'])
@Index('ix_authorization_codes_expiry', ['organizationId', 'expiresAt'])
// Used by the deletion of a key, which looks for its code.
@Index('ix_authorization_codes_issued_key', ['organizationId', 'issuedKeyId'])
// Used by the deletion of a workspace, member or Connect client, which looks for its codes.
@Index('ix_authorization_codes_workspace', ['organizationId', 'workspaceId'])
@Index('ix_authorization_codes_member', ['organizationId', 'userId'])
@Index('ix_authorization_codes_connect_client', ['organizationId', 'connectClientId'], {
  where: 'connect_client_id IS NOT NULL',
})
@Check('ck_authorization_codes_challenge', '(code_challenge IS NULL) = (code_challenge_method IS NULL)')
@Check('ck_authorization_codes_method', `code_challenge_method IN ('S256', 'plain')`)
@BelongsTo('fk_authorization_codes_member', 'OrganizationMemberEntity', 'userId', 'userId')
@BelongsTo('fk_authorization_codes_workspace', 'WorkspaceEntity', 'workspaceId')
@BelongsTo('fk_authorization_codes_connect_client', 'ConnectClientEntity', 'connectClientId')
@BelongsTo('fk_authorization_codes_application', 'OauthApplicationEntity', 'applicationId')
export class AuthorizationCodeEntity extends OrganizationRow {
  /** SHA-256 of the code; the code itself is not stored. */
  @Column({ type: 'bytea' })
  codeHash: Buffer;

  /** The owner of the future key. */
  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'bigint' })
  applicationId: string;

  /** The only client that may exchange the code; null if any caller of the organization may. */
  @Column({ type: 'uuid', nullable: true })
  connectClientId: string | null;

  @Column({ type: 'text' })
  callbackUrl: string;

  @Column({ type: 'text', nullable: true })
  codeChallenge: string | null;

  @Column({ type: 'text', nullable: true })
  codeChallengeMethod: CodeChallengeMethod | null;

  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  @Column({ type: 'text', nullable: true })
  keyLabel: string | null;

  @Column({ type: 'double precision', nullable: true })
  keyLimitUsd: number | null;

  @Column({ type: 'text', nullable: true })
  keyLimitReset: LimitReset | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  keyExpiresAt: Date | null;

  /** The agent and the cloud that asked for the code, as they name themselves. */
  @Column({ type: 'text', nullable: true })
  spawnAgent: string | null;

  @Column({ type: 'text', nullable: true })
  spawnCloud: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;

  /** The key that the exchange created; null after its deletion, by a trigger. */
  @Column({ type: 'uuid', nullable: true })
  issuedKeyId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
