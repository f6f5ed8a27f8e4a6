import { acceptableCallbackUrls } from './connect-client.dto.js';

describe('the rule against repeated callback URLs', () => {
  it('reports every repetition, and not the first occurrence', () => {
    const urls = ['https://a.example.com', 'https://b.example.com', 'https://a.example.com', 'https://a.example.com'];

    expect(acceptableCallbackUrls({ callback_urls: urls }).map(({ path }) => path)).toEqual([
      'callback_urls[2]',
      'callback_urls[3]',
    ]);
  });

  it('compares each URL a bounded number of times, for any number of URLs', () => {
    const readsOf = (count: number): number => {
      let reads = 0;
      const urls = new Proxy(
        Array.from({ length: count }, (_, index) => `not a URL ${index}`),
        {
          get(list, property): unknown {
            reads += 1;
            return Reflect.get(list, property);
          },
        },
      );
      acceptableCallbackUrls({ callback_urls: urls });
      return reads;
    };

    expect(readsOf(2_000)).toBeLessThan(2.1 * readsOf(1_000));
  });
});
