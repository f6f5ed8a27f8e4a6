import { LateGenerations } from '../../../../src/modules/generations/late-generations.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { completion, embeddings } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { QUESTION } from '../test-gateway.js';

const FORMS = [
  ['/chat/completions', { model: 'acme/spare', messages: QUESTION }, completion('All is well.'), 0.000035],
  ['/completions', { model: 'acme/spare', prompt: 'What is new?' }, completion('All is well.'), 0.000035],
  ['/messages', { model: 'acme/spare', messages: QUESTION, max_tokens: 100 }, completion('All is well.'), 0.000035],
  ['/responses', { model: 'acme/spare', input: 'What is new?' }, completion('All is well.'), 0.000035],
  [
    '/embeddings',
    { model: 'acme/embedder', input: 'What is new?', provider: { only: ['beta'] } },
    embeddings([[1]]),
    0.00003,
  ],
] as const;

describe('A whole answer whose record cannot be stored before it is sent', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  it.each(FORMS)('at %s is a 503, which its record says, and that it was charged', async (path, json, answer, cost) => {
    gateway.beta.answerWith(async (response) => {
      await gateway.app.refuseWrites();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    try {
      const { status, headers, body } = await gateway.app.api.post<ErrorBody>(path, { key: key.plaintext, json });

      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      expect(body.error).toMatchObject({ metadata: { reason: 'database_unavailable' } });
    } finally {
      await gateway.app.takeWrites();
    }
    await gateway.app.application.get(LateGenerations).store();
    expect(await gateway.onlyRecord(key)).toMatchObject({
      status: 503,
      refusal: 'database_unavailable',
      finish_reason: 'error',
      cancelled: false,
      total_cost: cost,
    });
  });
});
