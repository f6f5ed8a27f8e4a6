import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type {
  CreateScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
} from '../../../src/modules/scim/dto/scim-group-mapping.dto.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { malformedBodies } from '../../support/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

const PATH = '/scim/group-mappings';

interface Pair {
  readonly scim_group_id: string;
  readonly workspace_id: string;
}

describe('POST /scim/group-mappings', () => {
  let app: TestApplication;
  let replica: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    replica = await TestApplication.start({ database: app.database });
    organization = await app.factory.organization();
    await app.factory.enableScim(organization);
  });

  afterAll(async () => {
    await replica.stop();
    await app.stop();
  });

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

  it('maps a group to a workspace, as member unless the request says otherwise', async () => {
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

  it.each(['admin', 'member'])('gives the role of %s', async (role) => {
    const { status, body } = await create({ ...(await newPair()), role });

    expect(status).toBe(200);
    expect(body.data.role).toBe(role);
    expect(await app.rows('SELECT role FROM scim_group_mappings WHERE id = $1', [body.data.id])).toEqual([{ role }]);
  });

  it('maps to the default workspace as well', async () => {
    const { workspaceId } = organization;
    const pair = { scim_group_id: await app.factory.scimGroup(organization), workspace_id: workspaceId };

    expect((await create(pair)).body.data).toMatchObject(pair);
  });

  it('maps one group to several workspaces, and several groups to one workspace', async () => {
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

  it('takes ids in capitals for what they are, and answers them in lower case', async () => {
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

  it('lists what it made', async () => {
    const owner = await app.factory.organization();
    await app.factory.enableScim(owner);
    const { body } = await create({ ...(await newPair(owner)), role: 'admin' }, owner);

    const list = await app.api.get<ListScimGroupMappingsResponse>(PATH, { key: owner.managementKey });

    expect(list.body).toEqual({ data: [body.data], total_count: 1 });
  });

  describe('a pair that is mapped already', () => {
    it.each([{}, { role: 'member' }, { role: 'admin' }])('is a conflict, also with %j', async (role) => {
      const pair = await newPair();
      await create(pair);

      await expectRefused({ ...pair, ...role }, { status: 409, reason: 'scim_group_mapping_exists' });
    });

    it('can be mapped again once the mapping is gone', async () => {
      const pair = await newPair();
      const { body } = await create(pair);
      await app.rows('DELETE FROM scim_group_mappings WHERE id = $1', [body.data.id]);

      expect((await create(pair)).status).toBe(200);
    });

    it.each([2, 20])('is mapped once when %i ask for it at the same time on two replicas', async (count) => {
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
    });

    it('of another organization is not found, like one that is not mapped', async () => {
      const other = await app.factory.organization();
      await app.factory.enableScim(other);
      const [mapped, notMapped] = [await newPair(other), await newPair(other)];
      expect((await create(mapped, other)).status).toBe(200);

      await expectRefused(mapped, { status: 404, reason: 'scim_group_not_found' });
      await expectRefused(notMapped, { status: 404, reason: 'scim_group_not_found' });
    });
  });

  describe("a group or workspace that is not the organization's", () => {
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
    ])('is not found: %s', async (_, foreign: () => object | Promise<object>, reason) => {
      await expectRefused({ ...(await newPair()), ...(await foreign()) }, { status: 404, reason });
    });

    it("is not found when ids stand in each other's place", async () => {
      const pair = await newPair();

      await expectRefused(
        { scim_group_id: pair.workspace_id, workspace_id: pair.scim_group_id },
        { status: 404, reason: 'scim_group_not_found' },
      );
    });
  });

  describe('an organization without SCIM', () => {
    it('finds nothing, whatever it asks for', async () => {
      const other = await app.factory.organization();

      for (const pair of [await newPair(other), { scim_group_id: UNKNOWN_UUID, workspace_id: UNKNOWN_UUID }]) {
        await expectRefused(pair, { status: 404, reason: 'scim_not_enabled' }, other);
      }
    });

    it('is told first what is wrong with the form of its request', async () => {
      const other = await app.factory.organization();

      await expectRefused({}, MISSING_BOTH, other);
    });

    it('can map once SCIM is set up, without a restart', async () => {
      const other = await app.factory.organization();
      const pair = await newPair(other);
      await expectRefused(pair, { status: 404, reason: 'scim_not_enabled' }, other);

      await app.factory.enableScim(other);

      expect((await create(pair, other)).status).toBe(200);
    });
  });

  const MISSING_BOTH: Refusal = {
    status: 400,
    reason: 'invalid_parameters',
    paths: ['scim_group_id', 'workspace_id'],
  };

  describe('the form of a request', () => {
    it('names every fault at once', async () => {
      await expectRefused({}, MISSING_BOTH);
      await expectRefused(
        { scim_group_id: 'x', role: 'owner', surprise: 1 },
        { ...MISSING_BOTH, paths: ['scim_group_id', 'workspace_id', 'role', 'surprise'] },
      );
    });

    it.each(['scim_group_id', 'workspace_id'])('takes nothing but a UUID for %s', async (field) => {
      const pair = await newPair();
      const valid = pair[field as keyof Pair];
      const faults = [
        null,
        1,
        true,
        [valid],
        {},
        '',
        'default',
        ` ${valid}`,
        `${valid}\n`,
        valid.slice(1),
        `{${valid}}`,
        `urn:uuid:${valid}`,
        valid.replaceAll('-', ''),
        valid.replace(/.$/, 'g'),
      ];
      for (const fault of faults) {
        await expectRefused({ ...pair, [field]: fault }, { status: 400, reason: 'invalid_parameters', paths: [field] });
      }
    });

    it.each([null, '', 'Member', 'owner', 1, true, ['member'], {}])('does not take %j for a role', async (role) => {
      await expectRefused(
        { ...(await newPair()), role },
        { status: 400, reason: 'invalid_parameters', paths: ['role'] },
      );
    });

    it.each(['scim_group_id', 'workspace_id', 'role'])(
      'takes neither NUL nor a lone surrogate in %s',
      async (field) => {
        for (const text of ['\u0000', 'member\u0000', '\ud800', `${UNKNOWN_UUID}\udfff`]) {
          // The text itself, and what it is instead of an id or a role.
          const refusal = { status: 400, reason: 'invalid_parameters', paths: [field, field] };
          await expectRefused({ ...(await newPair()), [field]: text }, refusal);
        }
      },
    );

    it.each(['id', 'organization_id', 'created_at', 'updated_at'])('does not let a caller choose %s', async (field) => {
      const json = { ...(await newPair()), [field]: UNKNOWN_UUID };
      await expectRefused(json, { status: 400, reason: 'invalid_parameters', paths: [field] });
    });

    it('takes no query', async () => {
      const before = await rows();
      const answer = await app.api.post(`${PATH}?role=admin`, {
        key: organization.managementKey,
        json: await newPair(),
      });
      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['role'],
        userId: organization.userId,
      });
      expect(await rows()).toEqual(before);
    });

    it.each(malformedBodies({ scim_group_id: UNKNOWN_UUID, workspace_id: UNKNOWN_UUID }))(
      'does not take %s',
      async (_, request, refusal) => {
        const before = await rows();
        const answer = await app.api.post(PATH, { key: organization.managementKey, ...request });
        expectRefusal(answer, { ...refusal, userId: organization.userId });
        expect(await rows()).toEqual(before);
      },
    );
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization,
    operationId: 'createScimGroupMapping',
    method: 'POST',
    path: PATH,
    json: await newPair(),
  }));

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

    it('refuses with the same statuses', async () => {
      const pair = await newPair();
      await create(pair, organization, publicApp);

      const conflict = await create(pair, organization, publicApp);
      const missing = await create({ ...pair, workspace_id: UNKNOWN_UUID }, organization, publicApp);

      expectRefusal(conflict, { status: 409, reason: 'scim_group_mapping_exists', userId: organization.userId });
      expectRefusal(missing, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    });
  });
});
