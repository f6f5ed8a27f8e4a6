import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../../support/network/api-client.js';
import { endpoint, QUESTION } from '../test-gateway.js';
import { completion } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
export const COST = 0.000028;

const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };

const ALPHA = { provider: { only: ['alpha'] } };

const FREE = { pricing: { prompt: '0', completion: '0' } };

interface Limit {
  readonly subject: string;
  readonly effect: string;
  readonly [field: string]: unknown;
}

/** What the tests look into. */
interface Evaluation {
  readonly outcome: string;
  readonly refused_at: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly content: object | null;
  readonly admission: {
    readonly worst_case: object;
    readonly limits: readonly Limit[];
    readonly limits_by_group?: readonly object[];
    readonly capped_max_tokens: number | null;
  } | null;
}

/** What the tests of evaluateGuardrail at the admission send, and what they look at. */
export function admissionEvaluation() {
  const gateway = sharedGateway({ topic: 'admission-evaluation', models: { 'acme/free': [endpoint('alpha', FREE)] } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    gateway.alpha.received.length = 0;
    answerAfter(Promise.resolve());
  });

  const answerAfter = (released: Promise<void>): void => {
    gateway.alpha.answerWith(async (response) => {
      await released;
      const document = JSON.stringify(completion('All is well.', { usage: USAGE }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
  };

  const asked = (fields: object): object => ({ model: 'acme/writer', messages: QUESTION, ...ALPHA, ...fields });

  const ask = (issued: IssuedCredential, fields: object): Promise<Answer<WholeAnswer>> =>
    gateway.ask(issued, asked(fields));

  const managed = async (method: 'post' | 'put' | 'patch', path: string, json: object): Promise<void> => {
    const { status } = await gateway.app.api[method](path, { key: organization.managementKey, json: { ...json } });
    expect({ path, status }).toEqual({ path, status: 200 });
  };

  const setBudget = (interval: string, limit: number, fields = {}): Promise<void> =>
    managed('put', `/workspaces/${organization.workspaceId}/budgets/${interval}`, { limit_usd: limit, ...fields });

  const setLimit = (limit: number, fields = {}): Promise<void> =>
    managed('patch', `/keys/${key.hash}`, { limit, ...fields });

  const guardrail = async (settings: object): Promise<string> =>
    (await gateway.app.factory.guardrail(organization, settings)).id;

  const evaluated = async (id: string, fields: object, holder: object): Promise<Evaluation> => {
    const json = { request: asked(fields), ...holder };
    const { status, body } = await gateway.app.api.post<{ data: Evaluation }>(`/guardrails/${id}/evaluate`, {
      key: organization.managementKey,
      json,
    });
    expect(status).toBe(200);
    return body.data;
  };

  return { gateway, organization, key, answerAfter, ask, managed, setBudget, setLimit, guardrail, evaluated };
}
