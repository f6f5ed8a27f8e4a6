import type { EffectiveGuardrailsResponse } from '../../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** At Alpha, which retains nothing, and Beta; at Beta alone; at a provider without a connection; and the builtin model. */
const MODELS = ['acme/writer', 'acme/spare', 'acme/unconnected', 'gatehouse/echo'];

/** An own key of the workspace. */
const OWN_OF_BETA = { provider: 'beta', key: 'sk-of-our-own-0123456789' };

/** What a workspace has: the settings of a guardrail, its own keys, and the models that are left. */
const CASES: readonly (readonly [
  name: string,
  settings: object,
  ownKeys: readonly object[],
  models: readonly string[],
])[] = [
  ['nothing', {}, [], ['acme/writer', 'acme/spare', 'gatehouse/echo']],
  ['an ignored model', { ignored_models: ['acme/writer'] }, [], ['acme/spare', 'gatehouse/echo']],
  ['an allowed model', { allowed_models: ['acme/spare', 'acme/unconnected'] }, [], ['acme/spare']],
  ['an allowed provider', { allowed_providers: ['alpha'] }, [], ['acme/writer']],
  ['an ignored provider', { ignored_providers: ['beta'] }, [], ['acme/writer', 'gatehouse/echo']],
  ['zero data retention', { enforce_zdr_other: true, ignored_providers: ['gatehouse'] }, [], ['acme/writer']],
  ['no paid training', { enable_paid_model_training: false, ignored_providers: ['gatehouse'] }, [], ['acme/writer']],
  ['another region', { allowed_data_regions: ['europe'] }, [], []],
  [
    'zero data retention, and an own key that declares it',
    { enforce_zdr_other: true, ignored_providers: ['gatehouse'] },
    [{ ...OWN_OF_BETA, declared_zdr: true }],
    ['acme/writer', 'acme/spare'],
  ],
  [
    'zero data retention, and an own key that denies it',
    { enforce_zdr_other: true, ignored_providers: ['gatehouse'] },
    [{ ...OWN_OF_BETA, provider: 'alpha', declared_zdr: false, is_byok_only: true }],
    [],
  ],
  [
    'own keys alone, for another model',
    {},
    [{ ...OWN_OF_BETA, is_byok_only: true, allowed_models: ['acme/writer'] }],
    ['acme/writer', 'gatehouse/echo'],
  ],
  [
    'own keys alone, that are disabled',
    {},
    [{ ...OWN_OF_BETA, is_byok_only: true, disabled: true }],
    ['acme/writer', 'acme/spare', 'gatehouse/echo'],
  ],
  [
    'own keys alone, for another user',
    {},
    [{ ...OWN_OF_BETA, is_byok_only: true, allowed_user_ids: [] }],
    ['acme/writer', 'acme/spare', 'gatehouse/echo'],
  ],
  [
    'a required own key for another model',
    {},
    [{ ...OWN_OF_BETA, is_required: true, allowed_models: ['acme/writer'] }],
    ['acme/writer', 'acme/spare', 'gatehouse/echo'],
  ],
];

describe('a model is listed as available where a request for it is answered 200, and not where it is answered 404:', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const plain = keyPerTest(gateway, organization);

  const listed = async ({ hash }: IssuedCredential): Promise<string[]> => {
    const { body } = await gateway.app.api.get<EffectiveGuardrailsResponse>(`/guardrails/effective?key_hash=${hash}`, {
      key: organization.managementKey,
    });
    return body.data.available_models.filter((id) => MODELS.includes(id)).toSorted();
  };

  it.each(CASES)('%s', async (_, settings, ownKeys, models) => {
    for (const json of ownKeys) {
      const { status } = await gateway.app.api.post('/byok', { key: organization.managementKey, json });
      expect(status).toBe(201);
    }
    const key = Object.keys(settings).length === 0 ? plain : await gateway.guardedKey(organization, settings);

    const statuses = await Promise.all(
      MODELS.map(async (model) => [model, (await gateway.ask(key, { model, provider: undefined })).status] as const),
    );

    const answered = statuses.filter(([, status]) => status === 200).map(([model]) => model);
    expect(answered.toSorted()).toEqual(models.toSorted());
    expect(await listed(key)).toEqual(answered.toSorted());
    expect(statuses.filter(([, status]) => status >= 500)).toEqual([]);
  });
});
