import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { IDENTITY_SOURCES, type IdentitySource } from '../identities/identity-source.js';

/** An identity provider that members of an organization sign in with, by OpenID Connect (docs/interface/sign-in.md#identity-providers). */
@Entity({ name: 'sign_in_connections' })
@Distributed('organization')
@Unique('uq_sign_in_connections_client', ['organizationId', 'issuer', 'clientId'])
@Index('ix_sign_in_connections_page', ['organizationId', 'createdAt', 'id'])
// Read alone for a logout token, which states no organization.
@Index('ix_sign_in_connections_client', ['issuer', 'clientId'])
@Check('ck_sign_in_connections_role', '(role_claim IS NULL) = (admin_values IS NULL)')
@BelongsToOrganization('fk_sign_in_connections_organization')
export class SignInConnectionEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  /** Exactly as the ID tokens have it (`iss`). */
  @Column({ type: 'text' })
  issuer: string;

  @Column({ type: 'text' })
  clientId: string;

  /** Null for a client without one, which proves itself by PKCE alone. */
  @Column({ type: 'bytea', nullable: true })
  encryptedClientSecret: Buffer | null;

  @Column({ type: 'text', array: true })
  scopes: string[];

  /** The claim that equals the directory's `externalId` of a member; null where members are linked by hand alone. */
  @Column({ type: 'text', nullable: true })
  externalIdClaim: string | null;

  /** Whether who is not known becomes a member, with the role `member`. */
  @Column({ type: 'boolean' })
  createsMembers: boolean;

  /** The claim whose values decide the role in the organization; null where the claims decide nothing. */
  @Column({ type: 'text', nullable: true })
  roleClaim: string | null;

  /** The values of that claim that make an administrator. */
  @Column({ type: 'text', array: true, nullable: true })
  adminValues: string[] | null;

  /** The claim with the groups that a person is in; null where the claims decide nothing about groups. */
  @Column({ type: 'text', nullable: true })
  groupClaim: string | null;

  /** Whether a step-up succeeds without `auth_time` in the ID token. */
  @Column({ type: 'boolean', default: false })
  stepUpWithoutAuthTime: boolean;

  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}

/** Who a member is at an identity provider: the issuer and the subject, and nothing else, say that two sign-ins are of one person. */
@Entity({ name: 'member_identities' })
@Distributed('organization')
@Unique('uq_member_identities_subject', ['organizationId', 'issuer', 'subject'])
@Index('ix_member_identities_member', ['organizationId', 'userId', 'createdAt', 'id'])
@OneOf('ck_member_identities_source', 'source', IDENTITY_SOURCES)
@BelongsTo('fk_member_identities_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class MemberIdentityEntity extends OrganizationRow {
  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  issuer: string;

  @Column({ type: 'text' })
  subject: string;

  @Column({ type: 'text', default: 'sign_in' })
  source: IdentitySource;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Null before the first one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSignInAt: Date | null;
}

/** A sign-in that a browser has gone to the identity provider for. Everything secret of it comes from its cookie. */
@Entity({ name: 'sign_in_attempts' })
@Distributed('organization')
@Unique('uq_sign_in_attempts_secret_hash', ['organizationId', 'secretHash'])
@Index('ix_sign_in_attempts_connection', ['organizationId', 'connectionId'])
@Index('ix_sign_in_attempts_expiry', ['organizationId', 'expiresAt'])
@BelongsTo('fk_sign_in_attempts_connection', 'SignInConnectionEntity', 'connectionId')
export class SignInAttemptEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  connectionId: string;

  /** SHA-256 of the cookie. */
  @Column({ type: 'bytea' })
  secretHash: Buffer;

  /** The path that the person goes to afterwards. */
  @Column({ type: 'text' })
  returnTo: string;

  /** The member whom the release before was to link an identity to without asking; such an attempt counts no more. */
  @Column({ type: 'text', nullable: true })
  linkedUserId: string | null;

  /** The session in which the linking of an account began; null for a sign-in. */
  @Column({ type: 'uuid', nullable: true })
  linkingSessionId: string | null;

  /** Who the person is at the identity provider, once that is proved and the person is asked whether to link it. */
  @Column({ type: 'text', nullable: true })
  provedSubject: string | null;

  /** Whether the person has to prove again who they are. */
  @Column({ type: 'boolean' })
  isStepUp: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

/** A logout token that was used (OpenID Connect Back-Channel Logout 1.0, section 2.6), until it would be refused as too old. */
@Entity({ name: 'used_logout_tokens' })
@Distributed('organization')
@BelongsTo('fk_used_logout_tokens_connection', 'SignInConnectionEntity', 'connectionId')
export class UsedLogoutTokenEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  connectionId: string;

  /** SHA-256 of `jti`. */
  @PrimaryColumn({ type: 'bytea' })
  tokenIdHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
