import fc from 'fast-check';
import type { MemberRole } from '../../../src/auth/roles.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { type MembershipRow, ScimFixture } from '../../support/resources/scim.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';

/** Always the same sequences, unless FUZZ_SEED asks for others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100);

const USERS = 4;
const GROUPS = 3;
const WORKSPACES = 2;

/** Something that is done; users, groups and workspaces by their number. */
type Step =
  | { readonly does: 'join' | 'leave'; readonly group: number; readonly user: number }
  | { readonly does: 'map' | 'patch'; readonly group: number; readonly workspace: number; readonly role: MemberRole }
  | { readonly does: 'unmap'; readonly group: number; readonly workspace: number; readonly keep: boolean }
  | { readonly does: 'add' | 'remove'; readonly workspace: number; readonly user: number }
  | { readonly does: 'removeGroup'; readonly group: number };

const group = fc.nat(GROUPS - 1);
const workspace = fc.nat(WORKSPACES - 1);
const user = fc.nat(USERS - 1);
const role = fc.constantFrom<MemberRole>('admin', 'member');

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('join', 'leave'), group, user }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('map', 'patch'), group, workspace, role }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('unmap'), group, workspace, keep: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('add', 'remove'), workspace, user }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('removeGroup'), group }) },
);

const pair = (one: number, other: number): string => `${one} ${other}`;

/** What memberships are, said as plainly as it can be. */
class Model {
  private readonly members = new Set<string>();
  private readonly mappings = new Map<string, MemberRole>();
  private readonly manual = new Map<string, MemberRole>();

  constructor(private readonly roles: readonly MemberRole[]) {}

  apply(done: Step): void {
    switch (done.does) {
      case 'join':
        this.members.add(pair(done.group, done.user));
        break;
      case 'leave':
        this.members.delete(pair(done.group, done.user));
        break;
      case 'map':
        if (this.mappings.has(pair(done.group, done.workspace))) break;
        this.mappings.set(pair(done.group, done.workspace), done.role);
        break;
      case 'patch':
        if (!this.mappings.has(pair(done.group, done.workspace))) break;
        this.mappings.set(pair(done.group, done.workspace), done.role);
        break;
      case 'unmap':
        this.unmap(done.group, done.workspace, done.keep);
        break;
      case 'add':
        this.giveByHand(done.workspace, done.user, this.roles[done.user]!);
        break;
      case 'remove':
        if (this.mappedRole(done.workspace, done.user) === null) this.manual.delete(pair(done.workspace, done.user));
        break;
      case 'removeGroup':
        for (let number = 0; number < WORKSPACES; number += 1) this.mappings.delete(pair(done.group, number));
        for (let number = 0; number < USERS; number += 1) this.members.delete(pair(done.group, number));
    }
  }

  /** What there should be, by the users' numbers. */
  memberships(workspaceNumber: number): Omit<MembershipRow, 'user_id'>[] {
    return this.roles.map((_, userNumber) => {
      const manual = this.manual.get(pair(workspaceNumber, userNumber)) ?? null;
      const scim = this.mappedRole(workspaceNumber, userNumber);
      const highest = [manual, scim].includes('admin') ? 'admin' : 'member';
      return { role: highest, manual_role: manual, scim_role: scim };
    });
  }

  private unmap(groupNumber: number, workspaceNumber: number, keep: boolean): void {
    const mapped = this.mappings.get(pair(groupNumber, workspaceNumber));
    if (mapped === undefined) return;
    this.mappings.delete(pair(groupNumber, workspaceNumber));
    if (!keep) return;
    for (let number = 0; number < USERS; number += 1) {
      if (this.members.has(pair(groupNumber, number))) this.giveByHand(workspaceNumber, number, mapped);
    }
  }

  private giveByHand(workspaceNumber: number, userNumber: number, given: MemberRole): void {
    const key = pair(workspaceNumber, userNumber);
    if (!this.manual.has(key)) this.manual.set(key, given);
  }

  private mappedRole(workspaceNumber: number, userNumber: number): MemberRole | null {
    const given: MemberRole[] = [];
    for (let number = 0; number < GROUPS; number += 1) {
      const mapped = this.mappings.get(pair(number, workspaceNumber));
      if (mapped !== undefined && this.members.has(pair(number, userNumber))) given.push(mapped);
    }
    if (given.length === 0) return null;
    return given.includes('admin') ? 'admin' : 'member';
  }
}

