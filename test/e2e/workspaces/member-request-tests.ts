import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf, type RecordedEvent } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { ScimFixture } from '../../support/resources/scim.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

const OPERATIONS = { add: 'bulkAddWorkspaceMembers', remove: 'bulkRemoveWorkspaceMembers' } as const;

/** What a request to add or remove members of a workspace can name. */
export const MAX_USERS = 100;

/** A workspace whose members are added or removed. */
export class WorkspaceMembersFixture {
  private constructor(
    readonly app: TestApplication,
    readonly scim: ScimFixture,
    readonly verb: keyof typeof OPERATIONS,
    readonly workspace: string,
  ) {}

  static async make(app: TestApplication, verb: keyof typeof OPERATIONS): Promise<WorkspaceMembersFixture> {
    const scim = await ScimFixture.make(app);
    return new WorkspaceMembersFixture(app, scim, verb, await scim.workspace());
  }

  get organization(): NewOrganization {
    return this.scim.organization;
  }

  get operationId(): string {
    return OPERATIONS[this.verb];
  }

  path(workspace = this.workspace): string {
    return `/workspaces/${workspace}/members/${this.verb}`;
  }

  send<Body = unknown>(json: unknown, workspace = this.workspace): Promise<Answer<Body>> {
    return this.app.api.post<Body>(this.path(workspace), { key: this.organization.managementKey, json });
  }

  async done<Body>(userIds: readonly string[], workspace = this.workspace): Promise<Body> {
    const answer = await this.send<Body>({ user_ids: userIds }, workspace);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
    expectToFitContract(this.operationId, 200, answer.body);
    return answer.body;
  }

  /** Sends what changes nothing, and checks how it is refused. */
  async expectRefused(json: unknown, refusal: Refusal, workspace = this.workspace): Promise<Answer> {
    const before = await this.everything();
    const answer = await this.send(json, workspace);
    expectRefusal(answer, { userId: this.organization.userId, ...refusal });
    expectToFitContract(this.operationId, refusal.status, answer.body);
    expect(await this.everything()).toEqual(before);
    return answer;
  }

  /** Makes users members of the workspace by hand. */
  async join(userIds: readonly string[]): Promise<void> {
    for (const userId of userIds) {
      await this.app.factory.workspaceMember(this.organization.organizationId, this.workspace, userId, 'member');
    }
  }

  events(): Promise<RecordedEvent[]> {
    return auditEventsOf(this.app, this.workspace);
  }

  rows(): Promise<Record<string, unknown>[]> {
    return this.app.rows('SELECT * FROM workspace_members WHERE workspace_id = $1 ORDER BY id', [this.workspace]);
  }

  private async everything(): Promise<unknown[]> {
    return [
      await this.app.rows('SELECT * FROM workspace_members ORDER BY id'),
      await this.app.rows('SELECT id FROM audit_events ORDER BY id'),
    ];
  }
}

/** The tests of what is refused alike when members are added and when they are removed. */
export function describeMemberRequests(fixture: () => WorkspaceMembersFixture): void {
  describe('for any request', () => {
    it(`answers 400 for more than ${MAX_USERS} users, and not for ${MAX_USERS}`, async () => {
      const users = Array.from({ length: MAX_USERS + 1 }, (_, index) => `user_${index}`);
      const refusal = { status: 400, reason: 'invalid_parameters', paths: ['user_ids'] };

      await fixture().expectRefused({ user_ids: users }, refusal);
      const answer = await fixture().send({ user_ids: users.slice(1) });
      expect(answer.text).not.toContain('invalid_parameters');
    });

    it.each([
      [{}, ['user_ids']],
      [{ user_ids: [] }, ['user_ids']],
      [{ user_ids: 'user_1' }, ['user_ids']],
      [{ user_ids: null }, ['user_ids']],
      [{ user_ids: ['user_1', 1, null] }, ['user_ids[1]', 'user_ids[2]']],
      [{ user_ids: [{}], role: 'admin', force: true }, ['user_ids[0]', 'role', 'force']],
    ])('answers 400 for %j, and names every issue', async (json, paths) => {
      await fixture().expectRefused(json, { status: 400, reason: 'invalid_parameters', paths });
    });

    it.each(someMalformedBodies({ user_ids: ['user_1'] }))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        const { app, organization } = fixture();
        const answer = await app.api.post(fixture().path(), { key: organization.managementKey, ...request });
        expectRefusal(answer, { userId: organization.userId, ...refusal });
        expect(await fixture().rows()).toEqual([]);
      },
    );

    it("answers 404 for a missing workspace and for another organization's", async () => {
      const { app, organization } = fixture();
      const other = await app.factory.organization();
      const theirs = await app.factory.workspace(other, 'theirs');

      for (const reference of [UNKNOWN_UUID, 'nowhere', theirs, 'theirs', other.workspaceId]) {
        const refusal = { status: 404, reason: 'workspace_not_found' };
        await fixture().expectRefused({ user_ids: [organization.userId] }, refusal, reference);
      }
    });

    it('answers 400 for the default workspace, whose members are those of the organization', async () => {
      const { organization } = fixture();
      for (const reference of ['default', organization.workspaceId]) {
        const refusal = { status: 400, reason: 'default_workspace_members', paths: ['id'] };
        await fixture().expectRefused({ user_ids: [organization.userId] }, refusal, reference);
      }
    });
  });
}
