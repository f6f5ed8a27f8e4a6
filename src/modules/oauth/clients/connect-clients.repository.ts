import { Injectable } from '@nestjs/common';
import { type ListedRow, listedColumnsOf } from '../../../persistence/listed-columns.js';
import { statement } from '../../../persistence/statement.js';
import { type Transaction, Statements } from '../../../persistence/statements.js';
import { LargeRows } from '../../organization-limits/large-rows.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { type Page, pageOfOrganization, type PageRequest } from '../../../persistence/page-statement.js';
import { type Actor, auditedInsert, auditEventOf } from '../../audit/audit-trail.js';
import type { AuditedEvent } from '../../audit/audited-event.js';
import { normalizedCallbackUrl, withoutLoopbackPort } from '../codes/callback-url.js';
import { ConnectClientEntity } from '../entities/connect-client.entity.js';
import { deletionById, locking, rowById, rowsByIds } from '../../../persistence/row-statements.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';

/** The registration that a callback URL meets. */
export interface CallbackRegistration {
  readonly clientId: string;
  /** The URL as it is registered, which on a loopback address may have another port. */
  readonly url: string;
}

/** The row of a new client, without the times that the database sets. */
export type NewConnectClient = Omit<ConnectClientEntity, 'createdAt'>;

export const INSERT_CLIENT = auditedInsert('connect_client_insert', ConnectClientEntity, CREATED_NOW);

export const CLIENT_BY_ID = rowById('connect_client_by_id', ConnectClientEntity);

/** How many connect clients an organization has, against its quota. */
export const CONNECT_CLIENTS_QUOTA = quotaStatement('connect_clients_quota', 'connect_clients', 'connect_clients');

/** A Connect client, locked for a transaction that will change it. */
export const LOCK_CLIENT_FOR_UPDATE = locking('connect_client_lock', CLIENT_BY_ID, 'FOR UPDATE');

export const CLIENTS_PAGE = pageOfOrganization<ListedRow<ConnectClientEntity>>({
  name: 'connect_clients_page',
  entity: ConnectClientEntity,
  columns: listedColumnsOf(ConnectClientEntity, 'item', ['callbackUrls']),
});

export const CLIENTS_BY_IDS = rowsByIds('connect_clients_by_ids', ConnectClientEntity);

/** A registered URL of a client, as `withoutLoopbackPort` writes it; any other URL as it is. */
const WITHOUT_LOOPBACK_PORT = String.raw`regexp_replace(url, '^(https?://(?:127[.]0[.]0[.]1|\[::1\])):[0-9]+/', '\1/')`;

/**
 * Finds the client of a callback URL: the oldest that has registered exactly this URL, else the oldest that has registered it on another
 * port of its loopback address, else the oldest with a URL of the same origin. $2 is the URL as it was given, $3 its normalized form, $4 its
 * origin followed by a slash, $5 its form without the port of a loopback address, null on any other host.
 */
export const CLIENT_OF_CALLBACK = statement<
  { id: string; is_registered: boolean; loopback_url: string | null },
  [organizationId: string, url: string, normalizedUrl: string | null, origin: string, anyPort: string | null]
>(
  'client_of_callback',
  `SELECT id, is_registered, loopback_url FROM (
      SELECT id, created_at,
        $2 = ANY (callback_urls) OR coalesce($3 = ANY (normalized_callback_urls), false) AS is_registered,
        (SELECT min(url) FROM unnest(normalized_callback_urls) AS url WHERE ${WITHOUT_LOOPBACK_PORT} = $5::text) AS loopback_url,
        EXISTS (SELECT FROM unnest(normalized_callback_urls) AS url WHERE starts_with(url, $4)) AS has_origin
      FROM connect_clients WHERE organization_id = $1
    ) AS client WHERE is_registered OR loopback_url IS NOT NULL OR has_origin
    ORDER BY is_registered DESC, loopback_url IS NULL, created_at, id LIMIT 1`,
);

/**
 * Whether a client has registered a callback URL. $3 is the URL as it was given, $4 its normalized form, $5 that without the port of a
 * loopback address, null on any other host.
 */
export const CLIENT_HAS_CALLBACK = statement<
  { is_registered: boolean },
  [organizationId: string, id: string, url: string, normalizedUrl: string | null, anyPort: string | null]
>(
  'connect_client_has_callback',
  `SELECT $3 = ANY (callback_urls) OR coalesce($4 = ANY (normalized_callback_urls), false)
      OR EXISTS (SELECT FROM unnest(normalized_callback_urls) AS url WHERE ${WITHOUT_LOOPBACK_PORT} = $5::text) AS is_registered
    FROM connect_clients WHERE organization_id = $1 AND id = $2`,
);

