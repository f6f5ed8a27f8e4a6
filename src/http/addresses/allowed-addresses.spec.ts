import { AllowedAddresses } from './allowed-addresses.js';
import { parseAddress } from './address-form.js';

const PUBLIC = ['93.184.215.14', '2606:2800:21f::8b2c', '64:ff9b::5db8:d70e'];
const PRIVATE = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '::1', 'fd12:3456::1', '::ffff:10.1.2.3'];

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
];

const METADATA_NAMES = ['metadata.google.internal', 'metadata.google.internal.', 'metadata.goog', 'instance-data'];

const networks = ['10.0.0.0/8', '::1', '169.254.0.0/16', 'fd00::/8'];

describe('the addresses that organizations may name', () => {
  const has = (rule: boolean | readonly string[], addresses: readonly string[]): string[] => {
    const allowed = new AllowedAddresses(rule);
    return addresses.filter((address) => allowed.has(address));
  };

  it('are public ones alone by default', () => {
    expect(has(false, [...PUBLIC, ...PRIVATE, ...METADATA])).toEqual(PUBLIC);
  });

  it('are all but those of metadata services where private ones are allowed', () => {
    expect(has(true, [...PUBLIC, ...PRIVATE, ...METADATA])).toEqual([...PUBLIC, ...PRIVATE]);
  });

  it('are public ones and those of the networks that are named, but not those of metadata services within them', () => {
    expect(has(networks, [...PUBLIC, ...PRIVATE, ...METADATA])).toEqual([
      ...PUBLIC,
      '10.1.2.3',
      '::1',
      'fd12:3456::1',
      '::ffff:10.1.2.3',
    ]);
  });

  it.each([false, true, networks])('have no metadata service as a part of a URL: %j', (rule) => {
    const allowed = new AllowedAddresses(rule);
    const hosts = [...METADATA.map((address) => (address.includes(':') ? `[${address}]` : address)), ...METADATA_NAMES];
    for (const host of hosts) {
      const url = `https://${host}/latest`;
      // In the spelling of the URL standard, which others are refused for.
      const { issue } = parseAddress(host.startsWith('[') ? new URL(url).href : url, 'url', allowed);
      expect({ host, issue }).toEqual({
        host,
        issue: expect.stringMatching(/private (address|network)|metadata service|dot$/),
      });
    }
  });

  it('may be named in a URL of http where their network is allowed, and other private ones may not', () => {
    const allowed = new AllowedAddresses(networks);
    expect(parseAddress('http://10.9.9.9:8000/v1', 'url', allowed)).toEqual({ host: '10.9.9.9' });
    expect(parseAddress('http://vllm.internal/v1', 'url', allowed)).toEqual({ host: 'vllm.internal' });
    expect(parseAddress('http://192.168.1.1/v1', 'url', allowed).issue).toBe(
      'must not be a private address that is not allowed',
    );
  });
});
