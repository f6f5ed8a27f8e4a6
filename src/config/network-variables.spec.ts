import { privateNetworksOf, trustedProxiesOf } from './network-variables.js';
import { VariableReader } from './variable-reader.js';

describe('the variable TRUST_PROXY', () => {
  const read = (text: string): { value: unknown; issues: readonly string[] } => {
    const reader = new VariableReader({ TRUST_PROXY: text });
    return { value: trustedProxiesOf(reader), issues: reader.issues };
  };

  it.each([
    ['', undefined],
    ['1', 1],
    ['32', 32],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['::1,fd00::/8,uniquelocal,linklocal', ['::1', 'fd00::/8', 'uniquelocal', 'linklocal']],
  ])('accepts %j', (text, value) => {
    expect(read(text)).toEqual({ value, issues: [] });
  });

  it.each([
    ['0', 'must be a whole number from 1 to 32'],
    ['33', 'must be a whole number from 1 to 32'],
    // Would take the word of everybody.
    ['true', 'must be a number of proxies or a list of addresses, which true is not'],
    ['*', 'must be a number of proxies or a list of addresses, which * is not'],
    ['10.0.0.0/33', 'must be a number of proxies or a list of addresses, which 10.0.0.0/33 is not'],
    ['10.0.0.0/8/8', 'must be a number of proxies or a list of addresses, which 10.0.0.0/8/8 is not'],
    ['10.0.0.0/', 'must be a number of proxies or a list of addresses, which 10.0.0.0/ is not'],
    ['fd00::/129', 'must be a number of proxies or a list of addresses, which fd00::/129 is not'],
    ['loopback/8', 'must be a number of proxies or a list of addresses, which loopback/8 is not'],
    ['-1', 'must be a number of proxies or a list of addresses, which -1 is not'],
    ['proxy.example.com', 'must be a number of proxies or a list of addresses, which proxy.example.com is not'],
  ])('rejects %j', (text, issue) => {
    expect(read(text).issues).toEqual([`TRUST_PROXY ${issue}`]);
  });
});

describe('a variable that allows private addresses', () => {
  const read = (text: string): { value: unknown; issues: readonly string[] } => {
    const reader = new VariableReader({ ALLOW_PRIVATE_UPSTREAMS: text });
    return { value: privateNetworksOf(reader, 'ALLOW_PRIVATE_UPSTREAMS'), issues: reader.issues };
  };

  it.each([
    ['', false],
    ['false', false],
    ['true', true],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['10.0.0.0/8, 192.168.7.1 ,fd00::/8', ['10.0.0.0/8', '192.168.7.1', 'fd00::/8']],
  ])('accepts %j', (text, value) => {
    expect(read(text)).toEqual({ value, issues: [] });
  });

  it.each(['yes', '10.0.0.0/33', 'loopback', '10.0.0.0/8,vllm.internal'])('rejects %j', (text) => {
    expect(read(text).issues).toEqual([
      `ALLOW_PRIVATE_UPSTREAMS must be true, false, or a list of networks such as 10.0.0.0/8, which ${text.split(',').at(-1)} is not`,
    ]);
  });
});
