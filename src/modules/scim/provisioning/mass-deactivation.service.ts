import { Injectable } from '@nestjs/common';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { type ChangedMemberStates, type MemberHook, MemberHooks } from '../../organizations/members/member-hooks.js';
import { MembersService } from '../../organizations/members/members.service.js';
import { type DeactivationRun, MassDeactivationRepository } from './mass-deactivation.repository.js';

/** From how many members on a run is one of many, whatever the size of the organization. */
const MANY_MEMBERS = 20;

/** Above which share of the members it is, in a small organization. */
const MANY_SHARE = 0.2;

/** How many members are reactivated in one transaction. */
const REACTIVATED_AT_ONCE = 500;

/**
 * Notices that a directory deactivates many members within an hour, as a wrong assignment there does, and takes that back
 * (docs/interface/scim-provisioning.md#many-at-once).
 */
@Injectable()
export class MassDeactivationService implements MemberHook {
  constructor(
    private readonly repository: MassDeactivationRepository,
    private readonly members: MembersService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    hooks: MemberHooks,
  ) {
    hooks.register(this);
  }

  async deactivated(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    await this.notice(tx, actor, members);
  }

  async ended(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    await this.notice(tx, actor, members);
  }

  /**
   * Reactivates whom a directory has deactivated in some time: an operator decides it, so that the directory cannot tell.
   *
   * @param until null for now
   * @returns the users who are active again
   */
  async reactivate(actor: Actor, organizationId: string, since: Date, until: Date | null): Promise<string[]> {
    const userIds = await this.repository.deactivatedIn(organizationId, since, until);
    const reactivated: string[] = [];
    for (let begin = 0; begin < userIds.length; begin += REACTIVATED_AT_ONCE) {
      const some = {
        organizationId,
        userIds: userIds.slice(begin, begin + REACTIVATED_AT_ONCE),
        by: 'directory',
      } as const;
      reactivated.push(...(await this.statements.bulk.transaction((tx) => this.members.reactivate(tx, actor, some))));
    }
    return reactivated;
  }

  /** Records it with the member by whom they become many: once, until an hour has passed without as many. */
  private async notice(
    tx: Transaction,
    actor: Actor,
    { organizationId, userIds, by }: ChangedMemberStates,
  ): Promise<void> {
    if (by !== 'directory') return;
    const run = await this.repository.run(tx, organizationId);
    const before = { ...run, deactivated: run.deactivated - userIds.length, active: run.active + userIds.length };
    if (!isOfMany(run) || isOfMany(before)) return;
    const changes = {
      deactivated_members: { after: run.deactivated },
      active_members: { after: run.active },
      since: { after: run.since?.toISOString() ?? null },
    };
    const event = { action: 'organization.mass_deactivation', targetId: organizationId, changes };
    await this.audit.record(tx, organizationId, actor, event);
  }
}

function isOfMany({ deactivated, active }: DeactivationRun): boolean {
  return deactivated >= MANY_MEMBERS || deactivated > MANY_SHARE * (active + deactivated);
}
