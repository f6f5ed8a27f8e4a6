import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { DEFAULT_ROLE, MEMBER_ROLES, type MemberRole } from '../auth/roles.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { Statements, type Transaction } from '../persistence/statements.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { KeyTransfersService } from '../modules/keys/transfer/key-transfers.service.js';
import { roleOf } from '../modules/organizations/dto/organization-member.dto.js';
import type { UpdateOrganizationMemberRequest } from '../modules/organizations/members/member.dto.js';
import { type ListedMember, MembersService } from '../modules/organizations/members/members.service.js';
import { MEMBER_KINDS, type MemberKind } from '../modules/organizations/member-role.js';
import { MemberErasureService } from '../modules/organizations/members/member-erasure.service.js';
import { MemberEnded } from '../modules/organizations/organizations.errors.js';
import { type EitherWayOnOrganization, explaining, onOrganization, type Sentences } from './interface/either-way.js';
import { type OrganizationOptions, withOrganization } from './organization-option.js';
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
      const { organizationId, userId } = await onMembers(options.organization, {
        byInterface: async (server) => {
          const body = { name, ...(email !== '' && { email }), role: `org:${role}` as const, kind };
          const { data } = await server.call('createOrganizationMember', { body });
          return { organizationId: await server.organizationId(), userId: data.id };
        },
        byDatabase: async (context, id) => {
          const added = await inTransaction(context, (members, tx) =>
            members.add(tx, COMMAND_LINE, id, [{ name, email, role, kind }]),
          );
          return { organizationId: id, userId: added[0]! };
        },
      });
      const shown = { organization_id: organizationId, user_id: userId, role, kind };
      printResult(options, shown, `${userId} is a member of ${organizationId}.`);
    });
}

