import { policyVersionOf } from './policy-version.js';

const [one, other] = [
  { id: '019aa3f0-0000-7000-8000-000000000001', version: '700' },
  { id: '019aa3f0-0000-7000-8000-000000000002', version: '650' },
];

describe('policyVersionOf', () => {
  it('is the same for the same guardrails, in any order and for any number of reasons', () => {
    expect(policyVersionOf([other, one, other])).toBe(policyVersionOf([one, other]));
  });

  it('differs when a guardrail was written again, and when another one applies', () => {
    const versions = [[], [one], [other], [one, other], [{ ...one, version: '701' }, other]].map(policyVersionOf);

    expect(new Set(versions).size).toBe(versions.length);
  });
});
