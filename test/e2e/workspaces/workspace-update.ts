import { sharedApplication } from '../../support/application/shared-application.js';
import type { UpdateWorkspaceResponse, Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { newWorkspace, workspaceRow } from '../../support/resources/workspaces.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** What the tests of updateWorkspace send, and what they look at. */
export function workspaceUpdate() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  let count = 0;

  const make = (fields: object = {}): Promise<Workspace> => newWorkspace(app, organization, `w-${++count}`, fields);

  const patch = (reference: string, json: unknown, owner = organization): Promise<Answer<UpdateWorkspaceResponse>> =>
    app.api.patch(`/workspaces/${reference}`, { key: owner.managementKey, json });

  const changed = async (reference: string, json: object): Promise<Workspace> => {
    const answer = await patch(reference, json);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    expectToFitContract('updateWorkspace', 200, answer.body);
    return answer.body.data;
  };

  /** Refused, with the row as it was and nothing recorded. */
  const expectRefused = async (
    { id }: Workspace,
    json: unknown,
    refusal: { status: number; reason: string; paths?: readonly string[] },
  ): Promise<void> => {
    const state = async (): Promise<unknown> => [await workspaceRow(app, id), await auditEventsOf(app, id)];
    const before = await state();
    const answer = await patch(id, json);
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expectToFitContract('updateWorkspace', refusal.status, answer.body);
    expect(await state()).toEqual(before);
  };

  return { app, organization, make, patch, changed, expectRefused };
}
