import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { DEFAULT_ROLE, MEMBER_ROLES, type MemberRole } from '../auth/roles.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { BadRequestError } from '../http/errors/bad-request-error.js';
import { Statements, type Transaction } from '../persistence/statements.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { KeyTransfersService } from '../modules/keys/transfer/key-transfers.service.js';
import { type ListedMember, MembersService } from '../modules/organizations/members/members.service.js';
import { MEMBER_KINDS, type MemberKind } from '../modules/organizations/member-role.js';
import {
  MemberEmailTaken,
  MemberEnded,
  MemberIsActive,
  OrganizationMemberNotFound,
} from '../modules/organizations/organizations.errors.js';
import { MemberErasureService } from '../modules/organizations/members/member-erasure.service.js';
import { withApplicationContext } from './application-context.js';
import { organizationIdOf, type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';

/** `gatehouse member`: the members of an organization (docs/interface/members.md). */
export function memberCommand(): Command {
  return new Command('member')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(roleCommand())
    .addCommand(deactivateCommand())
    .addCommand(reactivateCommand())
    .addCommand(transferKeysCommand())
    .addCommand(eraseCommand());
}

interface AddOptions extends OrganizationOptions {
  readonly email?: string;
  readonly role: MemberRole;
  readonly kind: MemberKind;
}

function addCommand(): Command {
  return withOrganization(new Command('add'))
    .description('add a member')
    .argument('<name>', 'the name')
    .option('--email <address>', 'the email address, which a person must have')
    .addOption(new Option('--role <role>', 'the role').choices(MEMBER_ROLES).default(DEFAULT_ROLE))
    .addOption(
      new Option('--kind <kind>', 'a service is an account that no directory can deactivate')
        .choices(MEMBER_KINDS)
        .default('person'),
    )
    .action(async (name: string, { email = '', role, kind, ...options }: AddOptions) => {
      if (kind === 'person' && email === '') throw new UsageError('A person needs --email.');
      const { organizationId, result } = await onMembers(options, async (members, tx, id) => {
        const added = await members.add(tx, COMMAND_LINE, id, [{ name, email, role, kind }]);
        return added[0]!;
      });
      const shown = { organization_id: organizationId, user_id: result, role, kind };
      printResult(options, shown, `${result} is a member of ${organizationId}.`);
    });
}

function listCommand(): Command {
  return withOrganization(new Command('list'))
    .description('list the members of an organization, oldest first, those who are deactivated or have ended as well')
    .action(async (options: OrganizationOptions) => {
      const listed = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, options.organization);
        return { organizationId, members: await context.get(MembersService).all(organizationId) };
      });
      printResult(
        options,
        {
          organization_id: listed.organizationId,
          members: listed.members.map(({ userId, name, email, role, kind, status }) => ({
            user_id: userId,
            name,
            email,
            role,
            kind,
            status,
          })),
        },
        ...(listed.members.length === 0 ? [`${listed.organizationId} has no members.`] : listed.members.map(describe)),
      );
    });
}

function describe({ userId, name, email, role, kind, status }: ListedMember): string {
  const words = [role, ...(kind === 'service' ? ['service'] : []), ...(status === 'active' ? [] : [status])];
  return `${userId}  ${name}${email === '' ? '' : ` <${email}>`}  ${words.join(', ')}`;
}

function roleCommand(): Command {
  return withOrganization(new Command('role'))
    .description('give a member another role')
    .argument('<user-id>', 'the id of the user')
    .argument('<role>', MEMBER_ROLES.join(' or '))
    .action(async (userId: string, role: string, options: OrganizationOptions) => {
      if (!isRole(role)) throw new UsageError(`There is no role ${role}: it is ${MEMBER_ROLES.join(' or ')}.`);
      await changing(options, userId, `has the role ${role}`, (members, tx, organizationId) =>
        members.changeRole(tx, COMMAND_LINE, { organizationId, userIds: [userId], role }),
      );
    });
}

function isRole(text: string): text is MemberRole {
  return (MEMBER_ROLES as readonly string[]).includes(text);
}

