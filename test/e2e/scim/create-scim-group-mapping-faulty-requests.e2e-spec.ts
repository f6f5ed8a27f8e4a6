import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { mappingCreation, type Pair, PATH } from './mapping-creation.js';

describe('createScimGroupMapping', () => {
  const { app, organization, newPair, rows, expectRefused, MISSING_BOTH } = mappingCreation();

  describe('for a faulty request', () => {
    it('answers 400 and names every issue at once', async () => {
      await expectRefused({}, MISSING_BOTH);
      await expectRefused(
        { scim_group_id: 'x', role: 'owner', surprise: 1 },
        { ...MISSING_BOTH, paths: ['scim_group_id', 'workspace_id', 'role', 'surprise'] },
      );
    });

    it.each(['scim_group_id', 'workspace_id'])('answers 400 for anything but a UUID as %s', async (field) => {
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

    it.each([null, '', 'Member', 'owner', 1, true, ['member'], {}])('answers 400 for %j as role', async (role) => {
      await expectRefused(
        { ...(await newPair()), role },
        { status: 400, reason: 'invalid_parameters', paths: ['role'] },
      );
    });

    it.each(['scim_group_id', 'workspace_id', 'role'])(
      'answers 400 for NUL and for a lone surrogate in %s',
      async (field) => {
        for (const text of ['\u0000', 'member\u0000', '\ud800', `${UNKNOWN_UUID}\udfff`]) {
          // The text itself, and what it is instead of an id or a role.
          const refusal = { status: 400, reason: 'invalid_parameters', paths: [field, field] };
          await expectRefused({ ...(await newPair()), [field]: text }, refusal);
        }
      },
    );

    it.each(['id', 'organization_id', 'created_at', 'updated_at'])(
      'answers 400 when the body sets %s',
      async (field) => {
        const json = { ...(await newPair()), [field]: UNKNOWN_UUID };
        await expectRefused(json, { status: 400, reason: 'invalid_parameters', paths: [field] });
      },
    );

    it('answers 400 for a query', async () => {
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

    it.each(someMalformedBodies({ scim_group_id: UNKNOWN_UUID, workspace_id: UNKNOWN_UUID }))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        const before = await rows();
        const answer = await app.api.post(PATH, { key: organization.managementKey, ...request });
        expectRefusal(answer, { ...refusal, userId: organization.userId });
        expect(await rows()).toEqual(before);
      },
    );
  });
});
