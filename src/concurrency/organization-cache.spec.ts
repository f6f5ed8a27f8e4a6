import { OrganizationCache } from './organization-cache.js';

describe('OrganizationCache', () => {
  const value = { name: 'value' };
  let cache: OrganizationCache<object>;

  beforeEach(() => {
    cache = new OrganizationCache(800);
  });

  /** The names of what an organization has, of ten that it may have been given. */
  function namesOf(organizationId: string): string[] {
    const names = Array.from({ length: 10 }, (_, number) => String(number));
    return names.filter((name) => cache.get(organizationId, name) !== undefined);
  }

  it('returns what was kept for an organization, and nothing to another one', () => {
    cache.set('a', '1', value, 10);

    expect(cache.get('a', '1')).toBe(value);
    expect(cache.get('b', '1')).toBeUndefined();
    expect(cache.bytes).toBe(10);
  });

  it('gives an organization an eighth of the bytes, and drops what it has used least recently', () => {
    for (const name of ['1', '2', '3']) cache.set('a', name, value, 30);
    cache.get('a', '1');
    cache.set('a', '4', value, 30);

    expect(namesOf('a')).toEqual(['1', '3', '4']);
    expect(cache.bytes).toBe(90);
  });

  it('drops nothing of others, however much one organization brings', () => {
    cache.set('b', '1', value, 100);
    for (let count = 0; count < 1_000; count += 1) cache.set('a', String(count % 10), value, 30);

    expect(namesOf('b')).toEqual(['1']);
    expect(cache.bytes).toBe(190);
  });

  it('counts the bytes of a value in place of those of the one with the same name before it', () => {
    cache.set('a', '1', value, 90);
    cache.set('a', '1', { name: 'other' }, 20);
    expect(cache.bytes).toBe(20);
    cache.set('a', '1', cache.get('a', '1')!, 30);

    expect(cache.bytes).toBe(30);
  });

  it('does not keep what is larger than the share of an organization', () => {
    cache.set('a', '1', value, 50);
    cache.set('a', '2', value, 101);

    expect(namesOf('a')).toEqual(['1']);
    expect(cache.bytes).toBe(50);
  });

  it('drops the organization that has asked for nothing for the longest when all bytes are taken', () => {
    const organizations = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    for (const organizationId of organizations) cache.set(organizationId, '1', value, 100);
    cache.get('a', '1');
    cache.set('i', '1', value, 1);

    expect([...organizations, 'i'].filter((organizationId) => namesOf(organizationId).length === 0)).toEqual(['b']);
    expect(cache.bytes).toBe(701);
  });
});
