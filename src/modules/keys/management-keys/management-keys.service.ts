import { Injectable } from '@nestjs/common';
import { isOfOperator, PERMISSIONS, withIncluded } from '../../../auth/permissions.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { requirePermissions, requireRecentSignIn, requireToDecideIdentity } from '../../../auth/required-rights.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type NamedPageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { valueOr } from '../../../http/request-values.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { updated } from '../../audit/audited-event.js';
import { Quotas } from '../../organization-limits/quotas.js';
import { UNKNOWN_USER } from '../../organizations/organizations.errors.js';
import { changedRanges, storedRanges } from '../allowed-ranges.js';
import { ExpiryRepository } from '../credentials/expiry.repository.js';
import type { KeyPath, RotateRequest } from '../dto/key.dto.js';
import type { ApiKeyEntity } from '../entities/api-key.entity.js';
import { KeyDeletionRateLimit } from '../key-deletion-rate-limit.js';
import { auditedFieldsOf, keyHashOf, tagOfKey } from '../key-events.js';
import { type Reach, requireMayEnable, requireNotLiftedByItself, requireReach } from '../key-reach.js';
import { KeyNotFound, ManagementKeyRotatesItselfOnly, ScopesOnlyNarrowed } from '../keys.errors.js';
import { KEYS_QUOTA, KeysRepository } from '../keys.repository.js';
import { hashOf, KeysService } from '../keys.service.js';
import { newKeyRow } from '../new-key.js';
import type {
  CreateManagementKeyRequest,
  DeleteManagementKeyResponse,
  IssuedManagementKeyResponse,
  ListManagementKeysResponse,
  ManagementKeyResponse,
  UpdateManagementKeyRequest,
} from './management-key.dto.js';
import { toManagementKeyResponse } from './management-keys.mapper.js';
import { ManagementKeysRepository } from './management-keys.repository.js';

/** Management keys by the interface (docs/interface/permissions.md#management-keys). */
@Injectable()
export class ManagementKeysService {
  constructor(
    private readonly repository: ManagementKeysRepository,
    private readonly keysRepository: KeysRepository,
    private readonly keys: KeysService,
    private readonly statements: Statements,
    private readonly expiries: ExpiryRepository,
    private readonly rateLimit: KeyDeletionRateLimit,
    private readonly quotas: Quotas,
    private readonly audit: AuditTrail,
  ) {}

  /** Lists the management keys of the organization, oldest first. */
  async list({ organizationId }: ManagementPrincipal, input: NamedPageQuery): Promise<ListManagementKeysResponse> {
    return toPageResponse(await this.repository.page(organizationId, toPageRequest(input)), toManagementKeyResponse);
  }

  /** @throws KeyNotFound */
  async get({ organizationId }: ManagementPrincipal, input: KeyPath): Promise<ManagementKeyResponse> {
    const hash = hashOf(input);
    const key = hash && (await this.repository.find(organizationId, hash));
    if (key === undefined) throw new KeyNotFound();
    return shown(key);
  }

  /**
   * Creates a management key of the caller, or of a service account: that of another person would let its holder act as them.
   *
   * @throws PermissionMissing for a key that is restricted, and for scopes of the operator that it has not itself
   * @throws RecentSignInRequired for a person who has signed in too long ago
   * @throws BadRequestError for an owner who is neither the caller nor a service account, and for an expiry in the past
   */
  async create(caller: ManagementPrincipal, input: CreateManagementKeyRequest): Promise<IssuedManagementKeyResponse> {
    const { organizationId } = caller;
    requireToDecideIdentity(caller);
    requirePermissions(caller, (input.scopes ?? []).filter(isOfOperator));
    const userId = input.creator_user_id ?? caller.userId;
    if (userId !== caller.userId && !(await this.repository.isServiceAccount(organizationId, userId))) {
      throw BadRequestError.of([UNKNOWN_USER.at('creator_user_id')]);
    }
    await this.expiries.requireFuture(input.expires_at);
    await this.quotas.requireBelowQuota(organizationId, KEYS_QUOTA);
    const { row, plaintext } = newKeyRow({
      kind: 'management_key',
      organizationId,
      userId,
      name: input.name,
      scopes: input.scopes == null ? null : [...new Set(input.scopes)],
      allowedAddresses: input.allowed_addresses == null ? null : storedRanges(input.allowed_addresses),
      expiresAt: input.expires_at == null ? null : new Date(input.expires_at),
    });
    const createdAt = await this.keysRepository.insert(row, caller);
    if (createdAt === undefined) throw BadRequestError.of([UNKNOWN_USER.at('creator_user_id')]);
    return issued({ ...row, createdAt }, plaintext);
  }

