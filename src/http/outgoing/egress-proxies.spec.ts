import { egressProxiesOf } from '../../config/egress-proxy-variables.js';
import { VariableReader } from '../../config/variable-reader.js';
import { EgressProxies } from './egress-proxies.js';

const HTTPS_PROXY = 'http://secure.proxy:3128';
const HTTP_PROXY = 'http://plain.proxy:3128';

const via = async (url: string, variables: Readonly<Record<string, string>>): Promise<string | undefined> => {
  const proxies = new EgressProxies(egressProxiesOf(new VariableReader(variables)));
  return (await proxies.proxyFor(new URL(url)))?.origin;
};

describe('the proxy of a request', () => {
  it.each([
    ['https://93.184.215.14/v1', HTTPS_PROXY],
    ['http://93.184.215.14/v1', HTTP_PROXY],
    // They do not resolve, so that only the proxy can know them.
    ['https://models.invalid/v1', HTTPS_PROXY],
    ['http://models.invalid/v1', HTTP_PROXY],
    ['https://127.0.0.1:8443/v1', undefined],
    ['http://[::1]:8000/v1', undefined],
    ['http://10.1.2.3/v1', undefined],
    ['http://169.254.169.254/latest', undefined],
    ['https://localhost:8443/v1', undefined],
  ])('of %s is %s', async (url, proxy) => {
    expect(await via(url, { HTTPS_PROXY, HTTP_PROXY })).toBe(proxy);
  });

  it('is none where no variable names one for its protocol', async () => {
    expect(await via('http://93.184.215.14/', { HTTPS_PROXY })).toBeUndefined();
    expect(await via('https://93.184.215.14/', { HTTP_PROXY })).toBeUndefined();
    expect(await via('https://93.184.215.14/', { NO_PROXY: 'x' })).toBeUndefined();
  });

  it.each([
    ['*', 'https://a.invalid', true],
    ['a.invalid', 'https://a.invalid', true],
    ['A.INVALID', 'https://a.invalid./', true],
    ['a.invalid', 'https://b.a.invalid', true],
    ['.a.invalid', 'https://b.a.invalid', true],
    ['*.a.invalid', 'https://b.a.invalid', true],
    ['.a.invalid', 'https://a.invalid', true],
    ['a.invalid', 'https://ba.invalid', false],
    ['a.invalid:8443', 'https://a.invalid:8443', true],
    ['a.invalid:8443', 'https://a.invalid', false],
    ['a.invalid:443', 'https://a.invalid', true],
    ['a.invalid:80', 'http://a.invalid', true],
    ['x.invalid, 93.184.0.0/16', 'https://93.184.215.14', true],
    ['x.invalid 93.184.215.14', 'https://93.184.215.14', true],
    ['93.184.215.14:443', 'https://93.184.215.14', true],
    ['93.184.215.15', 'https://93.184.215.14', false],
    ['[2606:2800:21f::8b2c]:443', 'https://[2606:2800:21f::8b2c]', true],
    ['2606:2800::/32', 'https://[2606:2800:21f::8b2c]', true],
    ['2606:2800:21f::8b2c', 'https://[2606:2800:21f::8b2c]', true],
    ['2606:2801::/32', 'https://[2606:2800:21f::8b2c]', false],
    ['', 'https://a.invalid', false],
  ])('with NO_PROXY=%s of %s: none is %s', async (noProxy, url, isNone) => {
    expect((await via(url, { HTTPS_PROXY, HTTP_PROXY, NO_PROXY: noProxy })) === undefined).toBe(isNone);
  });

  it('has its credentials apart from its address', async () => {
    const settings = egressProxiesOf(new VariableReader({ HTTPS_PROXY: 'http://a%20b:p%40ss@proxy.invalid:3128' }));
    expect(await new EgressProxies(settings).proxyFor(new URL('https://93.184.215.14'))).toEqual({
      origin: 'http://proxy.invalid:3128',
      authorization: `Basic ${Buffer.from('a b:p@ss').toString('base64')}`,
    });
  });
});

describe('the variables of proxies', () => {
  const read = (variables: Readonly<Record<string, string>>): unknown[] => {
    const reader = new VariableReader(variables);
    return [egressProxiesOf(reader), reader.issues];
  };

  it('are read in small letters before capital ones, and an empty one counts as absent', () => {
    const capital = { HTTPS_PROXY: 'http://c:1', HTTP_PROXY: 'http://c:2', NO_PROXY: 'c' };
    expect(read(capital)).toEqual([{ https: 'http://c:1', http: 'http://c:2', noProxy: ['c'] }, []]);
    expect(read({ ...capital, https_proxy: 'https://s:1', http_proxy: '', no_proxy: 's' })).toEqual([
      { https: 'https://s:1', http: 'http://c:2', noProxy: ['s'] },
      [],
    ]);
    expect(read({ https_proxy: 'proxy:3128' })).toEqual([
      { https: 'http://proxy:3128', http: undefined, noProxy: [] },
      [],
    ]);
    expect(read({})).toEqual([undefined, []]);
  });

  it('are refused with an issue without their password for a proxy of another kind', () => {
    const [, issues] = read({ HTTPS_PROXY: 'socks5://user:secret@proxy:1080' });
    expect(issues).toEqual(['HTTPS_PROXY must be a URL that starts with http:// or https://']);
    for (const text of ['http://user:%zz@proxy:3128', 'not a host']) {
      expect(read({ HTTPS_PROXY: text })[1]).toEqual([
        'HTTPS_PROXY must be the URL of a proxy, with percent-encoded credentials',
      ]);
    }
  });
});
