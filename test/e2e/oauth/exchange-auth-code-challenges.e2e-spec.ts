import { newCode } from '../../support/resources/authorization-codes.js';
import { pkcePair } from '../../support/application/factory.js';
import { authCodeExchange, mismatch } from './auth-code-exchange.js';

const INVALID_VERIFIER = { status: 403, reason: 'invalid_code_verifier' };

describe('exchangeAuthCodeForAPIKey', () => {
  const { app, organization, exchanged, expectRefused } = authCodeExchange();

  describe('the challenge of a code', () => {
    it.each([
      ['S256, with its method', 'S256', true],
      ['S256, without a method', 'S256', false],
      ['plain, with its method', 'plain', true],
      ['plain, without a method', 'plain', false],
    ])('is answered according to the verifier, 200 when it fits: %s', async (_, method, sendsMethod) => {
      const { verifier, challenge } = pkcePair();
      const code = await newCode(app, organization.managementKey, {
        code_challenge: method === 'S256' ? challenge : verifier,
        code_challenge_method: method,
      });

      await exchanged({
        code,
        code_verifier: verifier,
        ...(sendsMethod && { code_challenge_method: method }),
      });
    });

    it('is answered 200 for the verifier of RFC 7636, appendix B', async () => {
      const code = await newCode(app, organization.managementKey, {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      });

      await exchanged({ code, code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' });
    });

    it('is plain when it was created without a method (200)', async () => {
      const challenge = 'a'.repeat(43);
      const code = await newCode(app, organization.managementKey, { code_challenge: challenge });

      await exchanged({ code, code_verifier: challenge, code_challenge_method: 'plain' });
    });

    it.each([{}, { code_challenge_method: null }])(
      'is not required (200) for a code without one: %j',
      async (fields) => {
        await exchanged({ code: await newCode(app, organization.managementKey), ...fields });
      },
    );

    it('of the method S256 is answered 403 for a wrong verifier and 400 for a missing one or another method, none of which uses up the code', async () => {
      const { verifier, challenge } = pkcePair();
      const code = await newCode(app, organization.managementKey, {
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });

      await expectRefused({ code }, mismatch('code_verifier'));
      await expectRefused({ code, code_challenge_method: 'S256' }, mismatch('code_verifier'));
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: 'plain' },
        mismatch('code_challenge_method'),
      );
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: null },
        mismatch('code_challenge_method'),
      );
      await expectRefused({ code, code_challenge_method: 'plain' }, mismatch('code_challenge_method', 'code_verifier'));
      await expectRefused({ code, code_verifier: pkcePair().verifier }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: challenge }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: `${verifier} ` }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: verifier.toLowerCase() }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: '' }, INVALID_VERIFIER);
      await exchanged({ code, code_verifier: verifier });
    });

    it('of the method plain is answered 403 for a wrong verifier and 400 for a missing one or another method, none of which uses up the code', async () => {
      const { verifier, challenge } = pkcePair();
      const code = await newCode(app, organization.managementKey, {
        code_challenge: verifier,
        code_challenge_method: 'plain',
      });

      await expectRefused({ code }, mismatch('code_verifier'));
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: 'S256' },
        mismatch('code_challenge_method'),
      );
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: null },
        mismatch('code_challenge_method'),
      );
      await expectRefused({ code, code_verifier: challenge, code_challenge_method: 'plain' }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: verifier.slice(1) }, INVALID_VERIFIER);
      await exchanged({ code, code_verifier: verifier });
    });

    it('is answered 400 for a verifier or method when there was no challenge, which does not use up the code', async () => {
      const { verifier } = pkcePair();
      const code = await newCode(app, organization.managementKey);

      await expectRefused({ code, code_verifier: verifier }, mismatch('code_verifier'));
      await expectRefused({ code, code_verifier: '' }, mismatch('code_verifier'));
      await expectRefused({ code, code_challenge_method: 'S256' }, mismatch('code_challenge_method'));
      await expectRefused({ code, code_challenge_method: 'plain' }, mismatch('code_challenge_method'));
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: 'S256' },
        mismatch('code_challenge_method', 'code_verifier'),
      );
      await exchanged({ code });
    });
  });
});
