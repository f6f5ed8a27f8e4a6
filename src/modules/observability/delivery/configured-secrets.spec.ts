import { DESTINATION_SAMPLES, SECRET_MARK } from '../../../../test/support/resources/destination-samples.js';
import { DESTINATION_TYPES } from '../destination-settings.js';
import { secretsOf } from './configured-secrets.js';
import { withoutSecrets } from './verdicts.js';

describe('the secrets of a configuration', () => {
  it.each(DESTINATION_TYPES)('of %s are masked in a text, as they are and encoded', (type) => {
    const config = { ...DESTINATION_SAMPLES[type].config, headers: { 'x-token': `Bearer ${SECRET_MARK}-header` } };
    const secrets = secretsOf(type, config, [`whsec_${SECRET_MARK}`]);
    const values = [
      ...Object.values(DESTINATION_SAMPLES[type].config),
      `${SECRET_MARK}-header`,
      `whsec_${SECRET_MARK}`,
    ];
    const marked = values.filter((value) => value.includes(SECRET_MARK));
    const text = marked.flatMap((value) => [value, encodeURIComponent(value)]).join(' | ');
    expect(withoutSecrets(text, secrets)).not.toContain(SECRET_MARK);
    for (const value of marked.filter((value) => !value.startsWith('http'))) {
      expect(withoutSecrets(Buffer.from(value).toString('base64'), secrets)).toBe('****');
    }
  });

  it('are also the pair that Basic authentication sends', () => {
    const secrets = secretsOf('langfuse', { publicKey: 'pk-lf-1', secretKey: 'sk-lf-2' });
    expect(withoutSecrets(`Basic ${Buffer.from('pk-lf-1:sk-lf-2').toString('base64')}`, secrets)).toBe('Basic ****');
  });

  it('are the public key of a DSN and the query of an address too', () => {
    expect(secretsOf('sentry', { dsn: 'https://abcdef@o1.ingest.sentry.io/1' })).toContain('abcdef');
    expect(secretsOf('arize', { baseUrl: 'https://a.example.com/x?token=abcdef' })).toContain('abcdef');
  });

  it('are no texts that are in any message', () => {
    expect(secretsOf('webhook', { url: 'https://a.example.com/v1/traces' })).toEqual([]);
  });
});
