import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiKeyPrincipal, ClientPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { type Statement, type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError, UnauthorizedError } from '../../http/errors/domain-error.js';
import { windowOf } from '../../http/pagination/page.js';
import { Quotas } from '../../limits/quotas.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { updated } from '../audit/audited-event.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { type DescribedKey, NO_SPEND } from './described-key.js';
import type { CreateKeyRequest } from './dto/create-key-request.dto.js';
import type { DeleteKeysResponse } from './dto/delete-key-response.dto.js';
import type { CurrentKeyResponse, IssuedKeyResponse, KeyResponse, ListKeysResponse } from './dto/key.dto.js';
import type { KeyPath } from './dto/key-path.dto.js';
import { DEFAULT_KEYS_LIMIT, type ListKeysQuery } from './dto/list-keys-query.dto.js';
import type { RotateRequest } from './dto/rotate-request.dto.js';
import type { UpdateKeyRequest } from './dto/update-key-request.dto.js';
import { ExpiryRepository } from './expiry.repository.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { KeyFollowers } from './key-followers.js';
import { auditedFieldsOf, targetOf } from './key-events.js';
import { hashSecret, issueCredential } from './key-format.js';
import {
  KeyAlreadyRotated,
  KeyNotFound,
  ManagementKeyEnabledByOwnerOnly,
  ManagementKeyRotatesItselfOnly,
  UNKNOWN_CREATOR,
} from './keys.errors.js';
import { toCurrentKeyResponse, toKeyResponse } from './keys.mapper.js';
import { type KeyCharge, KeySpendRepository } from './key-spend.repository.js';
import { KEYS_QUOTA, KeysRepository, type KnownKey } from './keys.repository.js';
import { type NewKey, newKeyRow } from './new-key.js';

export { CurrentKeyResponse } from './dto/key.dto.js';
export type { KnownKey } from './keys.repository.js';

const HASH = /^[0-9a-f]{64}$/;

/** A key or client that was just made, with its secret, which is known this once. */
export interface Issued {
  readonly id: string;
  readonly plaintext: string;
  /** SHA-256 in lowercase hex. */
  readonly hash: string;
}

/** Management keys and API keys. */
@Injectable()
export class KeysService {
  constructor(
    private readonly repository: KeysRepository,
    private readonly statements: Statements,
    private readonly rateLimit: KeyDeletionRateLimit,
    private readonly expiries: ExpiryRepository,
    private readonly organizations: OrganizationsService,
    private readonly workspaces: WorkspacesService,
    private readonly audit: AuditTrail,
    private readonly followers: KeyFollowers,
    private readonly quotas: Quotas,
    private readonly spend: KeySpendRepository,
  ) {}

  /**
   * Makes an API key. A secret that the caller brings is accepted beside it, and kept as its SHA-256 only.
   *
   * @throws BadRequestError for a creator or workspace that is not the organization's, and without a default workspace
   * @throws ConflictError for a secret of the caller that is in use; an index decides between requests at the same time
   */
  async create(caller: ManagementPrincipal, input: CreateKeyRequest): Promise<IssuedKeyResponse> {
    const { organizationId } = caller;
    const userId = input.creator_user_id ?? caller.userId;
    const [workspaceId, isMember, expiryFaults] = await Promise.all([
      this.workspaces.idFor(organizationId, input.workspace_id),
      userId === caller.userId || this.organizations.isMember(organizationId, userId),
      this.expiries.faultsOf(input.expires_at),
    ]);
    const memberFaults = isMember ? [] : [UNKNOWN_CREATOR];
    const faults = [...memberFaults, ...(typeof workspaceId === 'string' ? [] : [workspaceId]), ...expiryFaults];
    if (typeof workspaceId !== 'string' || faults.length > 0) throw BadRequestError.of(faults);
    await this.quotas.requireRoom(organizationId, KEYS_QUOTA);
    const { row, plaintext } = newKeyRow({
      kind: 'api_key',
      organizationId,
      userId,
      name: input.name,
      workspaceId,
      limitUsd: input.limit ?? null,
      limitReset: input.limit_reset ?? null,
      includeByokInLimit: input.include_byok_in_limit ?? false,
      expiresAt: input.expires_at == null ? null : new Date(input.expires_at),
      externalUser: input.external?.user ?? null,
      externalApiKeyHash: input.external?.api_key === undefined ? null : hashSecret(input.external.api_key),
    });
    const createdAt = await this.repository.insert(row, caller);
    const key = { ...row, createdAt, ...NO_SPEND, shownWorkspaceId: workspaceId, limitRemaining: row.limitUsd };
    return { data: toKeyResponse(key), key: plaintext };
  }

