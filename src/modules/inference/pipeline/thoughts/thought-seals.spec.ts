import { randomBytes } from 'node:crypto';
import { readEnvironment } from '../../../../config/environment.js';
import { ThoughtSeals } from './thought-seals.js';

const [OLD, NEW] = ['11'.repeat(32), '22'.repeat(32)];

const sealsUnder = (...keys: string[]): ThoughtSeals =>
  new ThoughtSeals(readEnvironment({ ENCRYPTION_KEY: keys.join(',') }));

const CONNECTION = {
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  apiKey: 'sk-one',
  credential: undefined,
};

describe('ThoughtSeals', () => {
  const seals = sealsUnder(OLD);
  const sealed = seals.sealerOf('one', CONNECTION)('gAAAAB-_==');

  it('opens what it has sealed for the same organization, and says whose it is', () => {
    expect(seals.opened('one', sealed)).toEqual({
      text: 'gAAAAB-_==',
      maker: [...seals.makersOf('one', CONNECTION)][0],
    });
    expect(seals.opened('two', sealed)).toBeUndefined();
    expect([seals.isSealed(sealed), seals.isSealed('gAAAAB-_==')]).toEqual([true, false]);
  });

  it('seals the same text the same way, in the letters of Base64, and as Base64 where it is that', () => {
    expect(seals.sealerOf('one', CONNECTION)('gAAAAB-_==')).toBe(sealed);
    expect(sealed).toMatch(/^gatehse1[0-9a-f]{48}gAAAAB-_==$/);
    expect((sealed.length - 'gAAAAB-_=='.length) % 4).toBe(0);
  });

  it.each<[string, (text: string) => string]>([
    ['another text', (text) => `${text}x`],
    ['another maker', (text) => `${text.slice(0, 8)}${'0'.repeat(16)}${text.slice(24)}`],
    ['another seal', (text) => `${text.slice(0, 24)}${'0'.repeat(32)}${text.slice(56)}`],
    ['no end', (text) => text.slice(0, 30)],
    ['letters of more bytes', (text) => `${text.slice(0, 24)}${'ü'.repeat(32)}${text.slice(56)}`],
  ])('does not open one with %s', (_, change) => {
    expect(seals.opened('one', change(sealed))).toBeUndefined();
  });

  it.each<[string, object]>([
    ['provider', { provider: 'azure' }],
    ['address', { baseUrl: 'https://example.com/v1' }],
    ['credential', { apiKey: 'sk-two' }],
    ['role in the place of a credential', { apiKey: null, credential: { scheme: 'machine' } }],
  ])('tells makers by their %s, and by organization', (_, change) => {
    const other = { ...CONNECTION, ...change };
    expect(seals.makersOf('one', other)).not.toEqual(seals.makersOf('one', CONNECTION));
    expect(seals.makersOf('one', other)).not.toEqual(seals.makersOf('two', other));
  });

  it('opens what an earlier key has sealed, and nothing of another deployment', () => {
    const both = sealsUnder(NEW, OLD);
    const { maker } = both.opened('one', sealed)!;

    expect([...both.makersOf('one', CONNECTION)]).toContain(maker);
    expect(both.sealerOf('one', CONNECTION)('gAAAAB-_==')).not.toBe(sealed);
    expect(sealsUnder(NEW).opened('one', sealed)).toBeUndefined();
    expect(sealsUnder(randomBytes(32).toString('hex')).opened('one', sealed)).toBeUndefined();
  });
});
