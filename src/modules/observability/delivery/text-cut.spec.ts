import fc from 'fast-check';
import { cutText } from './text-cut.js';

describe('cutting a text', () => {
  it('never divides a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, length) => {
        const characters = cutText(text, { length, unit: 'characters' });
        expect([...characters]).toEqual([...text].slice(0, length));
        const bytes = cutText(text, { length, unit: 'bytes' });
        expect(Buffer.byteLength(bytes)).toBeLessThanOrEqual(length);
        expect(text.startsWith(bytes)).toBe(true);
        expect(bytes.isWellFormed()).toBe(true);
      }),
    );
  });

  it('leaves a text as it is that is short enough', () => {
    expect(cutText('🙂🙂', { length: 2, unit: 'characters' })).toBe('🙂🙂');
    expect(cutText('🙂🙂', { length: 8, unit: 'bytes' })).toBe('🙂🙂');
    expect(cutText('🙂🙂', { length: 7, unit: 'bytes' })).toBe('🙂');
  });
});
