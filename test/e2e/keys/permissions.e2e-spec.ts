import { sharedApplication } from '../../support/application/shared-application.js';
import { KEEPS_TO_OWN_METADATA } from '../../../src/auth/authenticated.decorator.js';
import { DeclaredRoutes } from '../../../src/auth/declared-routes.js';
import { isOfOperator, type Permission, SCOPES } from '../../../src/auth/permissions.js';
import { type SuccessfulRequest, successfulRequest } from '../../operations/complete-organization.js';
import { ConsentingPerson } from '../oauth/consenting-person.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';

/** What a management key may call. */
const MANAGED = OPERATION_IDS.filter((name) => OPERATIONS[name]!.callers.includes('management_key'));

/** What needs a permission. */
const PERMITTED = MANAGED.filter((name) => OPERATIONS[name]!.permission !== undefined);

/** What belongs to the operator of the deployment. */
const OF_OPERATOR = PERMITTED.filter((name) => isOfOperator(OPERATIONS[name]!.permission!));

/** What a member of the organization may call who does not administer it: each keeps to what is their own. */
const OF_MEMBERS: readonly string[] = [
  'authorizeMcpConnection',
  'createAuthKeysCode',
  'createKeys',
  'createMcpConnection',
  'deleteKeys',
  'deleteMcpConnection',
  'getAnalyticsMeta',
  'getEffectiveGuardrails',
  'getGeneration',
  'getKey',
  'getPreset',
  'getPresetVersion',
  'getUserActivity',
  'getWorkspace',
  'list',
  'listGenerationContent',
  'listGenerations',
  'listMcpConnections',
  'listPermittedMcpTools',
  'listPresetVersions',
  'listPresets',
  'listWorkspaces',
  'queryAnalytics',
  'rotateKey',
  'submitGenerationFeedback',
  'updateKeys',
];

/** What these need follows from the files, and is asked about in test/e2e/configuration. */
const OF_FILES: readonly string[] = ['applyConfiguration', 'exportConfiguration', 'planConfiguration'];

/**
 * What needs all permissions (test/e2e/keys/identity-permissions.e2e-spec.ts), or all that the key has which it changes
 * (test/e2e/keys/management-keys.e2e-spec.ts).
 */
const NEED_MORE: readonly string[] = [
  ...PERMITTED.filter((name) => OPERATIONS[name]!.decidesIdentity === true),
  'deleteManagementKey',
  'rotateManagementKey',
  'updateManagementKey',
];

/** Whether a permission is the one that is needed, or includes it. */
function includes(permission: Permission, needed: Permission): boolean {
  return permission === needed || permission === needed.replace(/_read$/, '_write');
}

