import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import { issueAuthorizationCode, issueCredential } from '../../src/modules/keys/key-format.js';
import { CALLBACK_URL } from '../support/authorization-code.js';
import { importCatalog, imageModelEntry, modelEntry } from '../support/catalog-entries.js';
import { newTenant, rowsOfOthers, type Tenant } from '../support/tenants.js';
import { TestApplication } from '../support/test-application.js';
import { UNKNOWN_UUID } from '../support/wire-forms.js';

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly json?: object;
  /** The caller's management key when left out. */
  readonly key?: string;
}

/** A call that names what is another organization's, and the same with what there is not: the answers must be alike. */
interface Attempt {
  readonly status: number;
  readonly foreign: Call;
  readonly missing: Call;
}

/** What each operation could be told of another organization. */
type Case = (ours: Tenant, theirs: Tenant) => Record<string, Attempt>;

const UNKNOWN_SLUG = 'nowhere';

const UNKNOWN_HASH = issueCredential('api_key').hash.toString('hex');

function attempt(status: number, call: (id: string) => Call, foreign: string, missing: string): Attempt {
  return { status, foreign: call(foreign), missing: call(missing) };
}

/** A case for every operation, by its operationId. */
const CASES: Readonly<Record<string, Case>> = {
  createGuardrail: (_, theirs) => {
    const inWorkspace = (workspace_id: string): Call => ({
      method: 'POST',
      path: '/guardrails',
      json: { name: 'Intruder', workspace_id },
    });
    return {
      'in a workspace': attempt(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'in the default workspace': attempt(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      'in a workspace in capitals': attempt(400, inWorkspace, theirs.workspaceId.toUpperCase(), UNKNOWN_UUID),
    };
  },

  listGuardrails: (_, theirs) => {
    const ofWorkspace = (id: string): Call => ({ method: 'GET', path: `/guardrails?workspace_id=${id}` });
    return {
      'of a workspace': attempt(200, ofWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'of the default workspace': attempt(200, ofWorkspace, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  exchangeAuthCodeForAPIKey: (ours, theirs) => {
    const unknown = issueAuthorizationCode().plaintext;
    const exchange =
      (key?: string) =>
      (code: string): Call => ({
        method: 'POST',
        path: '/auth/keys',
        json: { code },
        ...(key !== undefined && { key }),
      });
    const { code, ...proof } = theirs.challengedCode;
    const withProof = (some: string): Call => ({ method: 'POST', path: '/auth/keys', json: { code: some, ...proof } });
    return {
      'a code': attempt(403, exchange(), theirs.code, unknown),
      'a code, with an API key': attempt(403, exchange(ours.apiKey), theirs.code, unknown),
      'a code, with a client secret': attempt(403, exchange(ours.clientSecret), theirs.code, unknown),
      'a code, with its verifier': attempt(403, withProof, code, unknown),
      'a code without its verifier': attempt(403, exchange(), code, unknown),
      'a code that is used': attempt(403, exchange(), theirs.usedCode, unknown),
    };
  },

  createAuthKeysCode: (_, theirs) => {
    const create = (json: object): Call => ({
      method: 'POST',
      path: '/auth/keys/code',
      json: { callback_url: CALLBACK_URL, ...json },
    });
    const forUser = (user_id: string): Call => create({ user_id });
    const inWorkspace = (workspace_id: string): Call => create({ workspace_id });
    return {
      'for an administrator': attempt(400, forUser, theirs.userId, 'user_nobody'),
      'for a member': attempt(400, forUser, theirs.memberId, 'user_nobody'),
      'in a workspace': attempt(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'in the default workspace': attempt(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  deleteKeys: (ours, theirs) => {
    const remove =
      (key?: string) =>
      (hash: string): Call => ({
        method: 'DELETE',
        path: `/keys/${hash}`,
        ...(key !== undefined && { key }),
      });
    return {
      'an API key': attempt(404, remove(), theirs.apiKeyHash, UNKNOWN_HASH),
      'a management key': attempt(404, remove(), theirs.managementKeyHash, UNKNOWN_HASH),
      "a client's key": attempt(404, remove(), theirs.clientKeyHash, UNKNOWN_HASH),
      'an API key, with a client secret': attempt(404, remove(ours.clientSecret), theirs.apiKeyHash, UNKNOWN_HASH),
      "a client's key, with a client secret": attempt(
        404,
        remove(ours.clientSecret),
        theirs.clientKeyHash,
        UNKNOWN_HASH,
      ),
    };
  },

  createScimGroupMapping: (ours, theirs) => {
    const map = (scim_group_id: string, workspace_id: string): Call => ({
      method: 'POST',
      path: '/scim/group-mappings',
      json: { scim_group_id, workspace_id },
    });
    const none = map(UNKNOWN_UUID, UNKNOWN_UUID);
    const ofGroup = (id: string): Call => map(id, ours.workspaceId);
    const toWorkspace = (id: string): Call => map(ours.scimGroupId, id);
    return {
      'of a group': attempt(404, ofGroup, theirs.scimGroupId, UNKNOWN_UUID),
      'of a group that is mapped': attempt(404, ofGroup, theirs.mappedScimGroupId, UNKNOWN_UUID),
      'to a workspace': attempt(404, toWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'to the default workspace': attempt(404, toWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      'of a group to a workspace': { status: 404, foreign: map(theirs.scimGroupId, theirs.workspaceId), missing: none },
      'of a pair that is mapped': {
        status: 404,
        foreign: map(theirs.mappedScimGroupId, theirs.otherWorkspaceId),
        missing: none,
      },
    };
  },

  // It takes no ids: what is theirs must not be in it.
  listScimGroupMappings: () => sameForAll({ method: 'GET', path: '/scim/group-mappings' }),

  // The catalog belongs to no organization: everybody is answered the same.
  listImageModels: (_, theirs) => sameForBoth({ method: 'GET', path: '/images/models' }, theirs),
  getModel: (_, theirs) => sameForBoth({ method: 'GET', path: '/model/acme/model' }, theirs),

  listPresetVersions: (ours, theirs) => {
    const ofSlug = (slug: string): Call => ({ method: 'GET', path: `/presets/${slug}/versions` });
    const withApiKey = (slug: string): Call => ({ ...ofSlug(slug), key: ours.apiKey });
    const inWorkspace =
      (key?: string) =>
      (id: string): Call => ({
        method: 'GET',
        path: `/presets/${theirs.presetSlug}/versions?workspace_id=${id}`,
        ...(key !== undefined && { key }),
      });
    return {
      'of a preset': attempt(404, ofSlug, theirs.presetSlug, UNKNOWN_SLUG),
      'of a preset, with an API key': attempt(404, withApiKey, theirs.presetSlug, UNKNOWN_SLUG),
      'of a preset in a workspace': attempt(404, inWorkspace(), theirs.workspaceId, UNKNOWN_UUID),
      'of a preset in a workspace, with an API key': attempt(
        404,
        inWorkspace(ours.apiKey),
        theirs.workspaceId,
        UNKNOWN_UUID,
      ),
      'of a preset in another workspace': attempt(404, inWorkspace(), theirs.otherWorkspaceId, UNKNOWN_UUID),
    };
  },

  listWorkspaceMembers: (_, theirs) => {
    const of = (id: string): Call => ({ method: 'GET', path: `/workspaces/${id}/members` });
    return {
      'of a workspace': attempt(404, of, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'of a workspace by slug': attempt(404, of, theirs.otherWorkspaceSlug, UNKNOWN_SLUG),
      'of the default workspace': attempt(404, of, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  deleteWorkspaceBudget: (_, theirs) => {
    const of = (id: string): Call => ({ method: 'DELETE', path: `/workspaces/${id}/budgets/monthly` });
    return {
      'of a workspace': attempt(404, of, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'of a workspace by slug': attempt(404, of, theirs.otherWorkspaceSlug, UNKNOWN_SLUG),
      'of the default workspace': attempt(404, of, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  getObservabilityDestination: (_, theirs) => {
    const of = (id: string): Call => ({ method: 'GET', path: `/observability/destinations/${id}` });
    return {
      'by id': attempt(404, of, theirs.destinationId, UNKNOWN_UUID),
      'by id in capitals': attempt(404, of, theirs.destinationId.toUpperCase(), UNKNOWN_UUID),
      'by the id of something else': attempt(404, of, theirs.workspaceId, UNKNOWN_UUID),
    };
  },
};

function sameForAll(call: Call): Record<string, Attempt> {
  return { 'without an id': { status: 200, foreign: call, missing: call } };
}

function sameForBoth(call: Call, theirs: Tenant): Record<string, Attempt> {
  return { 'with the key of either': { status: 200, foreign: call, missing: { ...call, key: theirs.managementKey } } };
}

describe("another organization's ids", () => {
  let app: TestApplication;
  let ours: Tenant;
  let theirs: Tenant;

  beforeAll(async () => {
    app = await TestApplication.start();
    await importCatalog(app, {
      models: [modelEntry('acme/model')],
      image_models: [imageModelEntry('acme/painter', [{}])],
    });
    ours = await newTenant(app, 'ours');
    theirs = await newTenant(app, 'theirs');
  });

  afterAll(() => app.stop());

  const send = async ({
    method,
    path,
    json,
    key = ours.managementKey,
  }: Call): Promise<[status: number, text: string]> => {
    // The same request id, so that the answers can be compared byte by byte.
    const answer = await app.api.send(method, path, { key, json, headers: { 'x-request-id': 'the-same' } });
    return [answer.status, answer.text];
  };

  it('have a case for every operation that there is', () => {
    const operations = app.application
      .get(DeclaredRoutes)
      .all()
      .filter(({ isOperation }) => isOperation)
      .map(({ method }) => method);

    expect(operations.length).toBeGreaterThanOrEqual(13);
    expect(Object.keys(CASES).sort()).toEqual(operations.sort());
  });

  it.each(Object.keys(CASES))(
    'say no more to %s than ids of nothing, and let it change nothing',
    async (operationId) => {
      const attempts = Object.entries(CASES[operationId]!(ours, theirs));
      const before = await rowsOfOthers(app, ours.organizationId);
      const identifiers = identifiersOf(theirs);
      expect(attempts).not.toEqual([]);

      for (const [name, { status, foreign, missing }] of attempts) {
        const foreignAnswer = await send(foreign);
        expect([name, ...foreignAnswer]).toEqual([name, ...(await send(missing))]);
        expect([name, foreignAnswer[0]]).toEqual([name, status]);
        expect(identifiers.filter((identifier) => foreignAnswer[1].includes(identifier))).toEqual([]);
      }

      expect(await rowsOfOthers(app, ours.organizationId)).toEqual(before);
    },
  );

  it('do not draw a code to a client of theirs that has the same callback URL', async () => {
    const json = { callback_url: theirs.clientCallbackUrl };
    const [, text] = await send({ method: 'POST', path: '/auth/keys/code', json });
    const exchange = {
      method: 'POST',
      path: '/auth/keys',
      json: { code: (JSON.parse(text) as { data: { id: string } }).data.id },
    } as const;

    expect((await send({ ...exchange, key: theirs.clientSecret }))[0]).toBe(403);
    expect((await send(exchange))[0]).toBe(200);
    expect(
      await app.rows('SELECT connect_client_id FROM authorization_codes WHERE callback_url = $1', [json.callback_url]),
    ).toEqual([{ connect_client_id: null }]);
  });

  it('are worth something to their own organization, so that the cases above show something', async () => {
    const answers = [
      await send({
        method: 'GET',
        path: `/guardrails?workspace_id=${theirs.otherWorkspaceId}`,
        key: theirs.managementKey,
      }),
      await send({ method: 'GET', path: `/presets/${theirs.presetSlug}/versions`, key: theirs.apiKey }),
      await send({
        method: 'GET',
        path: `/presets/${theirs.otherPresetSlug}/versions?workspace_id=${theirs.otherWorkspaceId}`,
        key: theirs.managementKey,
      }),
      await send({
        method: 'GET',
        path: `/workspaces/${theirs.otherWorkspaceSlug}/members`,
        key: theirs.managementKey,
      }),
      await send({
        method: 'GET',
        path: `/observability/destinations/${theirs.destinationId}`,
        key: theirs.managementKey,
      }),
      await send({ method: 'GET', path: '/scim/group-mappings', key: theirs.managementKey }),
      await send({
        method: 'DELETE',
        path: `/workspaces/${theirs.otherWorkspaceSlug}/budgets/monthly`,
        key: theirs.managementKey,
      }),
      await send({ method: 'POST', path: '/auth/keys', json: { code: theirs.code }, key: theirs.apiKey }),
      await send({ method: 'POST', path: '/auth/keys', json: theirs.challengedCode, key: theirs.managementKey }),
      await send({ method: 'DELETE', path: `/keys/${theirs.clientKeyHash}`, key: theirs.clientSecret }),
      await send({ method: 'DELETE', path: `/keys/${theirs.apiKeyHash}`, key: theirs.managementKey }),
      await send({
        method: 'POST',
        path: '/scim/group-mappings',
        json: { scim_group_id: theirs.scimGroupId, workspace_id: theirs.workspaceId },
        key: theirs.managementKey,
      }),
    ];

    expect(answers.map(([status]) => status)).toEqual(answers.map(() => 200));
    expect(answers.slice(0, 6).filter(([, text]) => text.includes('"data":[]'))).toEqual([]);
  });
});

/** What would give the tenant away in an answer. */
function identifiersOf(tenant: Tenant): string[] {
  return [
    tenant.organizationId,
    tenant.userId,
    tenant.memberId,
    tenant.workspaceId,
    tenant.otherWorkspaceId,
    tenant.otherWorkspaceSlug,
    tenant.presetSlug,
    tenant.destinationId,
    tenant.apiKeyHash,
    tenant.managementKeyHash,
    tenant.clientKeyHash,
    tenant.scimGroupId,
    tenant.mappedScimGroupId,
  ];
}