function deactivateCommand(): Command {
  return withOrganization(new Command('deactivate'))
    .description('refuse the keys and sessions of a member until the reactivation')
    .argument('<user-id>', 'the id of the user')
    .action(async (userId: string, options: OrganizationOptions) => {
      await changing(options, userId, 'is deactivated', (members, tx, organizationId) =>
        members.deactivate(tx, COMMAND_LINE, { organizationId, userIds: [userId], by: 'administrator' }),
      );
    });
}

function reactivateCommand(): Command {
  return withOrganization(new Command('reactivate'))
    .description('let a member count again, whoever has deactivated them')
    .argument('<user-id>', 'the id of the user')
    .action(async (userId: string, options: OrganizationOptions) => {
      await changing(options, userId, 'is active', (members, tx, organizationId) =>
        members.reactivate(tx, COMMAND_LINE, { organizationId, userIds: [userId], by: 'administrator' }),
      );
    });
}

function transferKeysCommand(): Command {
  return withOrganization(new Command('transfer-keys'))
    .description('give all keys for inference of a member another owner')
    .argument('<from>', 'the id of the user whose keys they are')
    .argument('<to>', 'the id of the new owner, an active member')
    .action(async (from: string, to: string, options: OrganizationOptions) => {
      const done = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, options.organization);
        const keys = await refusing(() =>
          context.get(KeyTransfersService).transferAll(COMMAND_LINE, organizationId, { from, to }),
        );
        return { organization_id: organizationId, from, to, keys };
      });
      printResult(options, done, `${to} has ${done.keys} key${done.keys === 1 ? '' : 's'} of ${from}.`);
    });
}

interface EraseOptions extends OrganizationOptions {
  readonly confirm: string;
}

function eraseCommand(): Command {
  return withOrganization(new Command('erase'))
    .description('erase a deactivated member for good: name, address, logged contents and names of keys')
    .argument('<user-id>', 'the id of the user')
    .requiredOption('--confirm <user-id>', 'the id once more: this cannot be undone')
    .action(async (userId: string, { confirm, ...options }: EraseOptions) => {
      if (confirm !== userId) throw new UsageError(`--confirm must be ${userId}.`);
      const done = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, options.organization);
        const erased = await refusing(() =>
          context.get(MemberErasureService).erase(COMMAND_LINE, { organizationId, userId }),
        );
        return { organization_id: organizationId, user_id: userId, erased };
      });
      const counts = Object.entries(done.erased).map(([what, count]) => `${count} ${what}`);
      printResult(options, done, `${userId} is erased: ${counts.join(', ')}.`);
    });
}

type Change<T> = (members: MembersService, tx: Transaction, organizationId: string) => Promise<T>;

/** Changes members of the organization that the options name, in one transaction. */
async function onMembers<T>(
  options: OrganizationOptions,
  change: Change<T>,
): Promise<{ organizationId: string; result: T }> {
  return withApplicationContext(async (context: INestApplicationContext) => {
    const organizationId = await organizationIdOf(context, options.organization);
    const members = context.get(MembersService);
    const statements = context.get(Statements);
    const result = await refusing(() => statements.transaction((tx) => change(members, tx, organizationId)));
    return { organizationId, result };
  });
}

/** Changes one member, and says what is true of them then, whether that has changed anything or not. */
async function changing(
  options: OrganizationOptions,
  userId: string,
  state: string,
  change: Change<readonly string[]>,
): Promise<void> {
  const { organizationId, result } = await onMembers(options, async (members, tx, id) => {
    const known = (await members.all(id)).find((member) => member.userId === userId);
    if (known === undefined) throw new UsageError(`${id} has no member ${userId}.`);
    if (known.status === 'ended') throw new UsageError(`${userId} has ended, and does not come back.`);
    return change(members, tx, id);
  });
  const shown = { organization_id: organizationId, user_id: userId, changed: result.length > 0 };
  printResult(options, shown, `${userId} ${state}${result.length > 0 ? '' : ', as before'}.`);
}

/** @throws UsageError in place of what an operation would answer */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MemberEmailTaken) throw new UsageError('Another member has this email address.');
    if (error instanceof MemberEnded) throw new UsageError('The member has ended: their keys are disabled for good.');
    if (error instanceof MemberIsActive) throw new UsageError('The member is active: deactivate them first.');
    if (error instanceof OrganizationMemberNotFound) throw new UsageError('The organization has no such member.');
    if (error instanceof BadRequestError) throw new UsageError('One is no member of the organization, or not active.');
    throw error;
  }
}
