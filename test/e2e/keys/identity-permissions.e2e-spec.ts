import { sharedApplication } from '../../support/application/shared-application.js';
import { readFile } from 'node:fs/promises';
import { type Permission, PERMISSIONS } from '../../../src/auth/permissions.js';
import { successfulRequest } from '../../operations/complete-organization.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { interfaceOf } from '../../support/openapi/described-operations.js';
import type { BrowserAnswer } from '../sign-in/browser.js';
import { signedInBrowser, signedInMinutesAgo } from '../sign-in/signed-in.js';

/** What management keys and sessions change something with. */
const CHANGING = OPERATION_IDS.filter((name) => {
  const { method, callers } = OPERATIONS[name]!;
  return method !== 'GET' && callers.includes('management_key');
});

const DECIDING = CHANGING.filter((name) => OPERATIONS[name]!.decidesIdentity === true);

/** A permission that none of these operations names. */
const UNRELATED: Permission = 'audit_read';

describe('operations that decide who a person is', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = filledBefore(beforeAll, () => sampleOrganization(app));

  it('are told from others by the row of each operation that changes something', () => {
    const unasked = CHANGING.filter((name) => OPERATIONS[name]!.decidesIdentity === undefined);
    expect(unasked.map((name) => `${name} does not say whether it decides who a person is: decidesIdentity`)).toEqual(
      [],
    );
  });

  it('are declared, documented and listed on the page of permissions as in the table of operations', async () => {
    const { operations } = await interfaceOf(app.application);
    const documented = operations.flatMap(({ operationId, decidesIdentity }) => (decidesIdentity ? [operationId] : []));
    const page = await readFile('docs/interface/permissions.md', 'utf8');
    const section = /\n## Who a person is\n(.*?)\n## /s.exec(page)![1]!;
    const listed = [...section.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name!);

    expect(documented.sort()).toEqual(DECIDING);
    expect(listed.sort()).toEqual(DECIDING);
  });

  it.each(DECIDING)(
    '%s answers 403 to a key with its permission alone, and to one that lacks another',
    async (name) => {
      const own = OPERATIONS[name]!.permission!;
      const included = [own, own.replace(/_write$/, '_read')];
      const attempts: [scopes: Permission[], required: Permission[]][] = [
        [[own], PERMISSIONS.filter((one) => !included.includes(one))],
        [PERMISSIONS.filter((one) => one !== UNRELATED), [UNRELATED]],
      ];
      for (const [scopes, required] of attempts) {
        const { plaintext: key } = await app.factory.key(organization, { kind: 'management_key', scopes });
        const { method, path, json } = await successfulRequest(organization, name);
        const answer = await app.api.send(method, path, { key, ...(json && { json }) });
        expectRefusal(answer, {
          status: 403,
          reason: 'permission_missing',
          detail: { required },
          operationId: name,
          userId: organization.userId,
        });
      }
    },
  );

  it.each(DECIDING)(
    '%s answers 403 to an administrator who signed in 16 minutes ago, and its success after 14',
    async (name) => {
      const browser = await signedInBrowser(app, organization);
      const { method, path, json } = await successfulRequest(organization, name);
      const send = (): Promise<BrowserAnswer> =>
        browser.send(`${app.origin}/console/api/v1${path}`, { method, ...(json && { json }) });

      await signedInMinutesAgo(app, organization, 16);
      const refused = await send();
      await signedInMinutesAgo(app, organization, 14);
      const accepted = await send();

      expect(refused.status).toBe(403);
      expect((JSON.parse(refused.text) as ErrorBody).error.metadata).toMatchObject({
        reason: 'recent_sign_in_required',
        max_age_seconds: 900,
      });
      expect(accepted.status).toBe(OPERATIONS[name]!.success);
    },
  );
});
