import { isMask, isMaskOf, labelOfKey, maskCredential } from '../encryption/credential-mask.js';
import { isAddressMask, maskConfig, maskedForm } from './config-mask.js';
import { DESTINATION_SETTINGS, DESTINATION_TYPES, type DestinationType } from './destination-settings.js';

/** Every setting of each type: those that are shown and those that are masked, apart from the table that decides it. */
const SETTINGS: Readonly<Record<DestinationType, { readonly shown: string[]; readonly masked: string[] }>> = {
  arize: { shown: ['modelId', 'baseUrl'], masked: ['apiKey', 'spaceKey'] },
  braintrust: { shown: ['projectId', 'baseUrl'], masked: ['apiKey'] },
  clickhouse: { shown: ['host', 'database', 'table', 'username'], masked: ['password'] },
  datadog: { shown: ['mlApp', 'url'], masked: ['apiKey'] },
  grafana: { shown: ['instanceId', 'baseUrl'], masked: ['apiKey'] },
  langfuse: { shown: ['baseUrl'], masked: ['publicKey', 'secretKey'] },
  langsmith: { shown: ['endpoint', 'project', 'workspaceId'], masked: ['apiKey'] },
  newrelic: { shown: ['region'], masked: ['licenseKey'] },
  opik: { shown: ['workspace', 'projectName'], masked: ['apiKey'] },
  'otel-collector': { shown: ['endpoint'], masked: [] },
  posthog: { shown: ['endpoint'], masked: ['apiKey'] },
  ramp: { shown: ['baseUrl'], masked: ['apiKey'] },
  s3: {
    shown: ['bucketName', 'region', 'endpoint', 'prefix', 'pathTemplate'],
    masked: ['accessKeyId', 'secretAccessKey', 'sessionToken'],
  },
  sentry: { shown: ['otlpEndpoint'], masked: ['dsn'] },
  snowflake: { shown: ['account', 'database', 'schema', 'table', 'warehouse'], masked: ['token'] },
  weave: { shown: ['entity', 'project', 'baseUrl'], masked: ['apiKey'] },
  webhook: { shown: ['url', 'method'], masked: ['signingSecret'] },
};

describe('maskCredential', () => {
  it.each([
    ['abcdefghijklmnopqrstuvwxyz', 'abcd...wxyz'],
    ['0123456789abcdef', '0123...cdef'],
    ['0123456789abcde', '0123...bcde'],
    ['123456789', '1234...6789'],
    ['12345678', '****'],
    ['1234567', '****'],
    ['x', '****'],
    ['', '****'],
    ['sk lf\n0123456789abcd', 'sk l...abcd'],
  ])('shows %j as %j', (credential, mask) => {
    expect(maskCredential(credential)).toBe(mask);
  });

  it('counts code points as characters', () => {
    expect(maskCredential('🔑🔑🔑🔑🔑🔑🔑🔑')).toBe('****');
    expect(maskCredential('🔑🔑🔑🔑'.padEnd(20, 'a') + '🔒🔒🔒🔒')).toBe('🔑🔑🔑🔑...🔒🔒🔒🔒');
    expect(maskCredential('abc🔑--------🔒xyz').isWellFormed()).toBe(true);
    expect(maskCredential('abc🔑--------🔒xyz')).toBe('abc🔑...🔒xyz');
  });

  it('hides the length', () => {
    expect(maskCredential(`abcd${'-'.repeat(8)}wxyz`)).toBe(maskCredential(`abcd${'-'.repeat(500)}wxyz`));
  });
});

describe('labelOfKey', () => {
  it.each([
    ['0123456789abcdef', '0123...cdef'],
    ['0123456789abcde', '****'],
    ['123456789', '****'],
  ])('shows %j as %j, so that at least as much stays hidden', (key, label) => {
    expect(labelOfKey(key)).toBe(label);
  });
});

describe('isMaskOf', () => {
  it('recognizes the mask with three dots and with an ellipsis (U+2026), and no other', () => {
    for (const mask of ['abcd...wxyz', 'abcd\u2026wxyz']) {
      expect([isMask(mask), isMaskOf(mask, 'abcd-0123-wxyz'), isMaskOf(mask, 'abcd-0123-wxy')]).toEqual([
        true,
        true,
        false,
      ]);
    }
    expect([isMaskOf('****', 'short'), isMaskOf('****', 'abcd-0123-4567-wxyz')]).toEqual([true, false]);
  });
});

