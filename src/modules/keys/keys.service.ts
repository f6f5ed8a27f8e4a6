import { Injectable } from '@nestjs/common';
import {
  type ApiKeyPrincipal,
  type ClientPrincipal,
  isManagement,
  type ManagementPrincipal,
} from '../../auth/principal.js';
import { type StatementRunner, Statements, type Transaction } from '../../persistence/statements.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { InvalidCredential, MemberDeactivated } from '../../http/errors/request.errors.js';
import { requireAll } from '../../http/errors/require-all.js';
import { valueOr } from '../../http/request-values.js';
import { toPageRequest } from '../../http/pagination/pagination.js';
import { Quotas } from '../organization-limits/quotas.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { updated } from '../audit/audited-event.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { UNKNOWN_USER } from '../organizations/organizations.errors.js';
import { changedRateLimits, NO_RATE_LIMITS } from '../rates/rate-limits.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';
import { type KeyWithSpend, NO_SPEND, type CurrentKeyStatement } from './key-with-spend.js';
import {
  type CreateKeyRequest,
  type CurrentKeyResponse,
  DEFAULT_KEYS_LIMIT,
  type DeleteKeysResponse,
  type IssuedKeyResponse,
  type Key,
  type KeyPath,
  type KeyResponse,
  type ListKeysQuery,
  type ListKeysResponse,
  type RotateRequest,
  type UpdateKeyRequest,
} from './dto/key.dto.js';
import { ExpiryRepository } from './credentials/expiry.repository.js';
import { hasAllRights, SCOPES } from '../../auth/permissions.js';
import type { Labels } from '../labels/labels.js';
import { changedRanges, storedRanges } from './allowed-ranges.js';
import { keyVersionOf } from './credentials/key-version.js';
import type { ApiKeyEntity } from './entities/api-key.entity.js';
import { requireMayEnable, requireNotLifted, requireNotLiftedByItself, requireReach } from './key-reach.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { KeyRotationListeners } from './key-rotation-listeners.js';
import { auditedFieldsOf, keyHashOf, shownSecretOf, tagOfKey } from './key-events.js';
import { hashSecret, issueSecret, readHash, readSecretInOrganization } from './credentials/key-format.js';
import {
  INVALID_KEY_SECRET,
  KEY_SECRET_USED,
  KeyAlreadyRotated,
  KeyNotFound,
  ManagementKeyRotatesItselfOnly,
} from './keys.errors.js';
import { KeyLastUseRepository } from '../usage/last-use/key-last-use.repository.js';
import { toCurrentKeyResponse, toKeyResponse } from './keys.mapper.js';
import { type KeyCharge, KeySpendRepository } from './key-spend.repository.js';
import { KEYS_QUOTA, KeysRepository, type KnownKey } from './keys.repository.js';
import { type NewKey, newKeyRow } from './new-key.js';

export { CurrentKeyResponse } from './dto/key.dto.js';
export type { KnownKey } from './keys.repository.js';

