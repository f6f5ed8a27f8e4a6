import { Column, Entity, Index, Unique } from 'typeorm';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';

/** A person who is signed in with a browser (docs/interface/sign-in.md#sessions). */
@Entity({ name: 'sessions' })
@Distributed('organization')
@Unique('uq_sessions_secret_hash', ['organizationId', 'secretHash'])
@Index('ix_sessions_member', ['organizationId', 'userId'])
@Index('ix_sessions_subject', ['organizationId', 'connectionId', 'subject'])
@Index('ix_sessions_expiry', ['organizationId', 'expiresAt'])
@BelongsTo('fk_sessions_member', 'OrganizationMemberEntity', 'userId', 'userId')
@BelongsTo('fk_sessions_connection', 'SignInConnectionEntity', 'connectionId')
export class SessionEntity extends OrganizationRow {
  @Column({ type: 'text' })
  userId: string;

  /** SHA-256 of the cookie; the cookie itself is not stored. */
  @Column({ type: 'bytea' })
  secretHash: Buffer;

  /** The identity provider that the person signed in with; null for a sign-in link. */
  @Column({ type: 'uuid', nullable: true })
  connectionId: string | null;

  /** Who that is at the identity provider (`sub`). */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  /** The session at the identity provider (`sid`), if it says one. */
  @Column({ type: 'text', nullable: true })
  providerSession: string | null;

  /** The ID token, which the identity provider asks for at the sign-out, under a key that only the cookie gives. */
  @Column({ type: 'bytea', nullable: true })
  sealedIdToken: Buffer | null;

  /** When the person proved who they are, which may be before the session began; where that was not stated, when it began. */
  @Column({ type: 'timestamptz', precision: 3 })
  authenticatedAt: Date;

  /** Whether it is known when the person proved who they are: otherwise the sign-in is never a fresh one. */
  @Column({ type: 'boolean', default: true })
  authenticationStated: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** When the last request came, written at most once a minute. */
  @Column({ type: 'timestamptz', precision: 3 })
  seenAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** The address of the client at the sign-in. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  /** What the browser called itself at the sign-in. */
  @Column({ type: 'text', nullable: true })
  userAgent: string | null;
}

/** A link that signs its member in once (docs/interface/sign-in.md#sign-in-links). */
@Entity({ name: 'sign_in_links' })
@Distributed('organization')
@Unique('uq_sign_in_links_secret_hash', ['organizationId', 'secretHash'])
@Index('ix_sign_in_links_member', ['organizationId', 'userId'])
@BelongsTo('fk_sign_in_links_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class SignInLinkEntity extends OrganizationRow {
  @Column({ type: 'text' })
  userId: string;

  /** SHA-256 of the secret in the link. */
  @Column({ type: 'bytea' })
  secretHash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