  /** Lists API keys, oldest first. Management keys are not among them; a workspace that is not the caller's has none. */
  async list(caller: ManagementPrincipal, input: ListKeysQuery): Promise<ListKeysResponse> {
    const { organizationId } = caller;
    const id = input.workspace_id?.toLowerCase();
    const workspace = id !== undefined && {
      workspace: { id, isDefault: id === (await this.workspaces.defaultWorkspaceId(organizationId)) },
    };
    const filter = { includeDisabled: input.include_disabled === 'true', ...workspace };
    const window = windowOf({ limit: DEFAULT_KEYS_LIMIT, ...input });
    return { data: (await this.repository.page(organizationId, filter, window)).map(toKeyResponse) };
  }

  /** @throws KeyNotFound */
  async get(caller: ManagementPrincipal, input: KeyPath): Promise<KeyResponse> {
    const hash = hashOf(input);
    const key = hash && (await this.repository.find(caller.organizationId, hash));
    if (key === undefined) throw new KeyNotFound();
    return { data: toKeyResponse(key) };
  }

  /**
   * Describes the key that the caller has presented.
   *
   * @param statement made by {@link currentKeyStatement}
   * @throws UnauthorizedError when it was deleted since
   */
  async getCurrent(caller: ManagementPrincipal | ApiKeyPrincipal, statement: Statement): Promise<CurrentKeyResponse> {
    const key = await this.repository.findCurrent(statement, caller.organizationId, caller.credentialId);
    if (key === undefined) throw new UnauthorizedError('invalid_credential');
    return { data: toCurrentKeyResponse(key) };
  }

  /**
   * Changes a key. What the request leaves out stays, and where nothing is left to change, nothing is written.
   *
   * @throws KeyNotFound
   * @throws ManagementKeyEnabledByOwnerOnly
   */
  async update(caller: ManagementPrincipal, input: KeyPath & UpdateKeyRequest): Promise<KeyResponse> {
    const key = await this.change(caller, input, async (on, before) => {
      if (input.disabled === false) requireMayEnable(caller, before);
      const wanted = {
        ...before,
        name: input.name ?? before.name,
        disabled: input.disabled ?? before.disabled,
        limitUsd: input.limit === undefined ? before.limitUsd : input.limit,
        limitReset: input.limit_reset === undefined ? before.limitReset : input.limit_reset,
        includeByokInLimit: input.include_byok_in_limit ?? before.includeByokInLimit,
      };
      const changes = updated(auditedFieldsOf(before), auditedFieldsOf(wanted));
      if (Object.keys(changes).length === 0) return before;
      const event = { action: 'key.update', target: targetOf(before.hash), changes };
      await this.audit.record(on, caller.organizationId, caller, event);
      return this.repository.update(on, wanted);
    });
    return { data: toKeyResponse(key) };
  }

  /**
   * Gives a key another secret; all else stays. The old secret is taken until the grace ends, one from before that not any
   * more: a key has two secrets at most.
   *
   * @throws KeyNotFound
   * @throws ManagementKeyRotatesItselfOnly
   * @throws KeyAlreadyRotated
   */
  async rotate(caller: ManagementPrincipal, input: KeyPath & RotateRequest): Promise<IssuedKeyResponse> {
    const graceSeconds = input.grace_seconds ?? 0;
    let plaintext = '';
    const key = await this.change(caller, input, async (on, before) => {
      requireMayRotate(caller, before);
      // A retry must not end the grace that the first attempt has promised.
      if (before.hash.toString('hex') !== input.hash) throw new KeyAlreadyRotated();
      const secret = issueCredential(before.kind);
      plaintext = secret.plaintext;
      const changes = {
        ...updated(shownSecretOf(before), shownSecretOf(secret)),
        grace_seconds: { after: graceSeconds },
      };
      const event = { action: 'key.rotate', target: targetOf(before.hash), changes };
      await this.audit.record(on, caller.organizationId, caller, event);
      const [hashBefore, after] = [before.hash.toString('hex'), secret.hash.toString('hex')];
      await this.followers.follow(on, { organizationId: before.organizationId, before: hashBefore, after });
      return this.repository.rotate(on, before, secret, graceSeconds);
    });
    return { data: toKeyResponse(key), key: plaintext };
  }