describe('maskConfig', () => {
  it('covers every setting of every type', () => {
    expect(Object.keys(SETTINGS).sort()).toEqual([...DESTINATION_TYPES].sort());
    for (const type of DESTINATION_TYPES) {
      const { shown, masked } = SETTINGS[type];
      expect([type, ...[...shown, ...masked].sort()]).toEqual([
        type,
        ...Object.keys(DESTINATION_SETTINGS[type]).sort(),
      ]);
    }
  });

  it.each(DESTINATION_TYPES)('masks exactly the credentials of %s', (type) => {
    const { shown, masked } = SETTINGS[type];
    const fill = (names: readonly string[], value: string): Record<string, string> =>
      Object.fromEntries(names.map((name) => [name, value]));
    const value = 'abcd-SECRET-wxyz';

    const answer = maskConfig(type, fill([...shown, ...masked], value));

    expect(answer).toEqual({ ...fill(shown, value), ...fill(masked, 'abcd...wxyz') });
  });

  it.each(DESTINATION_TYPES)('masks the value of every header of %s, and not the names', (type) => {
    const headers = {
      Authorization: 'Bearer 0123456789SECRET',
      'x-tenant': 'tenant-1',
      'Content-Type': 'application/json',
      constructor: '',
    };

    expect(maskConfig(type, { headers })).toEqual({
      headers: { Authorization: 'Bear...CRET', 'x-tenant': '****', 'Content-Type': 'appl...json', constructor: '****' },
    });
    expect(maskConfig(type, { headers: {} })).toEqual({ headers: {} });
  });

  it('keeps the order of the settings, and adds none', () => {
    const config = { secretKey: 'sk-lf-0123456789', baseUrl: 'https://example.com', publicKey: 'pk-lf-0123456789' };

    expect(Object.entries(maskConfig('langfuse', config))).toEqual([
      ['secretKey', 'sk-l...6789'],
      ['baseUrl', 'https://example.com'],
      ['publicKey', 'pk-l...6789'],
    ]);
    expect(maskConfig('s3', {})).toEqual({});
  });

  it('hides a credential that is not text, and adds none that is not set', () => {
    const key = { apiKey: { nested: 'SECRET' } };
    expect(maskConfig('opik', key)).toEqual({ apiKey: '****' });
    expect(maskConfig('opik', { apiKey: 1234567890123 })).toEqual({ apiKey: '****' });
    expect(maskConfig('opik', { apiKey: ['SECRET-in-a-list'] })).toEqual({ apiKey: '****' });
    expect(maskConfig('opik', { apiKey: null })).toEqual({ apiKey: null });
    expect(maskConfig('opik', { headers: 'SECRET' })).toEqual({ headers: '****' });
    expect(maskConfig('opik', { headers: { a: ['SECRET'], b: null, c: 12345678901 } })).toEqual({
      headers: { a: '****', b: null, c: '****' },
    });
  });

  it('hides a setting that the type does not have', () => {
    const config = {
      publicKey: 'pk-lf-0123456789',
      constructor: 'text-0123456789',
      nested: { a: 'SECRET' },
      url: 'https://a',
    };

    expect(maskConfig('webhook', config)).toEqual({
      publicKey: '****',
      constructor: '****',
      nested: '****',
      url: 'https://a',
    });
  });

  it.each([
    ['webhook', 'url', 'https://hooks.example.com/services/T0/B0/SECRET', 'https://hooks.example.com/****'],
    ['webhook', 'url', 'https://hooks.example.com:8443?token=SECRET', 'https://hooks.example.com:8443/****'],
    ['webhook', 'url', 'https://hooks.example.com/', 'https://hooks.example.com/'],
    ['webhook', 'url', 'https://user:SECRET@hooks.example.com/', '****'],
    ['otel-collector', 'endpoint', 'https://otel.example.com/v1/traces', 'https://otel.example.com/v1/traces'],
    ['otel-collector', 'endpoint', 'https://otel.example.com/v1/traces?k=SECRET', 'https://otel.example.com/****'],
    ['otel-collector', 'endpoint', 'https://otel.example.com/SECRET/v1/traces', 'https://otel.example.com/****'],
    ['langfuse', 'baseUrl', 'https://langfuse.example.com/base', 'https://langfuse.example.com/base'],
    ['langfuse', 'baseUrl', 'https://langfuse.example.com/base?k=SECRET', 'https://langfuse.example.com/base?****'],
    ['clickhouse', 'host', 'clickhouse.example.com:8443?password=SECRET', 'clickhouse.example.com:8443?****'],
  ] as const)('masks of %s the setting %s, the address %s, as %s', (type, name, address, shown) => {
    expect(maskConfig(type, { [name]: address })).toEqual({ [name]: shown });
    expect(isAddressMask(shown)).toBe(shown !== '****' && shown.includes('*'));
  });

  it.each(DESTINATION_TYPES)('masks the required settings of the type %s when they cannot be decrypted', (type) => {
    const required = Object.entries(DESTINATION_SETTINGS[type]).filter(([, setting]) => setting.required);

    expect(Object.keys(maskedForm(type))).toEqual(required.map(([name]) => name));
    for (const value of Object.values(maskedForm(type))) expect(value).toMatch(/^(\*{4}|unreadable)$/);
  });

  it('leaves the configuration unchanged', () => {
    const config = { apiKey: 'key-0123456789', headers: { a: 'header-0123456789' } };

    maskConfig('opik', config);

    expect(config).toEqual({ apiKey: 'key-0123456789', headers: { a: 'header-0123456789' } });
  });
});
