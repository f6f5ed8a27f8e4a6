import { readEnvironment } from './environment.js';

const SECRET = 'sk-not-to-be-repeated';

const providersOf = (variables: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(readEnvironment(variables).providers);

describe('the variables of providers', () => {
  it('are read by the slug of the provider, with - for _', () => {
    const variables = {
      PROVIDER_OPENAI_API_KEY: ` ${SECRET} `,
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'key',
      PROVIDER_GOOGLE_AI_STUDIO_PROTOCOL: 'anthropic',
      PROVIDER_Z_AI_BASE_URL: 'http://10.0.0.1:8000/v1//',
    };

    expect(providersOf(variables)).toEqual({
      openai: { apiKey: SECRET },
      'google-ai-studio': { apiKey: 'key', protocol: 'anthropic' },
      'z-ai': { baseUrl: 'http://10.0.0.1:8000/v1' },
    });
  });

  it('count as absent when they are empty, and others are not looked at', () => {
    const others = { PROVIDER_API_KEY: 'x', PROVIDER__API_KEY: 'x', provider_x_api_key: 'x', PROVIDER_X_REGION: 'x' };

    expect(providersOf({ PROVIDER_OPENAI_API_KEY: '  ', ...others })).toEqual({});
  });

  it.each([
    ['PROVIDER_X_PROTOCOL', 'echo'],
    ['PROVIDER_X_PROTOCOL', 'grpc'],
    ['PROVIDER_X_BASE_URL', 'example.com'],
    ['PROVIDER_X_BASE_URL', `https://user:${SECRET}@example.com`],
    ['PROVIDER_X_BASE_URL', `https://example.com/?key=${SECRET}`],
    ['PROVIDER_X_BASE_URL', 'https://example.com/#fragment'],
    ['PROVIDER_X_BASE_URL', `https://example.com/${'x'.repeat(2_048)}`],
    ['PROVIDER_X_API_KEY', `${SECRET} with spaces`],
    ['PROVIDER_X_API_KEY', 'x'.repeat(4_097)],
    ['PROVIDER_GATEHOUSE_API_KEY', SECRET],
  ])('reject %s=%s without repeating a secret', (name, value) => {
    const read = (): unknown => readEnvironment({ [name]: value });

    expect(read).toThrow(name);
    expect(read).not.toThrow(SECRET);
  });
});

describe('the variable ECHO_PROVIDER', () => {
  it.each([
    ['', true],
    ['on', true],
    ['off', false],
  ])('set to %j makes the builtin provider present: %s', (value, expected) => {
    expect(readEnvironment({ ECHO_PROVIDER: value }).hasEchoProvider).toBe(expected);
  });
});
