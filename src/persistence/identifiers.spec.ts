import { defaultGuardrailIdOf, isUuid, newUuid } from './identifiers.js';

describe('defaultGuardrailIdOf', () => {
  it('never changes', () => {
    expect(defaultGuardrailIdOf('019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61')).toBe('3f5502ac-c771-5830-bb58-ba92dbb78896');
  });

  it('is a UUID of version 5, different for every workspace', () => {
    const ids = Array.from({ length: 100 }, () => defaultGuardrailIdOf(newUuid()));

    expect(new Set(ids).size).toBe(100);
    expect(ids.filter((id) => !isUuid(id) || id[14] !== '5')).toEqual([]);
  });

  it('is the same for a workspace in capitals', () => {
    const id = newUuid();

    expect(defaultGuardrailIdOf(id.toUpperCase())).toBe(defaultGuardrailIdOf(id));
  });
});
