import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { unitsOf } from '../../../../src/modules/spend/decimal-amount.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import type { Answer } from '../../../support/network/api-client.js';
import { CHAT, endpoint, QUESTION, type TestGateway } from '../test-gateway.js';
import { completion } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { sharedReplica } from '../../../support/application/shared-application.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
export const COST = 0.000028;

export const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };

export const ALPHA = { provider: { only: ['alpha'] } };

export const AT_MOST = { max_tokens: 5, ...ALPHA };

interface Reservation extends Record<string, unknown> {
  readonly amount: string;
}

const OF_TOPIC = {
  topic: 'limited-requests',
  models: {
    'acme/surprising': [endpoint('alpha')],
    'acme/flat': [endpoint('alpha', { pricing: { prompt: '0', completion: '0', request: '0.01' } })],
  },
};

/**
 * Requests to Alpha under limits, and what is reserved and charged for them.
 *
 * @param gatewayOf gives the gateway of the describe block, where it is not that of the topic
 */
export function limitedRequests(gatewayOf = (): TestGateway => sharedGateway(OF_TOPIC)) {
  const gateway = gatewayOf();

  const replica = sharedReplica(gateway);
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => answerWith(USAGE));

  afterEach(() => jest.restoreAllMocks());

  const answerWith = (usage: object | null): void => {
    gateway.reset();
    gateway.alpha.answerWith((response) => {
      const document = JSON.stringify(completion('All is well.', { usage }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
  };

  /** Keeps providers from answering. @returns lets them answer */
  const holdAlpha = (usage: object = USAGE): (() => void) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gateway.alpha.answerWith(async (response) => {
      await released;
      const document = JSON.stringify(completion('All is well.', { usage }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
    return release;
  };

  const ask = (
    issued: IssuedCredential,
    fields: object = AT_MOST,
    app: TestApplication = gateway.app,
  ): Promise<Answer<WholeAnswer>> => {
    const json = { model: 'acme/writer', messages: QUESTION, ...fields };
    return app.api.post<WholeAnswer>(CHAT, { key: issued.plaintext, json });
  };

  const managed = async (method: 'put' | 'patch', path: string, json: object): Promise<void> => {
    const { status } = await gateway.app.api[method](path, { key: organization.managementKey, json });
    expect({ path, status }).toEqual({ path, status: 200 });
  };

  const setLimit = ({ hash }: IssuedCredential, limit: number | null, fields = {}): Promise<void> =>
    managed('patch', `/keys/${hash}`, { limit, ...fields });

  const reservations = (): Promise<Reservation[]> =>
    gateway.app.rows<Reservation>(
      `SELECT generation_id AS id, key_id AS "keyId", workspace_id AS "workspaceId", amount_usd::text AS amount,
         byok_amount_usd::text AS byok FROM spend_reservations WHERE organization_id = $1`,
      [organization.organizationId],
    );

  /** In the smallest units. */
  const charged = async (): Promise<bigint> => {
    const [{ sum } = { sum: '0' }] = await gateway.app.rows<{ sum: string }>(
      'SELECT coalesce(sum(cost_usd), 0)::text AS sum FROM generations WHERE organization_id = $1',
      [organization.organizationId],
    );
    return unitsOf(sum);
  };

  return { gateway, replica, organization, key, answerWith, holdAlpha, ask, managed, setLimit, reservations, charged };
}
