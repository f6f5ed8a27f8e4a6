import { outgoing } from '../../../../test/support/delivery/generation-events.js';
import { fittingBody, isShortened } from './fitting-body.js';

const FORM = { first: '[', between: ',', last: ']', maximumBytes: 20 };

describe('a body', () => {
  it('is put together of what is written for each generation', async () => {
    const ids = ['a', 'b', 'c'].map((id) => outgoing({ id }));
    const body = await fittingBody(ids, FORM, ({ event }) => Buffer.from(event.id));
    expect(body!.toString()).toBe('[a,b,c]');
    expect((await fittingBody([outgoing()], FORM, () => Buffer.from('')))!.toString()).toBe('[]');
  });

  it.each([
    [2, 8, '[xxxxxxxx,xxxxxxxx]'],
    [3, 5, '[xxxxx,xxxxx,xxxxx]'],
    [1, 18, `[${'x'.repeat(18)}]`],
    [2, 9, null],
    [4, 4, null],
  ])('of %i generations of %i bytes has at most the bytes that a type takes', async (count, bytes, expected) => {
    const generations = Array.from({ length: count }, () => outgoing());
    const body = await fittingBody(generations, FORM, () => Buffer.alloc(bytes, 'x'));
    expect(body?.toString() ?? null).toBe(expected);
  });

  it('has what is too large by itself in a shorter form, and nothing else', async () => {
    const form = { ...FORM, maximumGenerationBytes: 8 };
    const body = await fittingBody(
      [outgoing({ id: 'large' }), outgoing({ id: 'b' })],
      form,
      ({ event }, shortening) => {
        if (event.id === 'b') return Buffer.from(isShortened(shortening) ? 'short' : 'whole');
        return Buffer.from(shortening.hasContent ? 'too much of it' : 'none');
      },
    );
    expect(body!.toString()).toBe('[none,whole]');
    await expect(fittingBody([outgoing()], form, () => Buffer.alloc(9))).resolves.toBeNull();
  });

  it('that takes long to write lets others use the event loop', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await fittingBody([outgoing(), outgoing(), outgoing()], FORM, () => {
      const end = performance.now() + 10;
      while (performance.now() < end);
      return Buffer.from('x');
    });
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
