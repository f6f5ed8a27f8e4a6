import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { entityTagOf, withEntityTag } from '../../../http/entity-tags.js';
import { Precondition } from '../../../http/precondition.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Quotas } from '../../organization-limits/quotas.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { type AuditedEvent, created, deleted } from '../../audit/audited-event.js';
import { normalizedCallbackUrl } from '../codes/callback-url.js';
import type { ConnectClientEntity } from '../entities/connect-client.entity.js';
import {
  CONNECT_CLIENTS_QUOTA,
  ConnectClientsRepository,
  type NewConnectClient,
} from './connect-clients.repository.js';
import type {
  ConnectClient,
  ConnectClientPath,
  ConnectClientResponse,
  CreateConnectClientRequest,
  DeleteConnectClientResponse,
  IssuedConnectClientResponse,
  ListConnectClientsResponse,
} from './connect-client.dto.js';
import type { IssuedCredential } from '../../keys/keys.service.js';
import { issueSecret } from '../../keys/credentials/key-format.js';
import type { RotateRequest } from '../../keys/dto/key.dto.js';
import { ConnectClientNotFound } from '../oauth.errors.js';

/** Connect clients: applications that users connect through OAuth, each with its own secret. */
@Injectable()
export class ConnectClientsService {
  constructor(
    private readonly repository: ConnectClientsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  async create(caller: ManagementPrincipal, input: CreateConnectClientRequest): Promise<IssuedConnectClientResponse> {
    await this.quotas.requireBelowQuota(caller.organizationId, CONNECT_CLIENTS_QUOTA);
    const { client, plaintext } = newClient(caller.organizationId, input.name, input.callback_urls);
    const created = await this.repository.insert(client, caller, creationOf(client));
    return withEntityTag({ data: toConnectClientResponse(created), client_secret: plaintext }, tagOf(created));
  }

  /** Lists the clients of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListConnectClientsResponse> {
    return toPageResponse(
      await this.repository.page(caller.organizationId, toPageRequest(input)),
      toConnectClientResponse,
    );
  }

  /** @throws ConnectClientNotFound */
  async get(caller: ManagementPrincipal, input: ConnectClientPath): Promise<ConnectClientResponse> {
    const client = await this.repository.find(caller.organizationId, idOf(input));
    if (client === undefined) throw new ConnectClientNotFound();
    return withEntityTag({ data: toConnectClientResponse(client) }, tagOf(client));
  }

  /**
   * Gives a client a new secret. The old one is accepted until the grace period ends; an even older one is not.
   *
   * @throws ConnectClientNotFound
   */
  async rotateSecret(
    caller: ManagementPrincipal,
    input: ConnectClientPath & RotateRequest,
  ): Promise<IssuedConnectClientResponse> {
    const { organizationId } = caller;
    const id = idOf(input);
    const graceSeconds = input.grace_seconds ?? 0;
    const { plaintext, hash } = issueSecret('client_secret', organizationId);
    const client = await this.statements.transaction(async (tx) => {
      const locked = await this.repository.lockForUpdate(tx, organizationId, id);
      if (locked === undefined) throw new ConnectClientNotFound();
      await this.repository.rotate(tx, locked, hash, graceSeconds);
      const changes = { grace_seconds: { after: graceSeconds } };
      const event = { action: 'connect_client.rotate_secret', targetId: id, changes };
      await this.audit.record(tx, organizationId, caller, event);
      return locked;
    });
    return withEntityTag({ data: toConnectClientResponse(client), client_secret: plaintext }, tagOf(client));
  }

  /**
   * Deletes a client, the keys that it created, and its codes.
   *
   * @throws ConnectClientNotFound
   */
  async delete(
    caller: ManagementPrincipal,
    input: ConnectClientPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteConnectClientResponse> {
    const { organizationId } = caller;
    const id = idOf(input);
    await this.statements.bulk.transaction(async (tx) => {
      // Lock codes before the client, in the order of an exchange.
      const codes = await this.repository.deleteCodes(tx, organizationId, id);
      const client = await this.repository.lockForUpdate(tx, organizationId, id);
      if (client === undefined) throw new ConnectClientNotFound();
      precondition.require(tagOf(client));
      const keys = await this.repository.deleteKeys(tx, organizationId, id);
      await this.repository.delete(tx, organizationId, id);
      const gone = { ...auditedFieldsOf(client), deleted_keys: keys, deleted_codes: codes };
      const changes = deleted(gone);
      await this.audit.record(tx, organizationId, caller, { action: 'connect_client.delete', targetId: id, changes });
    });
    return { deleted: true };
  }

  /** Makes a client with a secret, for a deployment that is set up from the command line. */
  async issue(actor: Actor, organizationId: string, name: string, callbackUrls: string[]): Promise<IssuedCredential> {
    const { client, plaintext } = newClient(organizationId, name, callbackUrls);
    await this.repository.insert(client, actor, creationOf(client));
    return { id: client.id, plaintext, hash: client.secretHash.toString('hex') };
  }
}

/** @throws ConnectClientNotFound for a text that cannot be an id */
function idOf({ id }: ConnectClientPath): string {
  if (!isUuid(id)) throw new ConnectClientNotFound();
  return id.toLowerCase();
}

function newClient(
  organizationId: string,
  name: string,
  callbackUrls: string[],
): { client: NewConnectClient; plaintext: string } {
  const { plaintext, hash } = issueSecret('client_secret', organizationId);
  const client = {
    id: newUuid(),
    organizationId,
    name,
    callbackUrls,
    normalizedCallbackUrls: callbackUrls.map(normalizedCallbackUrl),
    secretHash: hash,
    previousSecretHash: null,
    previousSecretExpiresAt: null,
  };
  return { client, plaintext };
}

function creationOf(client: NewConnectClient): AuditedEvent {
  return { action: 'connect_client.create', targetId: client.id, changes: created(auditedFieldsOf(client)) };
}

/** The entity tag of a client (docs/interface/conventions.md#conditional-requests). */
function tagOf(client: ConnectClientEntity): string {
  return entityTagOf(client.id, auditedFieldsOf(client));
}

function auditedFieldsOf({ name, callbackUrls }: NewConnectClient): Record<string, unknown> {
  return { name, callback_urls: callbackUrls };
}

/** Maps a Connect client to the response. */
function toConnectClientResponse(client: ConnectClientEntity): ConnectClient {
  return {
    id: client.id,
    name: client.name,
    callback_urls: client.callbackUrls,
    created_at: client.createdAt.toISOString(),
  };
}
