import { ReferenceImages } from './reference-images.js';

describe('ReferenceImages', () => {
  it('fetches what is at an address once, and again after a failure', async () => {
    const images = new ReferenceImages();
    const asked: string[] = [];
    const at = (url: string, answer: () => string = () => `of ${url}`): Promise<string> =>
      images.at(url, () => {
        asked.push(url);
        return Promise.resolve().then(answer);
      });
    const fails = at('a', () => {
      throw new Error('gone');
    });
    await expect(fails).rejects.toThrow('gone');

    expect([await at('a'), await at('b'), await at('a')]).toEqual(['of a', 'of b', 'of a']);
    expect(asked).toEqual(['a', 'a', 'b']);
  });

  it('holds memory of what it keeps, and forgets what there is no room for', async () => {
    const images = new ReferenceImages();
    await images.at('small', () => Promise.resolve('1234'));
    await images.at('large', () => Promise.resolve('12345678'));
    let held = 0;
    const tryHold = (bytes: number): boolean => {
      if (bytes > 4) return false;
      held += bytes;
      return true;
    };
    images.holdAgain({ tryHold });

    expect(held).toBe(4);
    expect(await images.at('small', () => Promise.resolve('another'))).toBe('1234');
    expect(await images.at('large', () => Promise.resolve('another'))).toBe('another');
  });
});
