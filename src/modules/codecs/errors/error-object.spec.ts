import type { Upstream } from '../upstream-codec.js';
import { providerErrorOf } from './error-object.js';

const UPSTREAM: Upstream = {
  provider: 'example',
  baseUrl: 'http://127.0.0.1/v1',
  apiKey: 'provider-key-0123456789',
  timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
};

const KEY = 'a/b+c-~defghijklmnopq(rstuvwxyz';

describe('The error of a provider', () => {
  it.each([
    [
      { error: { message: 'No such model', type: 'invalid_request_error', code: 'model_not_found' } },
      { message: 'No such model', code: 'model_not_found', status: 404 },
    ],
    [
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { message: 'Overloaded', code: 'overloaded_error', status: 529 },
    ],
    [
      { error: { message: 'Bad key', type: 'invalid_request_error', code: 'invalid_api_key' } },
      { message: 'Bad key', code: 'invalid_api_key', status: 401 },
    ],
    [{ error: { message: 'Busy', code: 503 } }, { message: 'Busy', code: '503', status: 503 }],
    [[{ error: { message: 'Bad key', code: 400, status: 'INVALID_ARGUMENT' } }], { message: 'Bad key', status: 400 }],
    [
      [{ error: { message: 'Quota', code: 429, details: [{ reason: 'x' }, { retryDelay: '12.5s' }] } }],
      { message: 'Quota', status: 429, retryAfter: 13 },
    ],
    [{ error: { message: 'Quota', details: [{ retryDelay: 'soon' }, null] } }, { retryAfter: null }],
    [
      { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '12s' }] } },
      { message: 'Quota', status: 429, code: 'RESOURCE_EXHAUSTED', retryAfter: 12 },
    ],
    [
      {
        error: {
          message: 'Filtered',
          code: 'content_filter',
          status: 400,
          innererror: {
            code: 'ResponsibleAIPolicyViolation',
            content_filter_result: {
              hate: { filtered: true, severity: 'high' },
              jailbreak: { filtered: true, detected: true },
              sexual: { filtered: false, severity: 'safe' },
              'not a name': { filtered: true },
              error: null,
            },
          },
        },
      },
      { message: 'Filtered', code: 'content_filter', filtered: ['hate', 'jailbreak'] },
    ],
    [{ error: { message: 'Late', status: 'DEADLINE_EXCEEDED' } }, { status: 504, code: 'DEADLINE_EXCEEDED' }],
    [{ error: { message: 'Odd', code: 418, status: 'TEAPOT' } }, { status: 418, code: '418' }],
    [
      {
        error: { code: 400, message: 'No', status: 'INVALID_ARGUMENT', details: [null, { reason: 'API_KEY_INVALID' }] },
      },
      { message: 'No', status: 401, code: 'API_KEY_INVALID' },
    ],
    [{ error: 'model not loaded' }, { message: 'model not loaded', status: null, code: null }],
    [{ error: {} }, { message: 'The provider reported an error.', status: null }],
    [{ error: '' }, { message: 'The provider reported an error.', status: null }],
    [
      { error: { code: 7 }, choices: [] },
      { message: 'The provider reported an error.', status: null, code: '7' },
    ],
    [{ error: 'Lost', choices: [] }, { message: 'Lost' }],
    [
      { error: { type: 'throttlingException', message: 'Too many tokens' } },
      { message: 'Too many tokens', code: 'throttlingException', status: 429 },
    ],
    [{ error: { type: 'modelStreamErrorException', message: 'Failed' } }, { status: 502 }],
    [
      {
        error: {
          type: 'modelStreamErrorException',
          message: 'Failed',
          originalMessage: 'Bad',
          originalStatusCode: 400,
        },
      },
      { message: 'Failed (Bad)', status: 400 },
    ],
    // The credential of Amazon at the model is not that of the gateway.
    [{ error: { type: 'modelStreamErrorException', originalStatusCode: 403 } }, { status: 502 }],
    [{ error: { type: 'constructor' } }, { status: null }],
  ])('is read from %j', (document, expected) => {
    expect(providerErrorOf(document, UPSTREAM)).toMatchObject({ kind: 'refused', ...expected });
  });

  it.each<[status: number, means: number, error: object]>([
    [400, 402, { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' }],
    [400, 402, { message: 'You have reached your specified API usage limits. You will regain access on 2026-12-01.' }],
    [400, 402, { message: 'You have reached your specified workspace API usage limits.' }],
    [400, 402, { message: 'Reached', code: 'billing_hard_limit_reached', type: 'invalid_request_error' }],
    [429, 402, { message: 'Your account org-1 <ak-2> is suspended due to insufficient balance, please recharge.' }],
    [429, 402, { message: 'Not active', type: 'billing_not_active' }],
    [
      429,
      402,
      { code: '1113', message: '[1113][Insufficient balance or no resource package. Please recharge.][2026]' },
    ],
    [403, 402, { message: 'Your team 16f2151a-40f4 has either used all available credits or reached its limit.' }],
    [400, 401, { type: 'invalid_request_error', message: 'This organization has been disabled.' }],
    [400, 401, { message: 'Restricted.', code: 'organization_restricted' }],
    [400, 403, { message: 'User location is not supported for the API use.', status: 'FAILED_PRECONDITION' }],
    [400, 404, { message: 'The model `old` has been decommissioned.', code: 'model_decommissioned' }],
    [400, 404, { message: 'Invocation of model ID a.b-v1:0 with on-demand throughput isn’t supported.' }],
    [400, 404, { message: 'The provided model identifier is invalid.' }],
    [400, 404, { message: 'Model Not Exist', type: 'invalid_request_error' }],
    [429, 429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }],
    [429, 429, { message: 'Unknown model' }],
    [500, 500, { message: 'Your credit balance is too low.' }],
    [400, 400, { message: 'The message “Your credit balance is too low” is not allowed.' }],
    [400, 400, { message: 'Invalid value: insufficient balance' }],
  ])(
    'of status %i is one of status %i where it is about the account or the name of the model: %j',
    (given, status, error) => {
      expect(providerErrorOf({ error }, UPSTREAM, { status: given })).toMatchObject({ status });
    },
  );

  it('is read in a moment also where its messages are very long and nearly the same', () => {
    const [message, half] = ['a'.repeat(4_000_000), 'a'.repeat(1_000_000)];
    const error = { message, originalMessage: `${half}b${half}` };
    // To look for the one in the other would take hours.
    expect(providerErrorOf({ error }, UPSTREAM)?.message).toBe(`${'a'.repeat(1_999)}…`);
  });

  it('is read without an object around it if the status says that it is one', () => {
    for (const document of [{ message: 'Gone', code: 40401 }, { detail: 'Gone' }]) {
      expect(providerErrorOf(document, UPSTREAM)).toBeUndefined();
      expect(providerErrorOf(document, UPSTREAM, { status: 404 })).toMatchObject({ message: 'Gone', status: 404 });
    }
    expect(providerErrorOf({ detail: [{ loc: ['body'] }] }, UPSTREAM, { status: 422 })!.message).toBe(
      '[{"loc":["body"]}]',
    );
  });

  it.each([
    ['ServiceQuotaExceededException', 400, 429],
    ['UnrecognizedClientException', 403, 401],
    ['ExpiredTokenException', 400, 401],
    ['AccessDeniedException', 403, 403],
    ['ModelTimeoutException', 408, 504],
    ['ModelErrorException', 424, 502],
    ['ModelNotReadyException', 429, 503],
    ['AnotherException', 409, 409],
  ])('of Amazon’s class %s with status %i is one of status %i', (word, given, status) => {
    const said = { message: 'Sorry' };
    const expected = { message: 'Sorry', code: word, status };
    expect(providerErrorOf(said, UPSTREAM, { status: given, word })).toMatchObject(expected);
    const named = { Message: 'Sorry', __type: `com.amazon.coral.service#${word}` };
    expect(providerErrorOf(named, UPSTREAM, { status: given })).toMatchObject(expected);
  });

  it.each([
    ['API key not valid. Please pass a valid API key.', 401],
    ['API key expired. Please renew the API key.', 401],
    ['Invalid JSON payload received. Unknown name "x".', 400],
  ])('of Google is of the operator where it is of the key: %s', (message, status) => {
    const error = { code: 400, message, status: 'INVALID_ARGUMENT' };
    expect(providerErrorOf({ error }, UPSTREAM, { status: 400 })).toMatchObject({ message, status });
  });

  it('wants to be asked again when its headers say, where it says it itself as well', () => {
    const document = { error: { message: 'Quota', details: [{ retryDelay: '12s' }] } };
    expect(providerErrorOf(document, UPSTREAM, { status: 429, retryAfter: 3 })).toMatchObject({ retryAfter: 3 });
    expect(providerErrorOf(document, UPSTREAM, { status: 429 })).toMatchObject({ retryAfter: 12 });
  });

  it('is not seen in an answer without one', () => {
    const silent = ['', false, {}].flatMap((error) => [
      { error, choices: [{}] },
      { error, data: [] },
      { error, content: [] },
    ]);
    for (const document of [{ choices: [] }, { error: null }, [], null, 'text', 7, ...silent]) {
      expect(providerErrorOf(document, UPSTREAM)).toBeUndefined();
    }
  });

  it('has neither the key of the provider nor a part of it, and at most 2,000 characters', () => {
    const message = `Bad key ${UPSTREAM.apiKey!}: ${'x'.repeat(1_975)} ${UPSTREAM.apiKey!}`;
    const error = providerErrorOf({ error: { message, code: UPSTREAM.apiKey } }, UPSTREAM)!;
    expect(error.message).toMatch(/^Bad key \[redacted\]: x+ \[re…$/);
    expect(error.message).toHaveLength(2_000);
    expect(error.code).toBe('[redacted]');
  });

  it.each([
    ['percent-encoded', encodeURIComponent(KEY)],
    ['in a form', 'a%2Fb%2Bc-%7Edefghijklmnopq%28rstuvwxyz'],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in base64url', Buffer.from(KEY).toString('base64url')],
    ['cut', KEY.slice(0, 20)],
    ['without its beginning', KEY.slice(-20)],
    ['shown by its ends', `${KEY.slice(0, 14)}${KEY.slice(-14)}`],
  ])('has no key that is %s', (_, form) => {
    const error = providerErrorOf({ error: { message: `url?key=${form}&x=1` } }, { ...UPSTREAM, apiKey: KEY })!;
    expect(error.message).toMatch(/^url\?key=(?:\[redacted\])+&x=1$/);
  });

  it('is found at once in a text that nearly repeats a key of one letter', () => {
    const apiKey = 'A'.repeat(60_000);
    const message = `${apiKey.slice(1)}B`.repeat(8);
    const begin = performance.now();
    expect(providerErrorOf({ error: { message } }, { ...UPSTREAM, apiKey })!.message).toMatch(/^(?:\[redacted\]+B?)+$/);
    expect(performance.now() - begin).toBeLessThan(500);
  });

  it('has no line of a private key, and not the escaped key', () => {
    const lines = ['-----BEGIN PRIVATE KEY-----', 'A'.repeat(64), 'B'.repeat(64), '-----END PRIVATE KEY-----', ''];
    const apiKey = JSON.stringify({ client_email: 'a@b.c', private_key: lines.join('\n') });
    const message = `bad line ${lines[2]!} of ${JSON.stringify(lines.join('\n'))}`;
    expect(providerErrorOf({ error: { message } }, { ...UPSTREAM, apiKey })!.message).toBe(
      'bad line [redacted] of "[redacted]"',
    );
  });

  it('is the beginning of one however long that is, and whatever it repeats', () => {
    const keys = UPSTREAM.apiKey!.repeat(100_000);
    const redacted = '[redacted]'.repeat(200);
    for (const message of [keys, `${keys}x`]) {
      expect(providerErrorOf({ error: { message } }, UPSTREAM)!.message).toBe(`${redacted.slice(0, -1)}…`);
    }
    const lists = { error: { message: [Array(100_000).fill(keys.slice(0, 100)), 'x'] } };
    expect(providerErrorOf(lists, UPSTREAM)!.message).toMatch(/^\[\["\[redacted\].{1986}…$/);
  });
});
