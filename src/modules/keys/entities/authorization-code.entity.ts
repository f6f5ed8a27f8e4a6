import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { CodeChallengeMethod } from '../code-challenge.js';
import type { LimitReset } from '../limit-reset.js';

/** An authorization code (RFC 6749, section 4.1.2), with what the key that it is exchanged for will be. */
@Entity({ name: 'authorization_codes' })
@Unique('uq_authorization_codes_code_hash', ['codeHash'])
@Index('ix_authorization_codes_expiry', ['expiresAt'])
// Deleting a key looks for the code that it came from.
@Index('ix_authorization_codes_issued_key', ['issuedKeyId'])
// And deleting a workspace, a member or a Connect client for the codes whose keys would be theirs.
@Index('ix_authorization_codes_workspace', ['organizationId', 'workspaceId'])
@Index('ix_authorization_codes_member', ['organizationId', 'userId'])
@Index('ix_authorization_codes_connect_client', ['organizationId', 'connectClientId'], {
  where: 'connect_client_id IS NOT NULL',
})
@Check('ck_authorization_codes_challenge', '(code_challenge IS NULL) = (code_challenge_method IS NULL)')
@Check('ck_authorization_codes_method', `code_challenge_method IN ('S256', 'plain')`)
@ForeignKey('OrganizationMemberEntity', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'fk_authorization_codes_member',
  onDelete: 'CASCADE',
})
@ForeignKey('WorkspaceEntity', ['organizationId', 'workspaceId'], ['organizationId', 'id'], {
  name: 'fk_authorization_codes_workspace',
  onDelete: 'CASCADE',
})
@ForeignKey('ConnectClientEntity', ['organizationId', 'connectClientId'], ['organizationId', 'id'], {
  name: 'fk_authorization_codes_connect_client',
  onDelete: 'CASCADE',
})
@ForeignKey('OauthApplicationEntity', ['applicationId'], ['id'], {
  name: 'fk_authorization_codes_application',
  onDelete: 'CASCADE',
})
@ForeignKey('ApiKeyEntity', ['issuedKeyId'], ['id'], {
  name: 'fk_authorization_codes_issued_key',
  onDelete: 'SET NULL',
})
export class AuthorizationCodeEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_authorization_codes' })
  id: string;

  /** SHA-256 of the code; the code itself is nowhere. */
  @Column({ name: 'code_hash', type: 'bytea' })
  codeHash: Buffer;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  /** Whose key it becomes. */
  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'application_id', type: 'bigint' })
  applicationId: string;

  /** The client that alone may exchange the code; null when any caller of the organization may. */
  @Column({ name: 'connect_client_id', type: 'uuid', nullable: true })
  connectClientId: string | null;

  @Column({ name: 'callback_url', type: 'text' })
  callbackUrl: string;

  @Column({ name: 'code_challenge', type: 'text', nullable: true })
  codeChallenge: string | null;

  @Column({ name: 'code_challenge_method', type: 'text', nullable: true })
  codeChallengeMethod: CodeChallengeMethod | null;

  @Column({ name: 'workspace_id', type: 'uuid', nullable: true })
  workspaceId: string | null;

  @Column({ name: 'key_label', type: 'text', nullable: true })
  keyLabel: string | null;

  @Column({ name: 'key_limit_usd', type: 'double precision', nullable: true })
  keyLimitUsd: number | null;

  @Column({ name: 'key_limit_reset', type: 'text', nullable: true })
  keyLimitReset: LimitReset | null;

  @Column({ name: 'key_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  keyExpiresAt: Date | null;

  /** The agent and the cloud that asked for the code, as they name themselves. */
  @Column({ name: 'spawn_agent', type: 'text', nullable: true })
  spawnAgent: string | null;

  @Column({ name: 'spawn_cloud', type: 'text', nullable: true })
  spawnCloud: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;

  /** The key that the code was exchanged for; null again when that key is deleted. */
  @Column({ name: 'issued_key_id', type: 'uuid', nullable: true })
  issuedKeyId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