/** A new key or client with its secret, which is known only now. */
export interface IssuedCredential {
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
    private readonly workspaces: WorkspaceLookupService,
    private readonly audit: AuditTrail,
    private readonly listeners: KeyRotationListeners,
    private readonly quotas: Quotas,
    private readonly spend: KeySpendRepository,
    private readonly lastUse: KeyLastUseRepository,
  ) {}

  /**
   * Creates an API key. An external secret is accepted in addition; only its SHA-256 is stored.
   *
   * @param secret of the key, where it was made elsewhere; by default a new one
   * @throws BadRequestError for a creator who is no active member, an unknown workspace, and a deleted default workspace
   * @throws ExternalApiKeyTaken for an external secret that is already in use; an index decides between concurrent requests
   */
  async create(caller: ManagementPrincipal, input: CreateKeyRequest, secret?: string): Promise<IssuedKeyResponse> {
    const { organizationId } = caller;
    const userId = input.creator_user_id ?? caller.userId;
    if (caller.onlyOwn && userId !== caller.userId) throw BadRequestError.of([UNKNOWN_USER.at('creator_user_id')]);
    const [, workspaceId] = await requireAll([
      userId !== caller.userId && this.organizations.requireMember(organizationId, userId, 'creator_user_id'),
      this.workspaces.idForCaller(caller, input.workspace_id),
      this.expiries.requireFuture(input.expires_at),
      secret !== undefined && this.requireUnused(organizationId, secret),
    ]);
    await this.quotas.requireBelowQuota(organizationId, KEYS_QUOTA);
    const key: NewKey = {
      kind: 'api_key',
      organizationId,
      userId,
      name: input.name,
      workspaceId,
      limitUsd: input.limit ?? null,
      limitReset: input.limit_reset ?? null,
      includeByokInLimit: input.include_byok_in_limit ?? false,
      ...changedRateLimits(NO_RATE_LIMITS, input.rate_limits),
      allowedAddresses: input.allowed_addresses == null ? null : storedRanges(input.allowed_addresses),
      labels: storedLabels(input.labels ?? null),
      boundUser: input.bound_user ?? null,
      expiresAt: input.expires_at == null ? null : new Date(input.expires_at),
      externalUser: input.external?.user ?? null,
      externalApiKeyHash: input.external?.api_key === undefined ? null : hashSecret(input.external.api_key),
    };
    const { row, plaintext } = newKeyRow(key, secret);
    const createdAt = await this.repository.insert(row, caller);
    if (createdAt === undefined) throw noActiveOwner(caller, userId);
    const made = { ...row, createdAt, ...NO_SPEND, shownWorkspaceId: workspaceId, limitRemaining: row.limitUsd };
    return withEntityTag({ data: toKeyResponse(made, null), key: plaintext }, tagOfKey(made));
  }

  /**
   * Lists API keys, oldest first unless another order is asked for. Management keys are not listed. An unknown workspace, or one of another
   * organization, has none.
   */
  async list(caller: ManagementPrincipal, input: ListKeysQuery): Promise<ListKeysResponse> {
    const { organizationId } = caller;
    const id = input.workspace_id?.toLowerCase();
    const workspace = id !== undefined && {
      workspace: { id, isDefault: id === (await this.workspaces.defaultWorkspaceId(organizationId)) },
    };
    const filter = {
      includeDisabled: input.include_disabled === 'true',
      userId: caller.onlyOwn ? ownAmong(caller, input.user_id) : input.user_id,
      status: input.status,
      limitUsed: input.limit_used,
      ...workspace,
    };
    const { newest_first: isNewestFirst = false, ...view } = input;
    const window = toPageRequest({ limit: DEFAULT_KEYS_LIMIT, ...(isNewestFirst && { sort: '-created_at' }), ...view });
    return { data: await this.shown(organizationId, await this.repository.page(organizationId, filter, window)) };
  }

  /** @throws KeyNotFound, PermissionMissing for a management key */
  async get(caller: ManagementPrincipal, input: KeyPath): Promise<KeyResponse> {
    const hash = hashOf(input);
    const key = hash && (await this.repository.find(caller.organizationId, hash));
    if (key === undefined) throw new KeyNotFound();
    requireReach(caller, key, 'read');
    return this.shownAlone(key);
  }

  /**
   * Describes the key that the caller authenticated with.
   *
   * @param describe made by {@link currentKeyStatement}
   * @throws InvalidCredential when it has been deleted since
   */
  async getCurrent(
    caller: ManagementPrincipal | ApiKeyPrincipal,
    describe: CurrentKeyStatement,
  ): Promise<CurrentKeyResponse> {
    const key = await this.repository.findCurrent(caller.organizationId, caller.credentialId, describe);
    if (key === undefined) throw new InvalidCredential();
    const permissions = isManagement(caller) ? SCOPES.filter((one) => caller.permissions.has(one)) : null;
    return { data: toCurrentKeyResponse(key, permissions) };
  }

  /**
   * Changes a key. Absent fields stay; without a change nothing is written.
   *
   * @throws KeyNotFound
   * @throws PermissionMissing for a management key
   * @throws ManagementKeyEnabledByOwnerOnly
   * @throws AdministratorRequired for a member who lifts a restriction
   */
  async update(
    caller: ManagementPrincipal,
    input: KeyPath & UpdateKeyRequest,
    precondition = Precondition.NONE,
  ): Promise<KeyResponse> {
    const key = await this.change(caller, input, async (tx, before) => {
      precondition.require(tagOfKey(before));
      if (input.disabled === false) requireMayEnable(caller, before);
      const boundUser = valueOr(input.bound_user, before.boundUser);
      const wanted = {
        ...before,
        name: valueOr(input.name, before.name),
        disabled: valueOr(input.disabled, before.disabled),
        limitUsd: valueOr(input.limit, before.limitUsd),
        limitReset: valueOr(input.limit_reset, before.limitReset),
        includeByokInLimit: valueOr(input.include_byok_in_limit, before.includeByokInLimit),
        ...changedRateLimits(before, input.rate_limits),
        allowedAddresses: changedRanges(before, input.allowed_addresses),
        labels: storedLabels(valueOr(input.labels, before.labels)),
        boundUser,
        version: keyVersionOf({ boundUser }, before.version),
      };
      requireNotLifted(caller, before, wanted);
      requireNotLiftedByItself(caller, before, wanted);
      const changes = updated(auditedFieldsOf(before), auditedFieldsOf(wanted));
      if (Object.keys(changes).length === 0) return before;
      const event = { action: 'key.update', targetId: keyHashOf(before), changes };
      await this.audit.record(tx, caller.organizationId, caller, event);
      return this.repository.update(tx, wanted);
    });
    return this.shownAlone(key);
  }

  /**
   * Gives a key a new secret. The old secret is accepted until the grace period ends; an even older one is not,
   * because a key has at most two secrets.
   *
   * @throws KeyNotFound
   * @throws ManagementKeyRotatesItselfOnly
   * @throws KeyAlreadyRotated
   */
  async rotate(caller: ManagementPrincipal, input: KeyPath & RotateRequest): Promise<IssuedKeyResponse> {
    let plaintext = '';
    let lastUsedAt: Date | null = null;
    const key = await this.change(caller, input, async (tx, before) => {
      requireMayRotate(caller, before);
      // Before the secret is in force: what fails behind that must not keep it from its owner.
      lastUsedAt = (await this.lastUse.of(before.organizationId, [before.id], tx)).get(before.id) ?? null;
      const rotated = await this.giveNewSecret(tx, caller, before, input);
      plaintext = rotated.plaintext;
      return rotated.key;
    });
    return withEntityTag({ data: toKeyResponse(key, lastUsedAt), key: plaintext }, tagOfKey(key));
  }

  /**
   * Gives a key that the transaction holds a new secret, and records it. What restricts the key stays as it is.
   *
   * @throws KeyAlreadyRotated for a hash that was replaced: a retry must not end the grace period that the first attempt promised
   */
  async giveNewSecret(
    tx: Transaction,
    caller: ManagementPrincipal,
    before: ApiKeyEntity,
    { hash, grace_seconds: graceSeconds = 0 }: KeyPath & RotateRequest,
  ): Promise<{ readonly key: KeyWithSpend; readonly plaintext: string }> {
    if (keyHashOf(before) !== hash) throw new KeyAlreadyRotated();
    const { organizationId } = before;
    const { plaintext, ...secret } = issueSecret(before.kind, organizationId);
    const changes = {
      ...updated(shownSecretOf(before), shownSecretOf(secret)),
      grace_seconds: { after: graceSeconds },
    };
    await this.audit.record(tx, organizationId, caller, { action: 'key.rotate', targetId: hash, changes });
    await this.listeners.onKeyRotated(tx, { organizationId, before: hash, after: keyHashOf(secret) });
    return { key: await this.repository.rotate(tx, before, secret, graceSeconds), plaintext };
  }

  /** Disables a key and records it, unless it is disabled already. @param id of its row */
  disable(organizationId: string, id: string, actor: Actor): Promise<void> {
    return this.repository.disable(organizationId, id, actor);
  }

  /**
   * Deletes a key; from then on no replica accepts it (docs/interface/keys-and-oauth.md#deleting-a-key). To a Connect client,
   * keys that it did not create do not exist.
   *
   * @throws TooManyKeyDeletions
   * @throws KeyNotFound
   */
  async delete(
    caller: ManagementPrincipal | ClientPrincipal,
    input: KeyPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteKeysResponse> {
    // Files take away as many as they say: they are applied as a whole.
    if (!('files' in caller)) await this.rateLimit.count(caller.credentialId);
    const hash = hashOf(input);
    if (hash === undefined) throw new KeyNotFound();
    const deleted = precondition.isGiven
      ? await this.deleteKnown(caller, hash, precondition)
      : await this.deleteUnknown(caller, hash);
    if (!deleted) throw new KeyNotFound();
    return { deleted: true };
  }

  /**
   * Finds API keys (not management keys) by hash. During the grace period of a rotation the old hash also finds a key.
   *
   * @param runner the transaction, if there is one
   * @returns the keys by the requested hash; without unknown hashes
   */
  async byHashes(
    runner: StatementRunner,
    organizationId: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, KnownKey>> {
    return this.repository.byHashes(
      runner,
      organizationId,
      hashes.filter((hash) => readHash(hash) !== undefined),
    );
  }

  /**
   * Creates a key of either kind and its audit event.
   *
   * @param tx the transaction that creates its organization, if it does
   * @throws BadRequestError if its owner is no active member
   */
  async issue(actor: Actor, key: NewKey, tx?: Transaction): Promise<IssuedCredential> {
    const { row, plaintext } = newKeyRow(key);
    if ((await this.repository.insert(row, actor, tx)) === undefined) {
      throw BadRequestError.of([UNKNOWN_USER.at('user_id')]);
    }
    return { id: row.id, plaintext, hash: keyHashOf(row) };
  }

  /**
   * Adds a charge to the usage of its key.
   *
   * @param tx the transaction that settles the charge
   */
  charge(tx: Transaction, charge: KeyCharge): Promise<void> {
    return this.spend.increase(tx, charge);
  }

  /** @throws BadRequestError for a secret that is none of an API key of the organization, or that a key has or had */
  private async requireUnused(organizationId: string, secret: string): Promise<void> {
    const reference = readSecretInOrganization('api_key', secret);
    if (reference?.organizationId !== organizationId) throw BadRequestError.of([INVALID_KEY_SECRET.at('secret')]);
    if (await this.repository.isKnown(organizationId, reference.hash)) {
      throw BadRequestError.of([KEY_SECRET_USED.at('secret')]);
    }
  }

  /** Keys as answers show them, with when they were last used. */
  private async shown(organizationId: string, keys: readonly KeyWithSpend[]): Promise<Key[]> {
    const used = await this.lastUse.of(
      organizationId,
      keys.map(({ id }) => id),
    );
    return keys.map((key) => toKeyResponse(key, used.get(key.id) ?? null));
  }

  private async shownAlone(key: KeyWithSpend): Promise<KeyResponse> {
    const [shown] = await this.shown(key.organizationId, [key]);
    return withEntityTag({ data: shown! }, tagOfKey(key));
  }

  /** Deletes a key if it is as the caller knows it. @throws KeyNotFound, PermissionMissing, PreconditionFailed */
  private async deleteKnown(
    caller: ManagementPrincipal | ClientPrincipal,
    hash: Buffer,
    precondition: Precondition,
  ): Promise<boolean> {
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      const key = await this.repository.lockForUpdate(tx, organizationId, hash);
      if (key === undefined) return false;
      // What a caller does not reach is missing, and says nothing of its state.
      if (isManagement(caller)) requireReach(caller, key, 'delete');
      else if (key.connectClientId !== caller.connectClientId) return false;
      precondition.require(tagOfKey(key));
      return this.repository.delete(organizationId, hash, caller, {}, tx);
    });
  }

  /** Deletes a key whatever it is. @returns whether there is one @throws PermissionMissing for a management key */
  private async deleteUnknown(caller: ManagementPrincipal | ClientPrincipal, hash: Buffer): Promise<boolean> {
    if (isManagement(caller)) return this.deleteReached(caller, hash);
    const { organizationId, connectClientId } = caller;
    return this.repository.delete(organizationId, hash, caller, { connectClientId });
  }

  /** Deletes a key that the caller reaches. @returns whether there is one @throws PermissionMissing for a management key */
  private async deleteReached(caller: ManagementPrincipal, hash: Buffer): Promise<boolean> {
    const { organizationId, onlyOwn, userId, credentialId } = caller;
    if (hasAllRights(caller)) return this.repository.delete(organizationId, hash, caller);
    const among = { onlyManagementKeyId: credentialId, ...(onlyOwn && { userId }) };
    if (await this.repository.delete(organizationId, hash, caller, among)) return true;
    const key = await this.repository.find(organizationId, hash);
    if (key === undefined) return false;
    requireReach(caller, key, 'delete');
    return this.repository.delete(organizationId, hash, caller);
  }

  /** Locks a key and changes it in one transaction. @returns the changed key */
  private async change(
    caller: ManagementPrincipal,
    path: KeyPath,
    work: (tx: Transaction, before: KeyWithSpend) => Promise<KeyWithSpend>,
  ): Promise<KeyWithSpend> {
    const hash = hashOf(path);
    if (hash === undefined) throw new KeyNotFound();
    return this.statements.transaction(async (tx) => {
      const before = await this.repository.lockForUpdate(tx, caller.organizationId, hash);
      if (before === undefined) throw new KeyNotFound();
      requireReach(caller, before, 'change');
      return work(tx, before);
    });
  }
}

