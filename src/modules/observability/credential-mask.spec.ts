import { maskConfig, maskCredential } from './credential-mask.js';
import { DESTINATION_SETTINGS } from './destination-settings.js';
import { DESTINATION_TYPES, type DestinationType } from './destination-type.js';

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
  webhook: { shown: ['url', 'method'], masked: [] },
};

describe('maskCredential', () => {
  it.each([
    ['abcdefghijklmnopqrstuvwxyz', 'abcd...wxyz'],
    ['123456789', '1234...6789'],
    ['12345678', '****'],
    ['1234567', '****'],
    ['x', '****'],
    ['', '****'],
    ['sk lf\n0123', 'sk l...0123'],
  ])('shows %j as %j', (credential, mask) => {
    expect(maskCredential(credential)).toBe(mask);
  });

  it('takes code points for characters', () => {
    expect(maskCredential('🔑🔑🔑🔑🔑🔑🔑🔑')).toBe('****');
    expect(maskCredential('🔑🔑🔑🔑a🔒🔒🔒🔒')).toBe('🔑🔑🔑🔑...🔒🔒🔒🔒');
    expect(maskCredential('abc🔑----🔒xyz').isWellFormed()).toBe(true);
    expect(maskCredential('abc🔑----🔒xyz')).toBe('abc🔑...🔒xyz');
  });

  it('says nothing of the length', () => {
    expect(maskCredential(`abcd${'-'.repeat(5)}wxyz`)).toBe(maskCredential(`abcd${'-'.repeat(500)}wxyz`));
  });
});

describe('maskConfig', () => {
  it('has a list of every setting of every type', () => {
    expect(Object.keys(SETTINGS).sort()).toEqual([...DESTINATION_TYPES].sort());
    for (const type of DESTINATION_TYPES) {
      const { shown, masked } = SETTINGS[type];
      expect([type, ...[...shown, ...masked].sort()]).toEqual([
        type,
        ...Object.keys(DESTINATION_SETTINGS[type]).sort(),
      ]);
    }
  });

  it.each(DESTINATION_TYPES)('masks every credential of %s, and nothing else', (type) => {
    const { shown, masked } = SETTINGS[type];
    const fill = (names: readonly string[], value: string): Record<string, string> =>
      Object.fromEntries(names.map((name) => [name, value]));
    const value = 'abcd-SECRET-wxyz';

    const answer = maskConfig(type, fill([...shown, ...masked], value));

    expect(answer).toEqual({ ...fill(shown, value), ...fill(masked, 'abcd...wxyz') });
  });

  it.each(DESTINATION_TYPES)('masks the value of every header of %s, and shows the names', (type) => {
    const headers = {
      Authorization: 'Bearer SECRET',
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

  it('shows nothing of a credential that is no text, and leaves one that is not set unset', () => {
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

  it('changes no configuration', () => {
    const config = { apiKey: 'key-0123456789', headers: { a: 'header-0123456789' } };

    maskConfig('opik', config);

    expect(config).toEqual({ apiKey: 'key-0123456789', headers: { a: 'header-0123456789' } });
  });
});