  /**
   * Deletes a key; from then on no replica accepts it (SERVICE.md, section 4.3a). A client reaches only the keys that it
   * created, and cannot tell others from none.
   *
   * @throws TooManyKeyDeletions
   * @throws KeyNotFound
   */
  async delete(caller: ManagementPrincipal | ClientPrincipal, input: KeyPath): Promise<DeleteKeysResponse> {
    await this.rateLimit.count(caller.credentialId);
    const connectClientId = caller.kind === 'client_secret' ? caller.connectClientId : undefined;
    const hash = hashOf(input);
    const deleted = hash && (await this.repository.deleteKey(caller, caller.organizationId, hash, connectClientId));
    if (deleted !== true) throw new KeyNotFound();
    return { deleted: true };
  }

  /**
   * The API keys of some hashes; management keys are none. During the grace of a rotation a key is found by its old hash
   * as well.
   *
   * @param on a transaction, where the answer belongs to one
   * @returns by the hash that was asked for, without those of which there is no key
   */
  async byHashes(
    on: StatementRunner,
    organizationId: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, KnownKey>> {
    return this.repository.byHashes(
      on,
      organizationId,
      hashes.filter((hash) => HASH.test(hash)),
    );
  }

  /** Makes a key of either kind, and records it. */
  async issue(actor: Actor, key: NewKey): Promise<Issued> {
    const made = newKeyRow(key);
    await this.repository.insert(made.row, actor);
    return issued(made);
  }

  /** The same, in the transaction that makes its organization. */
  async issueWithin(manager: EntityManager, actor: Actor, key: NewKey): Promise<Issued> {
    const made = newKeyRow(key);
    await this.repository.insertWithin(manager, made.row, actor);
    return issued(made);
  }

  /**
   * Adds a charge to what its key has spent.
   *
   * @param on the transaction that settles the charge
   */
  charge(on: StatementRunner, charge: KeyCharge): Promise<void> {
    return this.spend.add(on, charge);
  }

  /** Changes a key in a transaction of its own, ahead of which it is locked. @returns the key as it is then */
  private async change(
    { organizationId }: ManagementPrincipal,
    path: KeyPath,
    work: (on: StatementRunner, before: DescribedKey) => Promise<DescribedKey>,
  ): Promise<DescribedKey> {
    const hash = hashOf(path);
    if (hash === undefined) throw new KeyNotFound();
    return this.statements.transaction(async (on) => {
      const before = await this.repository.lock(on, organizationId, hash);
      if (before === undefined) throw new KeyNotFound();
      return work(on, before);
    });
  }
}

/**
 * A new secret of a management key goes to the holder of the old one alone: whoever has it acts in the name of its user.
 *
 * @throws ManagementKeyRotatesItselfOnly
 */
function requireMayRotate(caller: ManagementPrincipal, key: DescribedKey): void {
  if (key.kind === 'management_key' && key.id !== caller.credentialId) throw new ManagementKeyRotatesItselfOnly();
}

/**
 * A management key that was disabled because its secret has leaked must not be brought back by the person who has that secret.
 *
 * @throws ManagementKeyEnabledByOwnerOnly
 */
function requireMayEnable(caller: ManagementPrincipal, key: DescribedKey): void {
  if (!key.disabled || key.kind !== 'management_key' || key.userId === caller.userId) return;
  throw new ManagementKeyEnabledByOwnerOnly();
}

/** The hash that a path names; undefined for what no key can have. */
function hashOf({ hash }: KeyPath): Buffer | undefined {
  return HASH.test(hash) ? Buffer.from(hash, 'hex') : undefined;
}

/** What the trail may know of a secret. */
function shownSecretOf({ hash, label }: { hash: Buffer; label: string }): Record<string, string> {
  return { hash: hash.toString('hex'), label };
}

function issued({ row, plaintext }: ReturnType<typeof newKeyRow>): Issued {
  return { id: row.id, plaintext, hash: row.hash.toString('hex') };
}
