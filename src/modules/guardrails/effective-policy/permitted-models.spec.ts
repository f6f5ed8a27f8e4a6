import { combine, type Policy } from './effective-policy.js';
import { type KnownModel, zdrSwitchOf } from './permitted-models.js';
import { permits, SILENT, VENDORS } from './policy.fixture.js';

describe('a policy permits', () => {
  const ENDPOINT = {
    provider: 'east',
    isFree: false,
    isZdr: false,
    trainsOnRequests: false,
    publishesPrompts: false,
  };

  const model = (id: string, ...endpoints: Partial<typeof ENDPOINT | { trainsOnRequests: null }>[]): KnownModel => ({
    id,
    canonicalSlug: `${id.split(':')[0]!}-2026`,
    author: id.split('/')[0]!,
    endpoints: endpoints.map((endpoint) => ({ ...ENDPOINT, ...endpoint })),
  });

  const permitted = (policy: Partial<Policy>, known: KnownModel): boolean =>
    permits(combine([{ ...SILENT, ...policy }]), known);

  it('every model when it has no rules, whatever is known of the model', () => {
    expect(permitted({}, model('alpha/one'))).toBe(true);
    expect(permitted({}, model('alpha/one', { trainsOnRequests: true }))).toBe(true);
  });

  it.each<[Partial<Policy>, string, boolean]>([
    [{ allowedModels: ['alpha/one-2026'] }, 'alpha/one', true],
    [{ allowedModels: ['alpha/one-2026'] }, 'alpha/one:free', true],
    [{ allowedModels: ['alpha/one-2026:free'] }, 'alpha/one:free', true],
    [{ allowedModels: ['alpha/one-2026:free'] }, 'alpha/one', false],
    [{ allowedModels: ['alpha/one'] }, 'alpha/one', false],
    [{ ignoredModels: ['alpha/one-2026'] }, 'alpha/one:free', false],
    [{ ignoredModels: ['alpha/one-2026:free'] }, 'alpha/one', true],
    [{ ignoredModels: ['alpha/one-2026:free'] }, 'alpha/one:free', false],
    [{ allowedModels: ['alpha/one-2026'], ignoredModels: ['alpha/one-2026'] }, 'alpha/one', false],
  ])('for %j the model %s: %s', (policy, id, expected) => {
    expect(permitted(policy, model(id, {}))).toBe(expected);
  });

  it.each<[string, Partial<Policy>, Partial<typeof ENDPOINT | { trainsOnRequests: null }>[], boolean]>([
    ['an allowed provider', { allowedProviders: ['west'] }, [{}, { provider: 'west' }], true],
    ['no allowed provider', { allowedProviders: ['west'] }, [{}, { provider: 'north' }], false],
    ['no known endpoint', { allowedProviders: ['west'] }, [], false],
    ['an ignored provider alone', { ignoredProviders: ['east'] }, [{}], false],
    ['another provider, too', { ignoredProviders: ['east'] }, [{}, { provider: 'west' }], true],
    ['no known endpoint to ignore', { ignoredProviders: ['east'] }, [], true],
    ['zero data retention', { enforceZdrVendorA: true }, [{}, { isZdr: true }], true],
    ['no zero data retention', { enforceZdrVendorA: true }, [{}], false],
    ['nothing known of data retention', { enforceZdrVendorA: true }, [], false],
    ['a switch of another vendor', { enforceZdrVendorB: true, enforceZdrOther: true }, [{}], true],
    ['paid training', { enablePaidModelTraining: false }, [{ trainsOnRequests: true }], false],
    [
      'paid training, of which nothing is known',
      { enablePaidModelTraining: false },
      [{ trainsOnRequests: null }],
      false,
    ],
    ['no known endpoint that does not train', { enablePaidModelTraining: false }, [], false],
    ['free training', { enablePaidModelTraining: false }, [{ isFree: true, trainsOnRequests: true }], true],
    ['free training forbidden', { enableFreeModelTraining: false }, [{ isFree: true, trainsOnRequests: true }], false],
    ['paid training, free forbidden', { enableFreeModelTraining: false }, [{ trainsOnRequests: true }], true],
    ['free publication', { enableFreeModelPublication: false }, [{ isFree: true, publishesPrompts: true }], false],
    ['paid publication', { enableFreeModelPublication: false }, [{ publishesPrompts: true }], true],
    ['training allowed', { enablePaidModelTraining: true }, [{ trainsOnRequests: true }], true],
    [
      'all in one endpoint',
      { allowedProviders: ['west'], enforceZdrVendorA: true },
      [{ provider: 'west' }, { isZdr: true }],
      false,
    ],
    [
      'one endpoint with all',
      { allowedProviders: ['west'], enforceZdrVendorA: true },
      [{ provider: 'west', isZdr: true }],
      true,
    ],
  ])('models according to %s', (_, policy, endpoints, expected) => {
    expect(permitted(policy, model('alpha/one', ...endpoints))).toBe(expected);
  });

  it.each([
    ['alpha', 'enforceZdrVendorA'],
    ['Gamma', 'enforceZdrVendorC'],
    ['xai', 'enforceZdrVendorD'],
    ['x-ai', 'enforceZdrVendorD'],
    ['nobody', 'enforceZdrOther'],
  ])('models of %s according to %s', (author, name) => {
    expect(zdrSwitchOf(author, VENDORS)).toBe(name);
  });
});
