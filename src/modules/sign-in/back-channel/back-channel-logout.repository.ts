import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';

/** Where a client of an issuer is used. */
export type ClientOfIssuer = Pick<SignInConnectionEntity, 'organizationId' | 'id' | 'issuer' | 'clientId'>;

/** Who is signed out: everybody with the subject, or the one session at the identity provider. */
export interface SignedOutPerson {
  readonly subject: string | null;
  readonly providerSession: string | null;
}

/** The connections of some clients of an issuer, in every organization: a logout token states none. */
export const CONNECTIONS_OF_CLIENTS = statement<
  ClientOfIssuer,
  [issuers: readonly string[], clientIds: readonly string[]]
>(
  'sign_in_connections_of_clients',
  `SELECT organization_id AS "organizationId", id, issuer, client_id AS "clientId" FROM sign_in_connections
    WHERE issuer = ANY ($1::text[]) AND client_id = ANY ($2::text[]) AND enabled ORDER BY organization_id, id LIMIT 1000`,
);

/** Ends the sessions of a person, if the token was not used before, and forgets tokens that are too old to be used again. */
export const END_SESSIONS_BY_TOKEN = statement<
  { isNew: boolean },
  [
    organizationId: string,
    connectionId: string,
    tokenIdHash: Buffer,
    seconds: number,
    subject: string | null,
    providerSession: string | null,
  ]
>(
  'sessions_end_by_logout_token',
  `WITH used AS (
      INSERT INTO used_logout_tokens (organization_id, connection_id, token_id_hash, expires_at)
      VALUES ($1, $2::uuid, $3, now() + $4 * interval '1 second')
      ON CONFLICT (organization_id, connection_id, token_id_hash) DO NOTHING RETURNING 1),
    swept AS (
      DELETE FROM used_logout_tokens WHERE organization_id = $1 AND connection_id = $2::uuid AND expires_at < now()),
    ended AS (
      DELETE FROM sessions WHERE organization_id = $1 AND connection_id = $2::uuid AND EXISTS (SELECT FROM used)
        AND ($5::text IS NULL OR subject = $5) AND ($6::text IS NULL OR provider_session = $6))
    SELECT EXISTS (SELECT FROM used) AS "isNew"`,
);

/** What a logout token changes. */
@Injectable()
export class BackChannelLogoutRepository {
  constructor(private readonly statements: Statements) {}

  /** @param issuers the texts under which the issuer may have been entered */
  async connectionsOf(issuers: readonly string[], clientIds: readonly string[]): Promise<ClientOfIssuer[]> {
    return this.statements.rows(CONNECTIONS_OF_CLIENTS, [issuers, clientIds]);
  }

  /**
   * Ends the sessions of a person.
   *
   * @param tokenIdHash of the token, which counts once
   * @param seconds how long a token is remembered
   * @returns whether the token was not used before
   */
  async endSessions(
    { organizationId, id }: ClientOfIssuer,
    { subject, providerSession }: SignedOutPerson,
    tokenIdHash: Buffer,
    seconds: number,
  ): Promise<boolean> {
    const values = [organizationId, id, tokenIdHash, seconds, subject, providerSession] as const;
    return (await this.statements.first(END_SESSIONS_BY_TOKEN, [...values]))?.isNew === true;
  }
}
