import { sharedApplication } from '../../support/application/shared-application.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ListWorkspaceMembersResponse } from '../../../src/modules/workspaces/members/workspace-member.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';

/** What the tests of listWorkspaceMembers ask for. */
export function workspaceMemberLists() {
  const app = sharedApplication({ topic: 'suite' });

  const pathOf = (workspace: string): string => `/workspaces/${workspace}/members`;

  const list = (
    { managementKey }: NewOrganization,
    workspace: string,
    query = '',
  ): Promise<Answer<ListWorkspaceMembersResponse>> =>
    app.api.get(`${pathOf(workspace)}${query}`, { key: managementKey });

  const usersOf = ({ body }: Answer<ListWorkspaceMembersResponse>): string[] =>
    body.data.map((member) => member.user_id);

  /** Members of the organization that are members of the workspace as well. */
  const join = async (organization: NewOrganization, workspaceId: string, count: number): Promise<string[]> => {
    const userIds: string[] = [];
    while (userIds.length < count) {
      const userId = await app.factory.member(organization.organizationId);
      await app.factory.workspaceMember(organization.organizationId, workspaceId, userId, 'member');
      userIds.push(userId);
    }
    return userIds;
  };

  const expectNotFound = async (organization: NewOrganization, workspace: string): Promise<void> => {
    const answer = await list(organization, workspace);
    expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    expectToFitContract('listWorkspaceMembers', 404, answer.body);
  };

  return { app, pathOf, list, usersOf, join, expectNotFound };
}