function listCommand(): Command {
  return withOrganization(new Command('list'))
    .description('list the members of an organization, oldest first, those who are deactivated or have ended as well')
    .action(async (options: OrganizationOptions) => {
      const listed = await onMembers(options.organization, {
        byInterface: async (server) => {
          const { items } = await server.list('listOrganizationMembers', { include_deactivated: 'true' });
          const members = items.map((item) => ({ ...item, userId: item.id, role: roleOf(item.role) }));
          return { organizationId: await server.organizationId(), members };
        },
        byDatabase: async (context, organizationId) => ({
          organizationId,
          members: await context.get(MembersService).all(organizationId),
        }),
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
      await changing(options, userId, {
        state: `has the role ${role}`,
        input: { role: `org:${role}` },
        isSo: (member) => member.role === role,
        change: (members, tx, organizationId) =>
          members.changeRole(tx, COMMAND_LINE, { organizationId, userIds: [userId], role }),
      });
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
      await changing(options, userId, {
        state: 'is deactivated',
        input: { status: 'deactivated' },
        isSo: (member) => member.status === 'deactivated',
        change: (members, tx, organizationId) =>
          members.deactivate(tx, COMMAND_LINE, { organizationId, userIds: [userId], by: 'administrator' }),
      });
    });
}

function reactivateCommand(): Command {
  return withOrganization(new Command('reactivate'))
    .description('let a member count again, whoever has deactivated them')
    .argument('<user-id>', 'the id of the user')
    .action(async (userId: string, options: OrganizationOptions) => {
      await changing(options, userId, {
        state: 'is active',
        input: { status: 'active' },
        isSo: (member) => member.status === 'active',
        change: (members, tx, organizationId) =>
          members.reactivate(tx, COMMAND_LINE, { organizationId, userIds: [userId], by: 'administrator' }),
      });
    });
}

interface TransferOptions extends OrganizationOptions {
  readonly override?: boolean;
}

function transferKeysCommand(): Command {
  return withOrganization(new Command('transfer-keys'))
    .description('give all keys for inference of a member another owner')
    .argument('<from>', 'the id of the user whose keys they are')
    .argument('<to>', 'the id of the new owner, an active member')
    .option('--override', 'also keys that files configure')
    .action(async (from: string, to: string, { override = false, ...options }: TransferOptions) => {
      const { organizationId, keys } = await onMembers(
        options.organization,
        {
          byInterface: async (server) => {
            const { data } = await server.call('transferMemberKeys', {
              path: { id: from },
              query: override ? { override } : {},
              body: { user_id: to },
            });
            return { organizationId: await server.organizationId(), keys: data.keys };
          },
          byDatabase: async (context, id) => ({
            organizationId: id,
            keys: await context.get(KeyTransfersService).transferAll(COMMAND_LINE, id, { from, to }, override),
          }),
        },
        { user_not_found: NO_OWNER, member_not_found: NO_OWNER },
      );
      const done = { organization_id: organizationId, from, to, keys };
      printResult(options, done, `${to} has ${keys} key${keys === 1 ? '' : 's'} of ${from}.`);
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
      const { organizationId, erased } = await onMembers(options.organization, {
        byInterface: async (server) => {
          const { data } = await server.call('eraseOrganizationMember', { path: { id: userId } });
          const { id: _userId, ...counts } = data;
          return { organizationId: await server.organizationId(), erased: counts };
        },
        byDatabase: async (context, id) => ({
          organizationId: id,
          erased: await context.get(MemberErasureService).erase(COMMAND_LINE, { organizationId: id, userId }),
        }),
      });
      const counts = Object.entries(erased).map(([what, count]) => `${count} ${what}`);
      const done = { organization_id: organizationId, user_id: userId, erased };
      printResult(options, done, `${userId} is erased: ${counts.join(', ')}.`);
    });
}

/** What a command makes of a member. */
interface MemberChange {
  /** What is true of the member then, in words. */
  readonly state: string;
  /** The same as a request of the interface has it. */
  readonly input: UpdateOrganizationMemberRequest;
  readonly isSo: (member: Pick<ListedMember, 'role' | 'status'>) => boolean;
  /** @returns the users whom it has changed */
  readonly change: (members: MembersService, tx: Transaction, organizationId: string) => Promise<readonly string[]>;
}

/** Changes one member, and says what is true of them then, whether that has changed anything or not. */
async function changing(
  options: OrganizationOptions,
  userId: string,
  { state, input, isSo, change }: MemberChange,
): Promise<void> {
  const { organizationId, isChanged } = await onMembers(
    options.organization,
    {
      byInterface: async (server) => {
        const id = await server.organizationId();
        const { data: before } = await explaining({ member_not_found: `${id} has no member ${userId}.` }, () =>
          server.call('getOrganizationMember', { path: { id: userId } }),
        );
        await server.call('updateOrganizationMember', { path: { id: userId }, body: input });
        return { organizationId: id, isChanged: !isSo({ ...before, role: roleOf(before.role) }) };
      },
      byDatabase: async (context, id) => {
        const changed = await inTransaction(context, async (members, tx) => {
          const known = (await members.all(id)).find((member) => member.userId === userId);
          if (known === undefined) throw new UsageError(`${id} has no member ${userId}.`);
          if (known.status === 'ended') throw new MemberEnded();
          return change(members, tx, id);
        });
        return { organizationId: id, isChanged: changed.length > 0 };
      },
    },
    { member_ended: `${userId} has ended, and does not come back.` },
  );
  const shown = { organization_id: organizationId, user_id: userId, changed: isChanged };
  printResult(options, shown, `${userId} ${state}${isChanged ? '' : ', as before'}.`);
}

function inTransaction<T>(
  context: INestApplicationContext,
  work: (members: MembersService, tx: Transaction) => Promise<T>,
): Promise<T> {
  return context.get(Statements).transaction((tx) => work(context.get(MembersService), tx));
}

const NO_OWNER = 'One is no member of the organization, or not active.';

/** What refusals mean, by their reasons. */
const SENTENCES: Sentences = {
  member_email_taken: 'Another member has this email address.',
  member_ended: 'The member has ended: their keys are disabled for good.',
  object_managed_by_files: 'Files configure one of these keys: change them there, or add --override.',
  member_is_active: 'The member is active: deactivate them first.',
  member_not_found: 'The organization has no such member.',
};

function onMembers<T>(
  organization: string | undefined,
  work: EitherWayOnOrganization<T>,
  sentences: Sentences = {},
): Promise<T> {
  return onOrganization(organization, work, { ...SENTENCES, ...sentences });
}
