import { HostResolver } from './host-resolver.js';

describe('HostResolver', () => {
  const resolver = new HostResolver();

  it('finds this machine by its name, and an address by itself', async () => {
    const local = await resolver.addressesOf('localhost');

    expect(local.length).toBeGreaterThan(0);
    expect(local.filter((address) => address !== '127.0.0.1' && address !== '::1')).toEqual([]);
    expect(await resolver.addressesOf('93.184.215.14')).toEqual(['93.184.215.14']);
    expect(await resolver.addressesOf('2001:db8::1')).toEqual(['2001:db8::1']);
  });

  it('finds none for what no name can be', async () => {
    expect(await resolver.addressesOf('two..dots')).toEqual([]);
    expect(await resolver.addressesOf('x'.repeat(300))).toEqual([]);
  });

  it('finds each of many that are asked for at the same time', async () => {
    const addresses = Array.from({ length: 50 }, (_, number) => `93.184.215.${number}`);

    const found = await Promise.all(addresses.map((address) => resolver.addressesOf(address)));

    expect(found).toEqual(addresses.map((address) => [address]));
  });
});
