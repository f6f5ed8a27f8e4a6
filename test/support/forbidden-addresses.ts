/** Names of the tests' internet, some of which lead into private networks. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'mapped.example.com': ['::ffff:10.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'one-of-two.example.com': ['93.184.215.14', '10.1.2.3'],
};

/** Addresses that no destination may have, each with what is wrong with it. */
export const FORBIDDEN_ADDRESSES: readonly (readonly [address: string, fault: string])[] = [
  // As they are.
  ...[
    '127.0.0.1',
    '127.8.9.1:8443',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
    // An IPv4 address inside: mapped, compatible, NAT64, 6to4 and Teredo.
    '[::ffff:7f00:1]',
    '[::ffff:a9fe:a9fe]',
    '[::7f00:1]',
    '[64:ff9b::a00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
  ].map((host) => [`https://${host}/v1/traces`, 'must not be a private address'] as const),
  // In spellings that one parser takes for them and another does not.
  ...[
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '169.254.43518',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[0:0:0:0:0:0:0:1]',
    '%31%32%37.0.0.1',
    '\uff11\uff12\uff17.0.0.1',
    '127\u30020.0.1',
    '\u24db\u24de\u24d2alhost',
    'ex\u00adample.com',
  ].map((host) => [`https://${host}/v1/traces`, 'must have a host in its usual spelling'] as const),
  // By a name.
  ...['localhost', 'api.localhost', 'collector', 'metadata.google.internal', 'printer.local', 'router.home.arpa'].map(
    (host) => [`https://${host}:4318/`, 'must not be a name of a private network'] as const,
  ),
  ['https://localhost./', 'must have a host that does not end with a dot'],
  ['https://public.example.com./', 'must have a host that does not end with a dot'],
  ...Object.keys(NAMES)
    .filter((name) => name !== 'public.example.com')
    .map((name) => [`https://${name}/`, 'must not be a name of a private address'] as const),
  // By another way.
  ...['http://public.example.com/', 'ftp://public.example.com/', 'ws://public.example.com/', 'gopher://10.0.0.1/'].map(
    (url) => [url, 'must be an https URL'] as const,
  ),
  ...[
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    'https:public.example.com',
    'https:/public.example.com',
    'https:///public.example.com',
    '//public.example.com',
    'public.example.com',
    'https://',
    '',
    ' https://public.example.com',
    'https://public.example.com/\n',
    'https://public.example.com\\@127.0.0.1/',
    'https://pub\tlic.example.com/',
    'https://public.example.com:99999/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
  ].map((url) => [url, 'must be a URL such as https://example.com'] as const),
  ['file://localhost/etc/passwd', 'must be an https URL'],
  // With what is not to be shown, or may be taken for the host.
  ...['user:password@public.example.com', 'user@public.example.com', 'public.example.com@127.0.0.1', '@127.0.0.1'].map(
    (authority) => [`https://${authority}/`, 'must not contain a user name or password'] as const,
  ),
];