/**
 * A management key can only be rotated with itself, because a caller with its secret acts as its user.
 *
 * @throws ManagementKeyRotatesItselfOnly
 */
function requireMayRotate(caller: ManagementPrincipal, key: KeyWithSpend): void {
  if (key.kind === 'management_key' && key.id !== caller.credentialId) throw new ManagementKeyRotatesItselfOnly();
}

/** Labels as they are stored: no labels are none. */
function storedLabels(labels: Labels | null): Labels | null {
  return labels === null || Object.keys(labels).length === 0 ? null : labels;
}

/** The refusal of a key for a user who is no active member any more: perhaps the caller, who has just been deactivated. */
function noActiveOwner(caller: ManagementPrincipal, userId: string): Error {
  return userId === caller.userId ? new MemberDeactivated() : BadRequestError.of([UNKNOWN_USER.at('creator_user_id')]);
}

/** The id of no user. */
const NOBODY = '';

/** Whose keys a caller asks for who reaches only their own: those of no user, where they ask for another's. */
function ownAmong({ userId }: ManagementPrincipal, asked: string | undefined): string {
  return asked === undefined || asked === userId ? userId : NOBODY;
}

/** The hash in a path; undefined if it cannot be a hash. */
export function hashOf({ hash }: KeyPath): Buffer | undefined {
  return readHash(hash);
}
