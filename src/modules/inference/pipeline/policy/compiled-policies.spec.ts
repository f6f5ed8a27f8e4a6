import { readEnvironment } from '../../../../config/environment.js';
import type { ContentService } from '../../../content/content.service.js';
import { combine } from '../../../guardrails/effective-policy/effective-policy.js';
import type { EffectivePolicies } from '../../../guardrails/effective-policy/effective-policies.service.js';
import { CompiledPolicies } from './compiled-policies.js';

const GUARDRAILS = ['11111111-0000-7000-8000-000000000001', '11111111-0000-7000-8000-000000000002'];

/** The guardrails that apply to the keys, and how often they were read. */
class Guardrails {
  version = '';
  reads = 0;

  policyOfKey(): Promise<object> {
    this.reads += 1;
    return Promise.resolve({ rules: combine([]), observing: [], version: this.version });
  }
}

describe('CompiledPolicies', () => {
  let guardrails: Guardrails;
  let policies: CompiledPolicies;

  beforeEach(() => {
    guardrails = new Guardrails();
    policies = new CompiledPolicies(
      guardrails as unknown as EffectivePolicies,
      { compile: () => ({}), compileForAnswers: () => ({}) } as unknown as ContentService,
      readEnvironment({}),
    );
  });

  /** What the requests of a key get while its guardrails have a version. */
  async function under(version: string, organizationId = 'organization-1'): Promise<unknown> {
    guardrails.version = version;
    return policies.get(organizationId, 'key-1', version === '' ? null : version);
  }

  it('compile the policy of a combination of guardrails once, and that of no guardrails too', async () => {
    const both = GUARDRAILS.map((id) => `${id} 7`).join();
    const [first, second, none, alone] = [
      await under(both),
      await under(both),
      await under(''),
      await under(`${GUARDRAILS[0]} 7`),
    ];
    expect(await under('')).toBe(none);

    expect(second).toBe(first);
    expect(new Set([first, none, alone]).size).toBe(3);
    expect(guardrails.reads).toBe(3);
  });

  it('drop the policy of an older version of the same guardrails', async () => {
    const [old, changed] = [`${GUARDRAILS[0]} 7`, `${GUARDRAILS[0]} 8`];
    const before = await under(old);
    const after = await under(changed);

    expect(after).not.toBe(before);
    expect(await under(changed)).toBe(after);
    expect(await under(old)).not.toBe(before);
    expect(guardrails.reads).toBe(3);
  });

  it('share no policy between organizations', async () => {
    expect(await under('', 'organization-2')).not.toBe(await under(''));
  });
});
