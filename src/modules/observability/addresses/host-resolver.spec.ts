import { readEnvironment } from '../../../config/environment.js';
import { TooManyHostLookups } from '../observability.errors.js';
import { DnsServer, type NameRecord } from '../../../../test/support/network/dns-server.js';
import { until } from '../../../../test/support/time/until.js';
import { HostLookupTimedOut, HostResolver } from './host-resolver.js';

const RECORDS: Readonly<Record<string, NameRecord>> = {
  'both.example.com': ['93.184.215.14', '2606:2800:21f::8b2c'],
  'four.example.com': ['93.184.215.15', '93.184.215.16'],
  'six.example.com': ['2606:2800::1'],
  'nothing.example.com': [],
};

const A = { organizationId: 'org_a' };
const B = { organizationId: 'org_b' };

describe('HostResolver', () => {
  let server: DnsServer;

  beforeEach(async () => {
    server = await DnsServer.start((name) => (name.startsWith('slow') ? 'silence' : RECORDS[name]));
  });

  afterEach(() => server.stop());

  const resolver = (timeoutMs = 600_000): HostResolver =>
    new HostResolver(readEnvironment({ DNS_SERVERS: server.address, DNS_TIMEOUT_MS: String(timeoutMs) }));

  it('returns the addresses of both families', async () => {
    const names = resolver();

    expect([...(await names.addressesOf('both.example.com', A))].sort()).toEqual([
      '2606:2800:21f::8b2c',
      '93.184.215.14',
    ]);
    expect([...(await names.addressesOf('four.example.com', A))].sort()).toEqual(['93.184.215.15', '93.184.215.16']);
    expect(await names.addressesOf('six.example.com', A)).toEqual(['2606:2800::1']);
  });

  it('returns an address itself, without a query', async () => {
    const names = resolver();

    for (const address of ['93.184.215.14', '2001:db8::1']) {
      expect(await names.addressesOf(address, A)).toEqual([address]);
    }
    expect(server.asked).toEqual([]);
  });

  it('returns no address for a name without addresses, an unknown name and a malformed name', async () => {
    const names = resolver();

    for (const name of ['nothing.example.com', 'unknown.example.com', 'two..dots', 'x'.repeat(300)]) {
      expect(await names.addressesOf(name, A)).toEqual([]);
    }
  });

  it('returns the addresses of the hosts file', async () => {
    const found = await resolver().addressesOf('localhost', A);

    expect(found).toContain('127.0.0.1');
  });

  it('fails when no name server answers in time', async () => {
    await expect(resolver(100).addressesOf('slow.example.com', A)).rejects.toThrow(HostLookupTimedOut);
  });

  it('stops when the client disconnects, during a look-up and before it', async () => {
    const names = resolver();
    const gone = new AbortController();
    const lookups = Array.from({ length: 8 }, (_, index) =>
      names.addressesOf(`slow-${index}.example.com`, { ...A, signal: gone.signal }).catch((error: unknown) => error),
    );
    await until(() => Promise.resolve(server.asked.length > 0));

    gone.abort();

    for (const outcome of await Promise.all(lookups)) expect(outcome).toBeInstanceOf(HostLookupTimedOut);
    expect(await names.addressesOf('four.example.com', A)).toHaveLength(2);
  });

  it("returns one organization's addresses while another's queries wait, and refuses the other's excess queries with 429", async () => {
    const names = resolver();
    const gone = new AbortController();
    let settled = 0;
    const lookups = Array.from({ length: 14 }, (_, index) =>
      names
        .addressesOf(`slow-${index}.example.com`, { ...A, signal: gone.signal })
        .catch((error: unknown) => error)
        .finally(() => (settled += 1)),
    );
    await until(() => Promise.resolve(settled === 6));

    expect(await names.addressesOf('both.example.com', B)).toHaveLength(2);

    expect(settled).toBe(6);
    gone.abort();
    const outcomes = await Promise.all(lookups);
    const refused = outcomes.filter((outcome) => outcome instanceof TooManyHostLookups);
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ reason: 'too_many_host_lookups', retryAfterSeconds: 2 });
  });
});
