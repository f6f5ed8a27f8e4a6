import { answerAddress, readConsentRequest } from './consent-request.js';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

const read = (fields: Record<string, string>): ReturnType<typeof readConsentRequest> =>
  readConsentRequest(new Map(Object.entries(fields)));

describe('readConsentRequest', () => {
  it('reads what the application says and proposes', () => {
    const fields = { callback_url: 'https://app.example.com/cb?x=1', state: 's', ...S256 };
    const proposed = { key_label: 'App', limit: '12.5', usage_limit_type: 'monthly', expires_at: '2099-01-01T10:00' };
    expect(read({ ...fields, ...proposed, unknown: 'ignored', workspace_id: '' })).toEqual({
      issues: [],
      request: {
        fixed: fields,
        callbackUrl: fields.callback_url,
        isLoopback: false,
        hasProof: true,
        code: {
          ...S256,
          key_label: 'App',
          limit: 12.5,
          usage_limit_type: 'monthly',
          expires_at: '2099-01-01T10:00:00Z',
        },
      },
    });
  });

  it.each([
    ['http://localhost:8976/', true],
    ['http://127.0.0.1/x', true],
    ['http://[::1]:80', true],
    ['https://localhost.example.com/', false],
    ['https://127.0.0.1/', false],
  ])('knows whether %s is on the same machine', (callback_url, isLoopback) => {
    expect(read({ callback_url })).toMatchObject({ request: { isLoopback } });
  });

  it.each([
    ['a callback that is no URL', { callback_url: 'nonsense' }],
    ['a callback in the clear', { callback_url: 'http://app.example.com/' }],
    ['a callback with another host than it seems', { callback_url: 'https://app.example.com@evil.example.com/' }],
    ['a callback with a fragment', { callback_url: 'https://app.example.com/#x' }],
    ['a script', { callback_url: 'javascript:alert(1)' }],
    ['an unknown method', { callback_url: 'https://app.example.com/', code_challenge_method: 'S512' }],
    ['a method without a challenge', { callback_url: 'https://app.example.com/', code_challenge_method: 'S256' }],
    ['a long state', { callback_url: 'https://app.example.com/', state: 'x'.repeat(1_001) }],
    ['nothing at all', {}],
    ['no callback and a plain challenge', { code_challenge: CHALLENGE, code_challenge_method: 'plain' }],
    ['no callback and a client', { ...S256, oauth_client_id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80' }],
    ['half a character', { callback_url: 'https://app.example.com/', spawn_agent: '\ud800' }],
  ])('refuses %s', (_, fields) => {
    expect(read(fields)).toEqual({ refusal: expect.stringMatching(/\.$/) as string });
  });

  it('refuses a parameter that is there twice', () => {
    expect(readConsentRequest(undefined)).toHaveProperty('refusal');
  });

  it('names what is wrong with the fields that a person can change', () => {
    const reading = read({
      ...S256,
      limit: '-1',
      expires_at: 'soon',
      usage_limit_type: 'hourly',
      key_label: 'x'.repeat(101),
    });
    expect(reading).toMatchObject({ request: { callbackUrl: null } });
    const { issues } = reading as unknown as { issues: { path: string }[] };
    expect(new Set(issues.map(({ path }) => path))).toEqual(
      new Set(['limit', 'expires_at', 'usage_limit_type', 'key_label']),
    );
  });
});

describe('answerAddress', () => {
  it('adds parameters behind those of the callback, which stay as they are', () => {
    expect(answerAddress('https://a.example.com', { code: 'c', state: undefined })).toBe(
      'https://a.example.com?code=c',
    );
    expect(answerAddress('https://a.example.com/?q=a%20b+c', { code: 'c', state: 'x&y=#' })).toBe(
      'https://a.example.com/?q=a%20b+c&code=c&state=x%26y%3D%23',
    );
  });
});
