import { sharedApplication } from '../../support/application/shared-application.js';
import type { CreateAuthKeysCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { CALLBACK_URL, sha256 } from '../../support/resources/authorization-codes.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** One code point, two UTF-16 code units. */
export const ASTRAL = '\u{1f511}';

/** The challenge of RFC 7636, appendix B. */
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** What the tests of createAuthKeysCode send, and what they look at. */
export function authCodeCreation() {
  const app = sharedApplication({ topic: 'auth-code-creation' });
  const organization = sharedOrganization(app);

  const post = (fields: object): Promise<Answer<CreateAuthKeysCodeResponse>> =>
    app.api.post('/auth/keys/code', {
      key: organization.managementKey,
      json: { callback_url: CALLBACK_URL, ...fields },
    });

  const row = async (code: string): Promise<Record<string, unknown>> => {
    const rows = await app.rows('SELECT * FROM authorization_codes WHERE code_hash = $1', [
      Buffer.from(sha256(code), 'hex'),
    ]);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const stored = (): Promise<unknown> =>
    app.rows(
      `SELECT (SELECT count(*) FROM authorization_codes) AS codes, (SELECT count(*) FROM oauth_applications) AS applications`,
    );

  /** Refused, and nothing stored. */
  const expectNothingStored = async (request: () => Promise<Answer>, refusal: Refusal): Promise<Answer> => {
    const before = await stored();
    const answer = await request();
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expect(await stored()).toEqual(before);
    return answer;
  };

  const expectRefused = (fields: object, reason: string, ...paths: string[]): Promise<Answer> =>
    expectNothingStored(() => post(fields), { status: 400, reason, paths });

  return { app, organization, post, row, stored, expectNothingStored, expectRefused };
}
