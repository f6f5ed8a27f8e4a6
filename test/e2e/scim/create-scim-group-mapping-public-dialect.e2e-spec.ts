import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { mappingCreation } from './mapping-creation.js';

describe('createScimGroupMapping', () => {
  const { app, organization, newPair, create } = mappingCreation();

  describe('with API_DIALECT=public', () => {
    let publicApp: TestApplication;

    beforeAll(async () => {
      publicApp = await TestApplication.start({ database: app.database, variables: { API_DIALECT: 'public' } });
    });

    afterAll(() => publicApp.stop());

    it('answers 201, with the same body', async () => {
      const pair = await newPair();

      const answer = await create(pair, organization, publicApp);

      expect(answer.status).toBe(201);
      expectToFitContract('createScimGroupMapping', 201, answer.body);
      expect(Object.keys(answer.body.data).sort()).toEqual([
        'created_at',
        'id',
        'organization_id',
        'role',
        'scim_group_id',
        'updated_at',
        'workspace_id',
      ]);
      expect(answer.body.data).toMatchObject(pair);
      expect(
        await app.rows('SELECT scim_group_id, workspace_id FROM scim_group_mappings WHERE id = $1', [
          answer.body.data.id,
        ]),
      ).toEqual([pair]);
    });

    it('answers 404 and 409 as the default dialect does', async () => {
      const pair = await newPair();
      await create(pair, organization, publicApp);

      const conflict = await create(pair, organization, publicApp);
      const missing = await create({ ...pair, workspace_id: UNKNOWN_UUID }, organization, publicApp);

      expectRefusal(conflict, { status: 409, reason: 'scim_group_mapping_exists', userId: organization.userId });
      expectRefusal(missing, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    });
  });
});
