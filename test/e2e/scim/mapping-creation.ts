import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { CreateScimGroupMappingResponse } from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

export const PATH = '/scim/group-mappings';

export interface Pair {
  readonly scim_group_id: string;
  readonly workspace_id: string;
}

/** What the tests of createScimGroupMapping send, and what they look at. */
export function mappingCreation() {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.enableScim(organization));

  const newPair = async (owner = organization): Promise<Pair> => ({
    scim_group_id: await app.factory.scimGroup(owner),
    workspace_id: await app.factory.workspace(owner),
  });

  const create = (json: object, owner = organization, through = app): Promise<Answer<CreateScimGroupMappingResponse>> =>
    through.api.post(PATH, { key: owner.managementKey, json });

  const rows = (): Promise<Record<string, unknown>[]> => app.rows('SELECT * FROM scim_group_mappings ORDER BY id');

  const expectRefused = async (json: object, refusal: Refusal, owner = organization): Promise<void> => {
    const before = await rows();
    const answer = await create(json, owner);
    expectRefusal(answer, { userId: owner.userId, ...refusal });
    expectToFitContract('createScimGroupMapping', answer.status, answer.body);
    expect(await rows()).toEqual(before);
  };

  const MISSING_BOTH: Refusal = {
    status: 400,
    reason: 'invalid_parameters',
    paths: ['scim_group_id', 'workspace_id'],
  };

  return { app, replica, organization, newPair, create, rows, expectRefused, MISSING_BOTH };
}
