import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import type { Transaction } from '../../../persistence/statements.js';
import type { SignInAttemptEntity } from '../entities/sign-in-connection.entity.js';
import type { IdentitySource } from '../identities/identity-source.js';

/** What a person is asked about. */
export type AskedLink = Pick<SignInAttemptEntity, 'connectionId' | 'returnTo'> & { readonly subject: string };

/** Uses a question up, in the session that it was asked in. */
export const USE_LINK_CONFIRMATION = statement<
  AskedLink,
  [organizationId: string, secretHash: Buffer, sessionId: string]
>(
  'link_confirmation_use',
  `DELETE FROM sign_in_attempts WHERE organization_id = $1 AND secret_hash = $2 AND expires_at > now()
      AND linking_session_id = $3::uuid AND proved_subject IS NOT NULL
    RETURNING connection_id AS "connectionId", return_to AS "returnTo", proved_subject AS subject`,
);

/**
 * Where the link of a session's identity comes from, which the links come from that are made in it; by hand for a session that an operator's
 * link began. The session stays until the transaction ends.
 */
export const SOURCE_OF_SESSION = statement<{ source: IdentitySource }, [organizationId: string, sessionId: string]>(
  'session_identity_source',
  `SELECT coalesce((SELECT i.source FROM sign_in_connections c
        JOIN member_identities i ON i.organization_id = $1 AND i.issuer = c.issuer AND i.subject = s.subject
      WHERE c.organization_id = $1 AND c.id = s.connection_id), 'hand') AS source
    FROM sessions s WHERE s.organization_id = $1 AND s.id = $2::uuid FOR KEY SHARE OF s`,
);

/** The rows of questions whether an account is to be linked, which are those of sign-ins that have been proved. */
@Injectable()
export class LinkConfirmationsRepository {
  /** @returns undefined for one that was answered, is over, or is of another session */
  async use(
    tx: Transaction,
    organizationId: string,
    secretHash: Buffer,
    sessionId: string,
  ): Promise<AskedLink | undefined> {
    return tx.first(USE_LINK_CONFIRMATION, [organizationId, secretHash, sessionId]);
  }

  /** @returns undefined for a session that is over */
  async sourceOf(tx: Transaction, organizationId: string, sessionId: string): Promise<IdentitySource | undefined> {
    return (await tx.first(SOURCE_OF_SESSION, [organizationId, sessionId]))?.source;
  }
}