/** The memberships in the service and its database. */
class Real {
  private readonly mappings = new Map<string, string>();

  private constructor(
    private readonly fixture: ScimFixture,
    private readonly users: readonly string[],
    private readonly workspaces: readonly string[],
    private readonly groups: string[],
  ) {}

  static async make(fixture: ScimFixture, users: readonly string[]): Promise<Real> {
    const groups: string[] = [];
    while (groups.length < GROUPS) groups.push(await fixture.group());
    const workspaces: string[] = [];
    while (workspaces.length < WORKSPACES) workspaces.push(await fixture.workspace());
    return new Real(fixture, users, workspaces, groups);
  }

  async apply(done: Step): Promise<void> {
    const { app, organization } = this.fixture;
    const { organizationId } = organization;
    const service = app.application.get(ScimGroupsService);
    switch (done.does) {
      case 'join':
        await service.addMembers(COMMAND_LINE, organizationId, this.groups[done.group]!, [this.users[done.user]!]);
        break;
      case 'leave':
        await service.removeMembers(COMMAND_LINE, organizationId, this.groups[done.group]!, [this.users[done.user]!]);
        break;
      case 'map': {
        const { status, body } = await this.fixture.tryToMap(
          this.groups[done.group]!,
          this.workspaces[done.workspace]!,
          done.role,
        );
        expect(status).toBe(this.mappings.has(pair(done.group, done.workspace)) ? 409 : 200);
        if (status === 200) this.mappings.set(pair(done.group, done.workspace), body.data.id);
        break;
      }
      case 'patch':
        await this.onMapping('PATCH', done, '', { role: done.role });
        break;
      case 'unmap':
        await this.onMapping('DELETE', done, `?keep_members=${done.keep}`);
        this.mappings.delete(pair(done.group, done.workspace));
        break;
      case 'add':
        expect((await this.byHand('add', done.workspace, done.user)).status).toBe(200);
        break;
      case 'remove':
        expect([200, 400]).toContain((await this.byHand('remove', done.workspace, done.user)).status);
        break;
      case 'removeGroup':
        await service.remove(COMMAND_LINE, organizationId, this.groups[done.group]!);
        for (let number = 0; number < WORKSPACES; number += 1) this.mappings.delete(pair(done.group, number));
        // What is done to the group from now on is done to another one, which is as empty.
        this.groups[done.group] = await this.fixture.group();
    }
  }

  async expectToBe(model: Model): Promise<void> {
    for (const [number, workspaceId] of this.workspaces.entries()) {
      const expected = model
        .memberships(number)
        .map((membership, userNumber) => ({ user_id: this.users[userNumber]!, ...membership }))
        .filter(({ manual_role: manual, scim_role: scim }) => manual !== null || scim !== null)
        .sort((one, other) => (one.user_id < other.user_id ? -1 : 1));
      expect(await this.fixture.memberships(workspaceId)).toEqual(expected);
    }
  }

  private byHand(verb: 'add' | 'remove', workspaceNumber: number, userNumber: number): Promise<Answer> {
    return this.fixture.app.api.post(`/workspaces/${this.workspaces[workspaceNumber]}/members/${verb}`, {
      key: this.fixture.organization.managementKey,
      json: { user_ids: [this.users[userNumber]] },
    });
  }

  private async onMapping(
    method: string,
    done: { readonly group: number; readonly workspace: number },
    query: string,
    json?: object,
  ): Promise<void> {
    const id = this.mappings.get(pair(done.group, done.workspace));
    if (id === undefined) return;
    const { status } = await this.fixture.app.api.send(method, `/scim/group-mappings/${id}${query}`, {
      key: this.fixture.organization.managementKey,
      json,
    });
    expect(status).toBe(200);
  }
}

describe('memberships of workspaces after random changes', () => {
  const app = sharedApplication();
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));
  let users: string[];
  const roles: MemberRole[] = ['admin', 'member', 'member', 'member'];

  beforeAll(async () => {
    users = [];
    for (const organizationRole of roles) users.push(...(await fixture.users(1, organizationRole)));
  });

  it('are those that a model computes from groups, mappings and members added by hand', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
        const model = new Model(roles);
        const real = await Real.make(fixture, users);
        for (const done of steps) {
          model.apply(done);
          await real.apply(done);
          await real.expectToBe(model);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
