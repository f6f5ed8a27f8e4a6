import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { CLIENT_FORMS, streamedEvents } from '../providers/plain-clients.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { busy, THINKING_DIALECTS, type ThinkingDialect, ThinkingProviders } from './thinking-providers.js';

type Fields = Readonly<Record<string, unknown>>;

/** Beta is so much dearer that it is never chosen where both may answer. */
const ENDPOINTS = [
  endpoint('alpha', { supported_parameters: [] }),
  endpoint('beta', { supported_parameters: [], pricing: { prompt: '0.01', completion: '0.01' } }),
];

const FORMS = Object.keys(CLIENT_FORMS) as (keyof typeof CLIENT_FORMS)[];

const WAYS = [
  ['whole', false],
  ['streamed', true],
] as const;

describe.each(Object.entries(THINKING_DIALECTS))('Conversations with thoughts of providers of %s', (_, dialect) => {
  const { protocol, model }: ThinkingDialect = dialect;
  const gateway = sharedGateway({
    variables: { PROVIDER_ALPHA_PROTOCOL: protocol, PROVIDER_BETA_PROTOCOL: protocol },
    models: { [model]: ENDPOINTS },
  });
  const key: IssuedCredential = keyPerTest(gateway, organizationPerTest(gateway));
  let providers: ThinkingProviders;

  beforeEach(() => {
    providers = new ThinkingProviders(dialect);
    providers.play('alpha', gateway.alpha);
    providers.play('beta', gateway.beta);
  });

  describe.each(FORMS)('from a client of %s', (name) => {
    const form = CLIENT_FORMS[name];

    describe.each(WAYS)('who is answered %s', (__, isStreamed) => {
      const turn = async (request: Fields): Promise<{ readonly next: Fields; readonly record: Fields }> => {
        const json = { model, ...request, stream: isStreamed };
        const answer = await gateway.app.api.post<Fields>(form.path, { key: key.plaintext, json });
        expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
          status: 200,
          text: '',
        });
        const given = isStreamed ? form.assembled(streamedEvents(answer.text)) : answer.body;
        expect(form.read(given).calls).toHaveLength(1);
        return { next: form.continuing(request, given, ['7 °C']), record: await gateway.record(answer, key) };
      };

      const first: Fields = {
        ...form.asking({ text: 'Weather?', tool: true, thinks: true }),
        ...(name === 'responses' && { include: ['reasoning.encrypted_content'], store: false }),
      };

      it('answers every turn with 200 where the thoughts were made, though another provider would be chosen', async () => {
        providers.refuseNext('alpha', busy);
        let { next } = await turn(first);
        for (let number = 2; number <= 4; number += 1) ({ next } = await turn(next));

        expect({ alpha: gateway.alpha.received.length, beta: gateway.beta.received.length }).toEqual({
          alpha: 1,
          beta: 4,
        });
        expect(gateway.beta.received.map((request) => providers.thoughtsIn(request))).toEqual([0, 1, 2, 3]);
        expect(providers.strayed).toEqual([]);
      });

      it('answers 200 elsewhere without them where the maker fails, says so in the record, and stays there', async () => {
        providers.refuseNext('alpha', busy);
        const { next: second } = await turn(first);
        providers.refuseNext('beta', busy);
        const { next: third, record } = await turn(second);
        await turn(third);

        expect(gateway.alpha.received.map((request) => providers.thoughtsIn(request))).toEqual([0, 0, 1]);
        expect(gateway.beta.received.map((request) => providers.thoughtsIn(request))).toEqual([0, 1]);
        expect(providers.strayed).toEqual([]);
        expect(record['adjustments']).toContainEqual({
          path: expect.stringMatching(/reasoning_details|extra_content/) as unknown,
          action: 'left_out',
          reason: 'thoughts_of_other_provider',
        });
        if (model.startsWith('anthropic/')) {
          const thinking = expect.objectContaining({ type: 'enabled' }) as unknown;
          expect(gateway.alpha.received[1]!.body).not.toMatchObject({ thinking });
          expect(gateway.alpha.received[1]!.body).not.toMatchObject({ additionalModelRequestFields: { thinking } });
          const off = { path: 'reasoning', action: 'left_out', reason: 'turn_without_thoughts' };
          expect(record['adjustments']).toContainEqual(off);
        }
      });
    });
  });
});