  /**
   * Changes a management key. Absent fields stay; without a change nothing is written.
   *
   * @throws KeyNotFound
   * @throws PermissionMissing for a key that may do more than the caller
   * @throws PreconditionFailed, ScopesOnlyNarrowed, ManagementKeyNarrowsItselfOnly, ManagementKeyEnabledByOwnerOnly
   */
  async update(
    caller: ManagementPrincipal,
    input: KeyPath & UpdateManagementKeyRequest,
    precondition = Precondition.NONE,
  ): Promise<ManagementKeyResponse> {
    const key = await this.reached(caller, input, 'change', async (tx, before) => {
      precondition.require(tagOfKey(before));
      if (input.disabled === false) requireMayEnable(caller, before);
      const wanted = {
        ...before,
        name: valueOr(input.name, before.name),
        disabled: valueOr(input.disabled, before.disabled),
        scopes: narrowedScopes(before, input.scopes),
        allowedAddresses: changedRanges(before, input.allowed_addresses),
      };
      requireNotLiftedByItself(caller, before, wanted);
      const changes = updated(auditedFieldsOf(before), auditedFieldsOf(wanted));
      if (Object.keys(changes).length === 0) return before;
      const event = { action: 'key.update', targetId: keyHashOf(before), changes };
      await this.audit.record(tx, caller.organizationId, caller, event);
      return this.keysRepository.update(tx, wanted);
    });
    return shown(key);
  }

  /**
   * Gives a management key a new secret; its scopes stay. The holder of the new secret acts as the owner, so only the owner's own keys and
   * sessions may.
   *
   * @throws KeyNotFound, KeyAlreadyRotated
   * @throws ManagementKeyRotatesItselfOnly for a key of someone else
   * @throws PermissionMissing, RecentSignInRequired
   */
  async rotate(caller: ManagementPrincipal, input: KeyPath & RotateRequest): Promise<IssuedManagementKeyResponse> {
    requireRecentSignIn(caller);
    let plaintext = '';
    const key = await this.reached(caller, input, 'change', async (tx, before) => {
      if (before.userId !== caller.userId) throw new ManagementKeyRotatesItselfOnly();
      const rotated = await this.keys.giveNewSecret(tx, caller, before, input);
      plaintext = rotated.plaintext;
      return rotated.key;
    });
    return issued(key, plaintext);
  }

  /**
   * Deletes a management key; from then on no replica accepts it.
   *
   * @throws TooManyKeyDeletions
   * @throws KeyNotFound
   * @throws PermissionMissing for a key that may do more than the caller
   * @throws PreconditionFailed
   */
  async delete(
    caller: ManagementPrincipal,
    input: KeyPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteManagementKeyResponse> {
    await this.rateLimit.count(caller.credentialId);
    const hash = hashOf(input);
    if (precondition.isGiven) return this.deleteKnown(caller, input, precondition);
    const key = hash && (await this.repository.find(caller.organizationId, hash));
    if (key === undefined) throw new KeyNotFound();
    requireReach(caller, key, 'delete');
    if (!(await this.keysRepository.delete(caller.organizationId, key.hash, caller))) throw new KeyNotFound();
    return { deleted: true };
  }

  /** Deletes a management key if it is as the caller knows it. @throws as {@link delete} */
  private async deleteKnown(
    caller: ManagementPrincipal,
    input: KeyPath,
    precondition: Precondition,
  ): Promise<DeleteManagementKeyResponse> {
    await this.reached(caller, input, 'delete', async (tx, before) => {
      precondition.require(tagOfKey(before));
      await this.keysRepository.delete(caller.organizationId, before.hash, caller, {}, tx);
      return before;
    });
    return { deleted: true };
  }

  /** Locks a management key that the caller reaches and works with it in one transaction. @returns the key as it is then */
  private async reached<Changed extends ApiKeyEntity>(
    caller: ManagementPrincipal,
    path: KeyPath,
    reach: Reach,
    work: (tx: Transaction, before: ApiKeyEntity) => Promise<Changed>,
  ): Promise<Changed> {
    const hash = hashOf(path);
    if (hash === undefined) throw new KeyNotFound();
    return this.statements.transaction(async (tx) => {
      const before = await this.repository.lockForUpdate(tx, caller.organizationId, hash);
      if (before === undefined) throw new KeyNotFound();
      requireReach(caller, before, reach);
      return work(tx, before);
    });
  }
}

function shown(key: ApiKeyEntity): ManagementKeyResponse {
  return withEntityTag({ data: toManagementKeyResponse(key) }, tagOfKey(key));
}

/** The answer that shows a new key with its secret. */
function issued(key: ApiKeyEntity, plaintext: string): IssuedManagementKeyResponse {
  return withEntityTag({ data: toManagementKeyResponse(key), key: plaintext }, tagOfKey(key));
}

/**
 * The scopes that a key has after a change: no caller gives a key more than the caller has.
 *
 * @param asked undefined to keep those that it has
 * @throws ScopesOnlyNarrowed
 */
function narrowedScopes({ scopes }: ApiKeyEntity, asked: UpdateManagementKeyRequest['scopes']): ApiKeyEntity['scopes'] {
  if (asked === undefined || (asked === null && scopes === null)) return scopes;
  const permitted = withIncluded(scopes ?? PERMISSIONS);
  const added = (asked ?? PERMISSIONS).filter((scope) => !permitted.has(scope));
  if (asked === null || added.length > 0) throw new ScopesOnlyNarrowed(added);
  return [...new Set(asked)];
}
