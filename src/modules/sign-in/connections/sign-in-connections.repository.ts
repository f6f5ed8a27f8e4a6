import { Injectable } from '@nestjs/common';
import { pageOfOrganization } from '../../../persistence/page-statement.js';
import { locking } from '../../../persistence/row-statements.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';
import { rowsOfOrganizations } from '../../../persistence/rows-of-organizations.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditedRows } from '../../audit/audited-rows.js';
import { DEFAULT_SCOPES } from '../dto/sign-in-connection.dto.js';
import { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { SignInConnectionNotFound } from '../sign-in.errors.js';

/** A page of the identity providers of an organization, oldest first. */
export const SIGN_IN_CONNECTIONS_PAGE = pageOfOrganization<SignInConnectionEntity>({
  name: 'sign_in_connections_page',
  entity: SignInConnectionEntity,
});

/** The identity providers of organizations. They are deleted with their sessions; what was linked by hand or by signing in stays known. */
export const SIGN_IN_CONNECTIONS = new AuditedRows({
  entity: SignInConnectionEntity,
  one: 'sign_in_connection',
  notFound: SignInConnectionNotFound,
  quota: 'sign_in_connections',
  fields: {
    name: {},
    issuer: { fixed: true },
    clientId: { fixed: true },
    scopes: { initial: [...DEFAULT_SCOPES] },
    externalIdClaim: { initial: null },
    createsMembers: { initial: false },
    roleClaim: { initial: null },
    adminValues: { initial: null },
    groupClaim: { initial: null },
    stepUpWithoutAuthTime: { initial: false },
    enabled: { initial: true },
  },
  recorded: ({ encryptedClientSecret }) => ({ has_client_secret: encryptedClientSecret !== null }),
  created: CREATED_NOW,
  lock: 'FOR NO KEY UPDATE',
  lockName: 'sign_in_connection_for_update',
});

/** An identity provider of an organization, which stays as it is until this transaction ends. */
export const HOLD_SIGN_IN_CONNECTION = locking(
  'sign_in_connection_hold',
  SIGN_IN_CONNECTIONS.findStatement,
  'FOR SHARE',
);

/** Whether an organization has a client of an issuer. */
export const HAS_SIGN_IN_CLIENT = statement<{ id: string }, [organizationId: string, issuer: string, clientId: string]>(
  'sign_in_connection_of_client',
  'SELECT id FROM sign_in_connections WHERE organization_id = $1 AND issuer = $2 AND client_id = $3',
);

/** The identity providers that an organization offers, by name. */
export const OFFERED_SIGN_IN_CONNECTIONS = statement<
  Pick<SignInConnectionEntity, 'id' | 'name' | 'issuer'>,
  [organizationId: string]
>(
  'sign_in_connections_offered',
  `SELECT id, name, issuer FROM sign_in_connections WHERE organization_id = $1 AND enabled ORDER BY name, id LIMIT 50`,
);

/** A secret of a client as it is stored, with what it is bound to. */
export type StoredClientSecret = Pick<SignInConnectionEntity, 'organizationId' | 'id' | 'issuer' | 'clientId'> & {
  readonly encryptedClientSecret: Buffer;
};

/** A batch across all organizations: the encryption key is the deployment's, and so is the command that changes it. */
export const CLIENT_SECRETS_AFTER = statement<
  StoredClientSecret,
  [organizationId: string, after: string, limit: number]
>(
  'sign_in_connections_batch',
  `SELECT id, organization_id AS "organizationId", issuer, client_id AS "clientId",
      encrypted_client_secret AS "encryptedClientSecret"
    FROM sign_in_connections
    WHERE (organization_id, id) > ($1, $2::uuid) AND encrypted_client_secret IS NOT NULL
    ORDER BY organization_id, id LIMIT $3`,
);

/** Replaces the encrypted form of a secret, unless it has changed since it was read. */
export const REPLACE_ENCRYPTED_CLIENT_SECRET = statement<
  never,
  [organizationId: string, id: string, known: Buffer, replacement: Buffer]
>(
  'sign_in_connection_encrypted_replace',
  `UPDATE sign_in_connections SET encrypted_client_secret = $4
    WHERE organization_id = $1 AND id = $2 AND encrypted_client_secret = $3`,
);

/** The rows of identity providers. */
@Injectable()
export class SignInConnectionsRepository {
  constructor(private readonly statements: Statements) {}

  async offered(organizationId: string): Promise<Pick<SignInConnectionEntity, 'id' | 'name' | 'issuer'>[]> {
    return this.statements.rows(OFFERED_SIGN_IN_CONNECTIONS, [organizationId]);
  }

  async hold(tx: Transaction, organizationId: string, id: string): Promise<SignInConnectionEntity | undefined> {
    return tx.first(HOLD_SIGN_IN_CONNECTION, [organizationId, id]);
  }

  async hasClient(tx: Transaction, organizationId: string, issuer: string, clientId: string): Promise<boolean> {
    return (await tx.first(HAS_SIGN_IN_CLIENT, [organizationId, issuer, clientId])) !== undefined;
  }

  everySecret(): AsyncGenerator<StoredClientSecret> {
    return rowsOfOrganizations((after) => this.statements.rows(CLIENT_SECRETS_AFTER, after));
  }

  /** @returns whether it has been replaced */
  async replaceEncrypted(
    { organizationId, id, encryptedClientSecret }: StoredClientSecret,
    replacement: Buffer,
  ): Promise<boolean> {
    const values: [string, string, Buffer, Buffer] = [organizationId, id, encryptedClientSecret, replacement];
    return (await this.statements.write(REPLACE_ENCRYPTED_CLIENT_SECRET, values)) > 0;
  }
}
