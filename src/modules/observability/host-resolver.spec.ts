import { readEnvironment } from '../../config/environment.js';
import { RateLimitExceededError } from '../../http/errors/domain-error.js';
import { DnsServer, type NameRecord } from '../../../test/support/dns-server.js';
import { until } from '../../../test/support/until.js';
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

  it('gives the addresses of both families', async () => {
    const names = resolver();

    expect([...(await names.addressesOf('both.example.com', A))].sort()).toEqual([
      '2606:2800:21f::8b2c',
      '93.184.215.14',
    ]);
    expect([...(await names.addressesOf('four.example.com', A))].sort()).toEqual(['93.184.215.15', '93.184.215.16']);
    expect(await names.addressesOf('six.example.com', A)).toEqual(['2606:2800::1']);
  });

  it('gives an address for itself, and asks nobody', async () => {
    const names = resolver();

    for (const address of ['93.184.215.14', '2001:db8::1']) {
      expect(await names.addressesOf(address, A)).toEqual([address]);
    }
    expect(server.asked).toEqual([]);
  });

  it('gives none for a name without addresses, for one that there is not and for what cannot be a name', async () => {
    const names = resolver();

    for (const name of ['nothing.example.com', 'unknown.example.com', 'two..dots', 'x'.repeat(300)]) {
      expect(await names.addressesOf(name, A)).toEqual([]);
    }
  });

  it('gives what the hosts file says, which name servers know nothing of', async () => {
    const found = await resolver().addressesOf('localhost', A);

    expect(found).toContain('127.0.0.1');
  });

  it('gives up on a name that nobody answers for', async () => {
    await expect(resolver(100).addressesOf('slow.example.com', A)).rejects.toThrow(HostLookupTimedOut);
  });

  it('gives up when the client is gone, in the middle of a look-up and before its turn', async () => {
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

  it("answers one organization while another's names are answered by nobody, and refuses the other's excess", async () => {
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
    const refused = outcomes.filter((outcome) => outcome instanceof RateLimitExceededError);
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ reason: 'too_many_host_lookups', retryAfterSeconds: 2 });
  });
});