describe('permissions', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = filledBefore(beforeAll, () => sampleOrganization(app));

  /** Requests that are refused, and so can be sent again and again. */
  const refusable = new Map<string, SuccessfulRequest>();
  const keyWith = new Map<Permission, string>();
  const memberKey = { plaintext: '' };
  const member = filledBefore(beforeAll, async () => {
    const userId = await app.factory.member(organization.organizationId);
    const { plaintext } = await app.factory.key(organization, {
      kind: 'management_key',
      userId,
      scopes: ['alerts_read'],
    });
    const { browser } = await ConsentingPerson.signIn(app, organization, userId);
    return { browser, userId, keyOfOtherScopes: plaintext };
  });

  beforeAll(async () => {
    for (const name of PERMITTED) refusable.set(name, await successfulRequest(organization, name));
    for (const permission of SCOPES) {
      const scopes = [permission];
      keyWith.set(permission, (await app.factory.key(organization, { kind: 'management_key', scopes })).plaintext);
    }
    const { userId } = member;
    memberKey.plaintext = (await app.factory.key(organization, { kind: 'management_key', userId })).plaintext;
  });

  const send = ({ method, path, json }: SuccessfulRequest, key: string): Promise<Answer> =>
    app.api.send(method, path, { key, ...(json && { json }) });

  const reasonOf = ({ body }: Pick<Answer, 'body'>): string | undefined =>
    (body as { error?: { metadata?: { reason?: string } } }).error?.metadata?.reason;

  const isMissing = (answer: Answer): boolean => reasonOf(answer) === 'permission_missing';

  it('are enough with the role of a member for exactly the operations of this test that keep to what is the own', () => {
    const routes = app.application.get(DeclaredRoutes, { strict: false }).all();
    const keeping = routes.filter(({ handler }) => Reflect.hasMetadata(KEEPS_TO_OWN_METADATA, handler));
    expect(keeping.map(({ method }) => method).sort()).toEqual([...OF_MEMBERS].sort());
  });

  it.each(PERMITTED)('%s answers 403 to a key with any permission that does not include its own', async (name) => {
    const needed = OPERATIONS[name]!.permission!;
    for (const permission of SCOPES.filter((one) => !includes(one, needed))) {
      const answer = await send(refusable.get(name)!, keyWith.get(permission)!);
      expectRefusal(answer, {
        status: 403,
        reason: 'permission_missing',
        detail: { required: [needed] },
        operationId: name,
        userId: organization.userId,
      });
      expectToFitContract(name, 403, answer.body);
    }
  });

  it.each(PERMITTED.filter((name) => !NEED_MORE.includes(name)))(
    '%s answers 200 or 201 to a key with its permission alone',
    async (name) => {
      const needed = OPERATIONS[name]!.permission!;
      for (const permission of SCOPES.filter((one) => includes(one, needed))) {
        const answer = await send(await successfulRequest(organization, name), keyWith.get(permission)!);
        expect([permission, answer.status]).toEqual([permission, OPERATIONS[name]!.success]);
      }
    },
  );

  it.each(NEED_MORE)('%s answers 403 to a key with its permission alone, for what else it needs', async (name) => {
    const answer = await send(await successfulRequest(organization, name), keyWith.get(OPERATIONS[name]!.permission!)!);
    expect([answer.status, isMissing(answer)]).toEqual([403, true]);
  });

  it.each(MANAGED.filter((name) => !PERMITTED.includes(name) && !OF_FILES.includes(name)))(
    '%s answers 200 to a key with any permission',
    async (name) => {
      const answer = await send(await successfulRequest(organization, name), keyWith.get('alerts_read')!);
      expect(answer.status).toBe(OPERATIONS[name]!.success);
    },
  );

  it.each(OF_OPERATOR)(
    '%s answers 403 to the key of a member, and names the permission, which no role has',
    async (name) => {
      const answer = await send(refusable.get(name)!, memberKey.plaintext);
      expect([answer.status, reasonOf(answer)]).toEqual([403, 'permission_missing']);
    },
  );

  it.each(PERMITTED.filter((name) => !OF_MEMBERS.includes(name) && !OF_OPERATOR.includes(name)))(
    '%s answers 403 to the key and to the session of a member, and that it is for administrators, whatever they have',
    async (name) => {
      const answer = await send(refusable.get(name)!, memberKey.plaintext);
      expectRefusal(answer, {
        status: 403,
        reason: 'administrator_required',
        operationId: name,
        userId: expect.any(String) as string,
      });
      expectToFitContract(name, 403, answer.body);
      const { method, path, json } = refusable.get(name)!;
      const shown = await member.browser.send(`${app.origin}/console/api/v1${path}`, { method, json });
      expect([shown.status, reasonOf({ body: JSON.parse(shown.text) as object })]).toEqual([
        403,
        'administrator_required',
      ]);
    },
  );

  it.each(OF_MEMBERS)('%s passes the guard with the key of a member', async (name) => {
    const reason = reasonOf(await send(refusable.get(name)!, memberKey.plaintext));
    expect(['permission_missing', 'administrator_required']).not.toContain(reason);
  });

  it.each(OF_MEMBERS.filter((name) => PERMITTED.includes(name)))(
    '%s answers 403 to the key of a member whose scopes leave out its permission, and names it',
    async (name) => {
      expectRefusal(await send(refusable.get(name)!, member.keyOfOtherScopes), {
        status: 403,
        reason: 'permission_missing',
        detail: { required: [OPERATIONS[name]!.permission!] },
        operationId: name,
        userId: member.userId,
      });
    },
  );
});
