import { Injectable } from '@nestjs/common';
import type { MemberRole } from '../../../auth/roles.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { SessionEntity } from '../entities/session.entity.js';

/** How long a session lasts at most, and how long without a request (docs/interface/sign-in.md#sessions). */
const LIFETIME = `interval '12 hours'`;
const IDLE_TIME = `interval '60 minutes'`;

/** How many ended sessions of its organization one new session clears away at most. */
const SWEEP_SIZE = 100;

/** When the person of a session proved who they are, as far as that is known. */
const AUTHENTICATED_AT = 'CASE WHEN s.authentication_stated THEN s.authenticated_at END AS "authenticatedAt"';

/** A session with what a request needs to know of its member. */
export interface OpenSession {
  readonly id: string;
  readonly userId: string;
  readonly role: MemberRole;
  /** Null where it is not known. */
  readonly authenticatedAt: Date | null;
  /** Whether the last request was noted longer than a minute ago. */
  readonly isNotedLongAgo: boolean;
}

/** A member as the console shows who is signed in. */
export interface ShownMember {
  readonly userName: string;
  readonly userEmail: string;
  readonly organizationName: string;
  readonly role: MemberRole;
}

/** What the sign-out of a session needs to know. */
export interface EndedSession {
  readonly id: string;
  readonly userId: string;
  readonly role: MemberRole;
  /** Null where it is not known. */
  readonly authenticatedAt: Date | null;
  readonly connectionId: string | null;
  readonly sealedIdToken: Buffer | null;
}

/** A session that is not over, of a member who is active. Not cached: one that has ended is refused by every replica at once. */
export const OPEN_SESSION = statement<OpenSession, [organizationId: string, secretHash: Buffer]>(
  'session_open',
  `SELECT s.id, s.user_id AS "userId", m.role, ${AUTHENTICATED_AT},
      s.seen_at < now() - interval '1 minute' AS "isNotedLongAgo"
    FROM sessions s
    JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
    WHERE s.organization_id = $1 AND s.secret_hash = $2 AND s.expires_at > now() AND s.seen_at > now() - ${IDLE_TIME}
      AND m.deactivated_at IS NULL`,
);

/** A member with his organization. */
export const SESSION_MEMBER = statement<ShownMember, [organizationId: string, userId: string]>(
  'session_member',
  `SELECT coalesce(m.name, u.name) AS "userName", coalesce(m.email, u.email) AS "userEmail", o.name AS "organizationName", m.role
    FROM organization_members m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
);

/** Notes that a session was used. */
export const NOTE_SESSION = statement<never, [organizationId: string, id: string]>(
  'session_note',
  'UPDATE sessions SET seen_at = now() WHERE organization_id = $1 AND id = $2',
);

export const INSERT_SESSION = insertStatement('session_insert', SessionEntity, {
  createdAt: 'now()',
  seenAt: 'now()',
  expiresAt: `now() + ${LIFETIME}`,
});

/** Deletes some sessions that are over. */
export const SWEEP_SESSIONS = statement<never, [organizationId: string]>(
  'sessions_sweep',
  `DELETE FROM sessions WHERE organization_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM sessions WHERE organization_id = $1 AND expires_at <= now()
      ORDER BY expires_at LIMIT ${SWEEP_SIZE} FOR UPDATE SKIP LOCKED))`,
);

export const END_SESSION = statement<EndedSession, [organizationId: string, secretHash: Buffer]>(
  'session_end',
  `DELETE FROM sessions s USING organization_members m
    WHERE s.organization_id = $1 AND s.secret_hash = $2 AND m.organization_id = $1 AND m.user_id = s.user_id
    RETURNING s.id, s.user_id AS "userId", m.role, ${AUTHENTICATED_AT}, connection_id AS "connectionId", sealed_id_token AS "sealedIdToken"`,
);

/** Ends every session of some members, and takes their links away. */
export const END_SESSIONS_OF_MEMBERS = statement<never, [organizationId: string, userIds: readonly string[]]>(
  'sessions_end_of_members',
  `WITH links AS (DELETE FROM sign_in_links WHERE organization_id = $1 AND user_id = ANY ($2::text[]))
    DELETE FROM sessions WHERE organization_id = $1 AND user_id = ANY ($2::text[])`,
);

/** Ends the sessions that began through some identities. */
export const END_SESSIONS_OF_IDENTITIES = statement<
  never,
  [organizationId: string, issuers: readonly string[], subjects: readonly string[]]
>(
  'sessions_end_of_identities',
  `DELETE FROM sessions WHERE organization_id = $1 AND id = ANY (ARRAY(
      SELECT s.id FROM unnest($2::text[], $3::text[]) AS ended (issuer, subject)
        JOIN sign_in_connections c ON c.organization_id = $1 AND c.issuer = ended.issuer
        JOIN sessions s ON s.organization_id = $1 AND s.connection_id = c.id AND s.subject = ended.subject))`,
);

/** Ends the sessions that began with an identity provider. */
export const END_SESSIONS_OF_CONNECTION = statement<never, [organizationId: string, connectionId: string]>(
  'sessions_end_of_connection',
  'DELETE FROM sessions WHERE organization_id = $1 AND connection_id = $2::uuid',
);

/** The row of a new session, without the columns that the database sets. */
export type NewSession = Omit<SessionEntity, 'createdAt' | 'seenAt' | 'expiresAt'>;

/** The rows of sessions. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly statements: Statements) {}

  async open(organizationId: string, secretHash: Buffer): Promise<OpenSession | undefined> {
    return this.statements.first(OPEN_SESSION, [organizationId, secretHash]);
  }

  /** @param userId of a member */
  async member(organizationId: string, userId: string): Promise<ShownMember> {
    return (await this.statements.first(SESSION_MEMBER, [organizationId, userId]))!;
  }

  async note(organizationId: string, id: string): Promise<void> {
    await this.statements.write(NOTE_SESSION, [organizationId, id]);
  }

  async insert(tx: Transaction, session: NewSession): Promise<void> {
    await tx.write(SWEEP_SESSIONS, [session.organizationId]);
    await tx.rows(INSERT_SESSION, INSERT_SESSION.values(session));
  }

  /** @returns undefined where there is none */
  async end(tx: Transaction, organizationId: string, secretHash: Buffer): Promise<EndedSession | undefined> {
    return tx.first(END_SESSION, [organizationId, secretHash]);
  }

  async endThoseOf(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<void> {
    await tx.write(END_SESSIONS_OF_MEMBERS, [organizationId, userIds]);
  }

  /** @param identities that are ended, which this transaction has waited for: a sign-in with one of them has begun its session by now */
  async endThoseOfIdentities(
    tx: Transaction,
    organizationId: string,
    identities: readonly { readonly issuer: string; readonly subject: string }[],
  ): Promise<void> {
    if (identities.length === 0) return;
    const [issuers, subjects] = [identities.map(({ issuer }) => issuer), identities.map(({ subject }) => subject)];
    await tx.write(END_SESSIONS_OF_IDENTITIES, [organizationId, issuers, subjects]);
  }

  async endThoseOfConnection(tx: Transaction, organizationId: string, connectionId: string): Promise<void> {
    await tx.write(END_SESSIONS_OF_CONNECTION, [organizationId, connectionId]);
  }
}