/** Gives a client another secret. An earlier previous secret is no longer accepted. */
export const ROTATE_CLIENT_SECRET = statement<
  never,
  [organizationId: string, id: string, secretHash: Buffer, graceSeconds: number]
>(
  'connect_client_rotate',
  `UPDATE connect_clients SET secret_hash = $3,
      previous_secret_hash = CASE WHEN $4::integer > 0 THEN secret_hash END,
      previous_secret_expires_at = now() + nullif($4::integer, 0) * interval '1 second'
    WHERE organization_id = $1 AND id = $2`,
);

export const DELETE_CLIENT_CODES = statement<never, [organizationId: string, id: string]>(
  'connect_client_delete_codes',
  'DELETE FROM authorization_codes WHERE organization_id = $1 AND connect_client_id = $2',
);

export const DELETE_CLIENT_KEYS = statement<{ hash: string }, [organizationId: string, id: string]>(
  'connect_client_delete_keys',
  `DELETE FROM api_keys WHERE organization_id = $1 AND connect_client_id = $2 RETURNING encode(hash, 'hex') AS hash`,
);

export const DELETE_CLIENT = deletionById('connect_client_delete', ConnectClientEntity);

/** The rows of Connect clients. */
@Injectable()
export class ConnectClientsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
  ) {}

  /** Inserts a client and its audit event in one statement. @returns it as it is stored */
  async insert(client: NewConnectClient, actor: Actor, event: AuditedEvent): Promise<ConnectClientEntity> {
    const values = INSERT_CLIENT.values(client, auditEventOf(client.organizationId, actor, event));
    return { ...client, ...(await this.statements.first(INSERT_CLIENT, values))! };
  }

  async find(organizationId: string, id: string): Promise<ConnectClientEntity | undefined> {
    return this.statements.first(CLIENT_BY_ID, [organizationId, id]);
  }

  /** Locks a client: no other transaction changes it, or creates a key or code for it, until this one ends. */
  async lockForUpdate(tx: Transaction, organizationId: string, id: string): Promise<ConnectClientEntity | undefined> {
    return tx.first(LOCK_CLIENT_FOR_UPDATE, [organizationId, id]);
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<ConnectClientEntity>> {
    const page = await this.statements.page(CLIENTS_PAGE, [organizationId], request);
    return this.largeRows.complete(organizationId, page, CLIENTS_BY_IDS);
  }

  /**
   * The client that a callback URL belongs to (docs/interface/keys-and-oauth.md#callback-urls).
   *
   * @returns null where clients have registered URLs of the same origin, but not this one; undefined where none has
   */
  async registrationOf(organizationId: string, callbackUrl: string): Promise<CallbackRegistration | null | undefined> {
    const normalized = normalizedCallbackUrl(callbackUrl);
    const origin = `${new URL(callbackUrl).origin}/`;
    const values = [organizationId, callbackUrl, normalized, origin, withoutLoopbackPort(normalized)] as const;
    const client = await this.statements.first(CLIENT_OF_CALLBACK, [...values]);
    if (client === undefined) return undefined;
    const url = client.is_registered ? callbackUrl : client.loopback_url;
    return url === null ? null : { clientId: client.id, url };
  }

  /** Whether a client has registered a callback URL, as several may have. */
  async hasCallback(organizationId: string, id: string, callbackUrl: string): Promise<boolean> {
    const normalized = normalizedCallbackUrl(callbackUrl);
    const values = [organizationId, id, callbackUrl, normalized, withoutLoopbackPort(normalized)] as const;
    return (await this.statements.first(CLIENT_HAS_CALLBACK, [...values]))?.is_registered === true;
  }

  /** @param graceSeconds how long the old secret is taken yet */
  async rotate(
    tx: Transaction,
    { organizationId, id }: ConnectClientEntity,
    secretHash: Buffer,
    graceSeconds: number,
  ): Promise<void> {
    await tx.write(ROTATE_CLIENT_SECRET, [organizationId, id, secretHash, graceSeconds]);
  }

  /** @returns how many there were */
  async deleteCodes(tx: Transaction, organizationId: string, id: string): Promise<number> {
    return tx.write(DELETE_CLIENT_CODES, [organizationId, id]);
  }

  /** Deletes the keys that a client created. @returns their hashes */
  async deleteKeys(tx: Transaction, organizationId: string, id: string): Promise<string[]> {
    const keys = await tx.rows(DELETE_CLIENT_KEYS, [organizationId, id]);
    return keys.map(({ hash }) => hash);
  }

  async delete(tx: Transaction, organizationId: string, id: string): Promise<void> {
    await tx.write(DELETE_CLIENT, [organizationId, id]);
  }
}
