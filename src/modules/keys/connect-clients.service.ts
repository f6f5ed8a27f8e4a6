import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../database/identifiers.js';
import { Statements } from '../../database/statements.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import { Quotas } from '../../limits/quotas.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { type AuditedEvent, type AuditTarget, created } from '../audit/audited-event.js';
import { normalizedCallbackUrl } from './callback-url.js';
import { toConnectClientResponse } from './connect-clients.mapper.js';
import {
  CONNECT_CLIENTS_QUOTA,
  ConnectClientsRepository,
  type NewConnectClient,
} from './connect-clients.repository.js';
import type {
  ConnectClientResponse,
  IssuedConnectClientResponse,
  ListConnectClientsResponse,
} from './dto/connect-client.dto.js';
import type { ConnectClientPath } from './dto/connect-client-path.dto.js';
import type { CreateConnectClientRequest } from './dto/create-connect-client-request.dto.js';
import type { DeleteConnectClientResponse } from './dto/delete-connect-client-response.dto.js';
import type { RotateRequest } from './dto/rotate-request.dto.js';
import { issueCredential } from './key-format.js';
import { ConnectClientNotFound } from './keys.errors.js';
import type { Issued } from './keys.service.js';

/** Connect clients: applications that users connect through OAuth, each with a secret of its own. */
@Injectable()
export class ConnectClientsService {
  constructor(
    private readonly repository: ConnectClientsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /** Makes a client with a secret. */
  async create(caller: ManagementPrincipal, input: CreateConnectClientRequest): Promise<IssuedConnectClientResponse> {
    await this.quotas.requireRoom(caller.organizationId, CONNECT_CLIENTS_QUOTA);
    const { client, plaintext } = newClient(caller.organizationId, input.name, input.callback_urls);
    const createdAt = await this.repository.insert(client, caller, creationOf(client));
    return { data: toConnectClientResponse({ ...client, createdAt }), client_secret: plaintext };
  }

  /** Lists the clients of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListConnectClientsResponse> {
    return toPageResponse(await this.repository.page(caller.organizationId, windowOf(input)), toConnectClientResponse);
  }

  /** @throws ConnectClientNotFound */
  async get(caller: ManagementPrincipal, input: ConnectClientPath): Promise<ConnectClientResponse> {
    const client = await this.repository.find(caller.organizationId, idOf(input));
    if (client === undefined) throw new ConnectClientNotFound();
    return { data: toConnectClientResponse(client) };
  }

  /**
   * Gives a client another secret. The old one is taken until the grace ends, one from before that not any more.
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
    const { plaintext, hash } = issueCredential('client_secret');
    const client = await this.statements.transaction(async (on) => {
      const locked = await this.repository.lock(on, organizationId, id);
      if (locked === undefined) throw new ConnectClientNotFound();
      await this.repository.rotate(on, locked, hash, graceSeconds);
      await this.audit.record(on, organizationId, caller, {
        action: 'connect_client.rotate_secret',
        target: targetOf(id),
        changes: { grace_seconds: { after: graceSeconds } },
      });
      return locked;
    });
    return { data: toConnectClientResponse(client), client_secret: plaintext };
  }

  /**
   * Deletes a client, the keys that it created, and its codes.
   *
   * @throws ConnectClientNotFound
   */
  async delete(caller: ManagementPrincipal, input: ConnectClientPath): Promise<DeleteConnectClientResponse> {
    const { organizationId } = caller;
    const id = idOf(input);
    await this.statements.transactionOfAnySize(async (on) => {
      // Codes ahead of the client, which is the order in which an exchange takes them.
      const codes = await this.repository.deleteCodes(on, organizationId, id);
      const client = await this.repository.lock(on, organizationId, id);
      if (client === undefined) throw new ConnectClientNotFound();
      const keys = await this.repository.deleteKeys(on, organizationId, id);
      await this.repository.delete(on, organizationId, id);
      const gone = { ...auditedFieldsOf(client), deleted_keys: keys, deleted_codes: codes };
      await this.audit.record(on, organizationId, caller, {
        action: 'connect_client.delete',
        target: targetOf(id),
        changes: Object.fromEntries(Object.entries(gone).map(([field, before]) => [field, { before }])),
      });
    });
    return { deleted: true };
  }

  /** Makes a client with a secret, for a deployment that is set up from the command line. */
  async issue(actor: Actor, organizationId: string, name: string, callbackUrls: string[]): Promise<Issued> {
    const { client, plaintext } = newClient(organizationId, name, callbackUrls);
    await this.repository.insert(client, actor, creationOf(client));
    return { id: client.id, plaintext, hash: client.secretHash.toString('hex') };
  }
}

/** @throws ConnectClientNotFound for what can be the id of no client */
function idOf({ id }: ConnectClientPath): string {
  if (!isUuid(id)) throw new ConnectClientNotFound();
  return id.toLowerCase();
}

function newClient(
  organizationId: string,
  name: string,
  callbackUrls: string[],
): { client: NewConnectClient; plaintext: string } {
  const { plaintext, hash } = issueCredential('client_secret');
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
  return {
    action: 'connect_client.create',
    target: targetOf(client.id),
    changes: created(auditedFieldsOf(client)),
  };
}

function targetOf(id: string): AuditTarget {
  return { type: 'connect_client', id };
}

function auditedFieldsOf({ name, callbackUrls }: NewConnectClient): Record<string, unknown> {
  return { name, callback_urls: callbackUrls };
}
