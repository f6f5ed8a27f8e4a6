import type { ListScimGroupMappingsResponse } from '../../../src/modules/scim/dto/scim.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { mappingCreation, PATH, type Pair } from './mapping-creation.js';

describe('createScimGroupMapping', () => {
  const { app, replica, organization, newPair, create, expectRefused, MISSING_BOTH } = mappingCreation();

  it('answers 200 and maps a group to a workspace, as member by default', async () => {
    const pair = await newPair();

    const answer = await create(pair);

    expect(answer.status).toBe(200);
    expectToFitContract('createScimGroupMapping', 200, answer.body);
    const { data } = answer.body;
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(UUID_V7) as string,
        ...pair,
        organization_id: organization.organizationId,
        role: 'member',
        created_at: expect.stringMatching(TIMESTAMP) as string,
        updated_at: data.created_at,
      },
    });
    expect(await app.rows('SELECT * FROM scim_group_mappings WHERE id = $1', [data.id])).toEqual([
      {
        ...data,
        created_at: new Date(data.created_at),
        updated_at: new Date(data.updated_at),
      },
    ]);
  });

  it.each(['admin', 'member'])('answers 200 and gives the members the role %s', async (role) => {
    const { status, body } = await create({ ...(await newPair()), role });

    expect(status).toBe(200);
    expect(body.data.role).toBe(role);
    expect(await app.rows('SELECT role FROM scim_group_mappings WHERE id = $1', [body.data.id])).toEqual([{ role }]);
  });

  it('answers 200 for the default workspace', async () => {
    const { workspaceId } = organization;
    const pair = { scim_group_id: await app.factory.scimGroup(organization), workspace_id: workspaceId };

    expect((await create(pair)).body.data).toMatchObject(pair);
  });

  it('answers 200 for one group and several workspaces, and for several groups and one workspace', async () => {
    const [one, other] = [await newPair(), await newPair()];
    const pairs = [
      one,
      other,
      { ...one, workspace_id: other.workspace_id },
      { ...other, workspace_id: one.workspace_id },
    ];

    for (const pair of pairs) expect((await create(pair)).status).toBe(200);

    expect(
      await app.rows(
        `SELECT scim_group_id, workspace_id FROM scim_group_mappings WHERE scim_group_id = ANY ($1) ORDER BY created_at, id`,
        [[one.scim_group_id, other.scim_group_id]],
      ),
    ).toEqual(pairs);
  });

  it('answers 200 for ids in capitals, in lower case, and 409 for the same ids again', async () => {
    const pair = await newPair();
    const inCapitals = {
      scim_group_id: pair.scim_group_id.toUpperCase(),
      workspace_id: pair.workspace_id.toUpperCase(),
    };

    const { status, body } = await create(inCapitals);

    expect(status).toBe(200);
    expect(body.data).toMatchObject(pair);
    await expectRefused(pair, { status: 409, reason: 'scim_group_mapping_exists' });
    await expectRefused(inCapitals, { status: 409, reason: 'scim_group_mapping_exists' });
  });

  it('answers 200 and is listed', async () => {
    const owner = await app.factory.organization();
    await app.factory.enableScim(owner);
    const { body } = await create({ ...(await newPair(owner)), role: 'admin' }, owner);

    const list = await app.api.get<ListScimGroupMappingsResponse>(PATH, { key: owner.managementKey });

    expect(list.body).toEqual({ data: [body.data], total_count: 1 });
  });

  describe('for a pair that is mapped already', () => {
    it.each([{}, { role: 'member' }, { role: 'admin' }])('answers 409, also with %j', async (role) => {
      const pair = await newPair();
      await create(pair);

      await expectRefused({ ...pair, ...role }, { status: 409, reason: 'scim_group_mapping_exists' });
    });

    it('answers 200 again once the mapping is deleted', async () => {
      const pair = await newPair();
      const { body } = await create(pair);
      await app.rows('DELETE FROM scim_group_mappings WHERE id = $1', [body.data.id]);

      expect((await create(pair)).status).toBe(200);
    });

    it.each([2, 20])(
      'answers 200 once and 409 otherwise when %d ask for it at the same time on two replicas',
      async (count) => {
        const pair = await newPair();

        const answers = await Promise.all(
          Array.from({ length: count }, (_, index) => create(pair, organization, index % 2 === 0 ? app : replica)),
        );

        const [made, ...further] = answers.filter((answer) => answer.status === 200);
        expect(further).toEqual([]);
        for (const answer of answers.filter(({ status }) => status !== 200)) {
          expectRefusal(answer, { status: 409, reason: 'scim_group_mapping_exists', userId: organization.userId });
        }
        expect(
          await app.rows('SELECT id FROM scim_group_mappings WHERE scim_group_id = $1', [pair.scim_group_id]),
        ).toEqual([{ id: made!.body.data.id }]);
      },
    );

    it('answers 404 in another organization, as for a pair that is not mapped', async () => {
      const other = await app.factory.organization();
      await app.factory.enableScim(other);
      const [mapped, notMapped] = [await newPair(other), await newPair(other)];
      expect((await create(mapped, other)).status).toBe(200);

      await expectRefused(mapped, { status: 404, reason: 'scim_group_not_found' });
      await expectRefused(notMapped, { status: 404, reason: 'scim_group_not_found' });
    });
  });

  describe('for a group or workspace of another organization or of none', () => {
    const otherPair = async (): Promise<Pair> => newPair(await app.factory.organization());

    it.each([
      ['an unknown group', () => ({ scim_group_id: UNKNOWN_UUID }), 'scim_group_not_found'],
      ['an unknown workspace', () => ({ workspace_id: UNKNOWN_UUID }), 'workspace_not_found'],
      ['both unknown', () => ({ scim_group_id: UNKNOWN_UUID, workspace_id: UNKNOWN_UUID }), 'scim_group_not_found'],
      [
        "another organization's group",
        async () => ({ scim_group_id: (await otherPair()).scim_group_id }),
        'scim_group_not_found',
      ],
      [
        "another organization's workspace",
        async () => ({ workspace_id: (await otherPair()).workspace_id }),
        'workspace_not_found',
      ],
      ["both another organization's", otherPair, 'scim_group_not_found'],
    ])('answers 404 for %s', async (_, foreign: () => object | Promise<object>, reason) => {
      await expectRefused({ ...(await newPair()), ...(await foreign()) }, { status: 404, reason });
    });

    it('answers 404 for a group id as workspace and a workspace id as group', async () => {
      const pair = await newPair();

      await expectRefused(
        { scim_group_id: pair.workspace_id, workspace_id: pair.scim_group_id },
        { status: 404, reason: 'scim_group_not_found' },
      );
    });
  });

  describe('in an organization without SCIM', () => {
    it('answers 404 to every request', async () => {
      const other = await app.factory.organization();

      for (const pair of [await newPair(other), { scim_group_id: UNKNOWN_UUID, workspace_id: UNKNOWN_UUID }]) {
        await expectRefused(pair, { status: 404, reason: 'scim_not_enabled' }, other);
      }
    });

    it('answers 400 to a faulty request ahead of 404', async () => {
      const other = await app.factory.organization();

      await expectRefused({}, MISSING_BOTH, other);
    });

    it('answers 404 until SCIM is enabled, and 200 from then on without a restart', async () => {
      const other = await app.factory.organization();
      const pair = await newPair(other);
      await expectRefused(pair, { status: 404, reason: 'scim_not_enabled' }, other);

      await app.factory.enableScim(other);

      expect((await create(pair, other)).status).toBe(200);
    });
  });
});
