import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { effectiveGuardrails } from './effective-guardrails.js';

describe('getEffectiveGuardrails', () => {
  const { app, organization, key, get } = effectiveGuardrails();

  describe('answers an error', () => {
    it.each([
      ['', ['key_hash']],
      ['key_hash=', ['key_hash']],
      ['key_hash=a&key_hash=b', ['key_hash']],
      ['key_hash=a&with=', ['with']],
      ['key_hash=a&with=default', ['with']],
      ['key_hash=a&surprise=1', ['surprise']],
    ])('400 for ?%s', async (query, paths) => {
      expectRefusal(await get(query), {
        status: 400,
        reason: 'invalid_parameters',
        paths,
        userId: organization.userId,
      });
    });

    it.each(['x', 'f'.repeat(64), '0'.repeat(65)])('404 for a key that does not exist: %s', async (hash) => {
      expectRefusal(await get(`key_hash=${hash}`), {
        status: 404,
        reason: 'key_not_found',
        userId: organization.userId,
      });
    });

    it('404 for a management key, which calls no models', async () => {
      const { hash } = await app.factory.key(organization, { kind: 'management_key' });

      expectRefusal(await get(`key_hash=${hash}`), {
        status: 404,
        reason: 'key_not_found',
        userId: organization.userId,
      });
    });

    it("404 for a guardrail that does not exist or is another organization's", async () => {
      const theirs = await app.factory.guardrail(await app.factory.organization());

      for (const id of [UNKNOWN_UUID, theirs.id]) {
        expectRefusal(await get(`key_hash=${key.hash}&with=${id}`), {
          status: 404,
          reason: 'guardrail_not_found',
          userId: organization.userId,
        });
      }
    });
  });
});
