import type { TokenExchangeResponse } from '../../../src/modules/federation/dto/token-exchange.dto.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { newCode } from '../../support/resources/authorization-codes.js';
import { AUDIENCE, exchange, newIssuer, newPolicy, SUBJECT } from '../../support/resources/federation.js';
import { TokenIssuer } from '../../support/network/token-issuer.js';
import { federatingApplication } from '../federation/federating-application.js';
import { Directory } from './directory.js';

/** How often everything is done at once. */
const ROUNDS = 20;

const CLAIMS = { sub: SUBJECT, aud: AUDIENCE };

const CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };

describe('a directory that deactivates a user while keys are made', () => {
  const app = federatingApplication();
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const issuer = filledBefore(beforeAll, async () => {
    const server = await TokenIssuer.start();
    return { server, id: await newIssuer(app, directory.organization, { issuer: server.issuer }) };
  });
  afterAll(() => issuer.server.stop());
  let count = 0;

  const newUser = (): Promise<string> => directory.user(`racer-${++count}@example.com`);

  const deactivate = async (userId: string): Promise<void> => {
    const { status } = await directory.patch(`/Users/${userId}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
    expect(status).toBe(200);
  };

  const redeem = async (code: string): Promise<string | undefined> => {
    const { managementKey: key } = directory.organization;
    const { status, body } = await app.api.post<ExchangeAuthCodeResponse>('/auth/keys', { key, json: { code } });
    expect([200, 403]).toContain(status);
    return status === 200 ? body.key : undefined;
  };

  const accessToken = async (policyId: string): Promise<string | undefined> => {
    const subjectToken = await issuer.server.token({ ...CLAIMS });
    const { status, body } = await exchange<TokenExchangeResponse>(app, policyId, subjectToken);
    expect([200, 400]).toContain(status);
    return status === 200 ? body.access_token : undefined;
  };

  /** The statuses of a credential at both replicas, for inference and for what it is. */
  const statusesOf = async (key: string): Promise<number[]> => {
    const answers = [app, app.otherReplica].flatMap(({ api }) => [
      api.get('/key', { key }),
      api.post('/chat/completions', { key, json: CHAT }),
    ]);
    return (await Promise.all(answers)).map(({ status }) => status);
  };

  const REFUSED = [401, 401, 401, 401];

  it('answers 200, and then no key of a redeemed code and no access token is accepted (401), whatever came first', async () => {
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const userId = await newUser();
      const { organization } = directory;
      const own = await app.factory.key(organization, { userId });
      const policyId = await newPolicy(app, organization, { issuer_id: issuer.id, key_hash: own.hash });
      const code = await newCode(app, organization.managementKey, { user_id: userId });
      const earlier = (await accessToken(policyId))!;
      const races = [() => redeem(code), () => accessToken(policyId), () => deactivate(userId).then(() => undefined)];
      // Each round begins with another one of them.
      const turned = races.map((_, index) => races[(index + round) % races.length]!);

      const handedOut = (await Promise.all(turned.map((race) => race()))).filter((text) => text !== undefined);

      accepted += handedOut.length;
      for (const key of [own.plaintext, earlier, ...handedOut]) expect(await statusesOf(key)).toEqual(REFUSED);
      // And not later either.
      expect([await redeem(code), await accessToken(policyId)]).toEqual([undefined, undefined]);
    }
    expect(accepted).toBeGreaterThan(0);
  });

  it('lets a redemption that comes second wait, and answers it 403, and one of a token that comes second 400', async () => {
    const userId = await newUser();
    const { organization } = directory;
    const own = await app.factory.key(organization, { userId });
    const policyId = await newPolicy(app, organization, { issuer_id: issuer.id, key_hash: own.hash });
    const code = await newCode(app, organization.managementKey, { user_id: userId });
    // What was recorded is added to the chain at the end of a transaction, which waits for its head.
    const heads = 'SELECT FROM audit_heads WHERE organization_id = $1 FOR UPDATE';
    const letGo = await lockRows(app, heads, [organization.organizationId]);

    const deactivating = deactivate(userId);
    await untilWaitingForLock(app, 1);
    const redeeming = redeem(code);
    await untilWaitingForLock(app, 2);
    await letGo();

    await deactivating;
    expect(await redeeming).toBeUndefined();
    expect(await accessToken(policyId)).toBeUndefined();
    expect(await app.rows('SELECT id FROM authorization_codes WHERE user_id = $1', [userId])).toEqual([]);
  });
});
