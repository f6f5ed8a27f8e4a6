import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { ManagedObjects } from '../../../http/managed-objects/managed-objects.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';
import { MemberEnded, OrganizationMemberNotFound, UNKNOWN_USER } from '../../organizations/organizations.errors.js';
import type { KeyPath, KeyResponse } from '../dto/key.dto.js';
import { KeyNotFound, ManagementKeyNotTransferable } from '../keys.errors.js';
import { hashOf, KeysService } from '../keys.service.js';
import type { FormerOwnerPath, TransferKeyRequest, TransferredKeysResponse } from './key-transfer.dto.js';
import { KeyTransfersRepository } from './key-transfers.repository.js';
import { KeysOfMember } from './keys-of-member.js';

/**
 * Gives keys for inference another owner, so that they outlive the membership of their first owner (docs/interface/members.md#transfer). What
 * was spent stays with the key, and each record with whom the key belonged to when it was made.
 */
@Injectable()
export class KeyTransfersService {
  constructor(
    private readonly repository: KeyTransfersRepository,
    private readonly keys: KeysService,
    private readonly keysOfMember: KeysOfMember,
    private readonly managed: ManagedObjects,
    private readonly statements: Statements,
  ) {}

  /**
   * Gives a key another owner, who must be an active member. To the same one, nothing is written.
   *
   * @throws KeyNotFound
   * @throws ManagementKeyNotTransferable
   * @throws BadRequestError for a user who is no active member
   * @throws MemberEnded for a key of a member who has ended: it is disabled for good
   */
  async transfer(caller: ManagementPrincipal, input: KeyPath & TransferKeyRequest): Promise<KeyResponse> {
    const { organizationId } = caller;
    const hash = hashOf(input);
    const key = hash && (await this.repository.find(organizationId, hash));
    if (key === undefined) throw new KeyNotFound();
    if (key.kind !== 'api_key') throw new ManagementKeyNotTransferable();
    const owners = { from: key.userId, to: input.user_id };
    await this.statements.transaction((tx) => this.change(tx, caller, organizationId, owners, key.id));
    return this.keys.get(caller, input);
  }

  /**
   * Gives another member, who must be active, all keys for inference of one.
   *
   * @throws OrganizationMemberNotFound
   * @throws BadRequestError for a new owner who is no active member
   * @throws MemberEnded
   */
  async transferOfMember(
    caller: ManagementPrincipal,
    { id, user_id: to }: FormerOwnerPath & TransferKeyRequest,
  ): Promise<TransferredKeysResponse> {
    const { organizationId } = caller;
    const keys = await this.statements.bulk.transaction(async (tx) => {
      const isMember = (await this.repository.hasEnded(tx, organizationId, id)) !== undefined;
      if (!isMember) throw new OrganizationMemberNotFound();
      return this.change(tx, caller, organizationId, { from: id, to });
    });
    return { data: { keys } };
  }

  /**
   * Transfers keys on the command line.
   *
   * @param overridesFiles whether also those that files configure
   * @returns how many there were
   * @throws BadRequestError if one is not a member, or the new owner is not active
   * @throws MemberEnded
   * @throws ObjectManagedByFiles
   */
  async transferAll(
    actor: Actor,
    organizationId: string,
    owners: { readonly from: string; readonly to: string },
    overridesFiles: boolean,
  ): Promise<number> {
    const keys = await this.keysOfMember.of(organizationId, owners.from);
    return this.managed.changing(organizationId, keys, overridesFiles, () =>
      this.statements.bulk.transaction((tx) => this.change(tx, actor, organizationId, owners)),
    );
  }

  /**
   * The former owner is not locked: if they end meanwhile, that waits for the keys, and finds them no longer theirs. The order of locks is
   * that of a deactivation, member before key.
   */
  private async change(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    owners: { readonly from: string; readonly to: string },
    keyId?: string,
  ): Promise<number> {
    if (!(await this.repository.holdNewOwner(tx, organizationId, owners.to))) {
      throw BadRequestError.of([UNKNOWN_USER.at('user_id')]);
    }
    const hasEnded = await this.repository.hasEnded(tx, organizationId, owners.from);
    if (hasEnded === undefined) throw BadRequestError.of([UNKNOWN_USER.at('from')]);
    if (hasEnded) throw new MemberEnded();
    return this.repository.transfer(tx, actor, organizationId, owners, keyId);
  }
}
