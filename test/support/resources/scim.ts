import type { MemberRole } from '../../../src/auth/roles.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { CreateScimGroupMappingResponse, ScimGroupMapping } from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../network/api-client.js';
import type { TestApplication } from '../application/test-application.js';

/** What a membership of a workspace is, and what it comes from. */
export interface MembershipRow {
  readonly user_id: string;
  readonly role: MemberRole;
  readonly manual_role: MemberRole | null;
  readonly scim_role: MemberRole | null;
}

/** An organization with SCIM, and what tests of memberships do in it. */
export class ScimFixture {
  private constructor(
    readonly app: TestApplication,
    readonly organization: NewOrganization,
  ) {}

  static async make(app: TestApplication): Promise<ScimFixture> {
    const organization = await app.factory.organization();
    await app.factory.enableScim(organization);
    return new ScimFixture(app, organization);
  }

  workspace(): Promise<string> {
    return this.app.factory.workspace(this.organization);
  }

  /** Users who are members of the organization. */
  async users(count: number, role: MemberRole = 'member'): Promise<string[]> {
    const userIds: string[] = [];
    while (userIds.length < count) {
      userIds.push(await this.app.factory.member(this.organization.organizationId, role));
    }
    return userIds;
  }

  /** A group with members. */
  async group(userIds: readonly string[] = []): Promise<string> {
    const id = await this.app.factory.scimGroup(this.organization);
    if (userIds.length > 0) await this.app.factory.scimMembers(this.organization, id, userIds);
    return id;
  }

  /** Maps a group to a workspace. */
  async map(groupId: string, workspaceId: string, role: MemberRole = 'member'): Promise<ScimGroupMapping> {
    const { status, body } = await this.tryToMap(groupId, workspaceId, role);
    expect(status).toBe(200);
    return body.data;
  }

  tryToMap(
    groupId: string,
    workspaceId: string,
    role: MemberRole = 'member',
  ): Promise<Answer<CreateScimGroupMappingResponse>> {
    const json = { scim_group_id: groupId, workspace_id: workspaceId, role };
    return this.app.api.post('/scim/group-mappings', { key: this.organization.managementKey, json });
  }

  /** The memberships of a workspace, as its rows have them. */
  memberships(workspaceId: string): Promise<MembershipRow[]> {
    return this.app.rows(
      'SELECT user_id, role, manual_role, scim_role FROM workspace_members WHERE workspace_id = $1 ORDER BY user_id',
      [workspaceId],
    );
  }

  /** The memberships that mapped groups alone give these users. */
  mapped(userIds: readonly string[], role: MemberRole = 'member'): MembershipRow[] {
    return [...userIds].sort().map((user_id) => ({ user_id, role, manual_role: null, scim_role: role }));
  }
}
