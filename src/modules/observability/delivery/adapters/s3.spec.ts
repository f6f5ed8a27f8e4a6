import { createHash, createHmac } from 'node:crypto';
import { generationEvent, outgoing, STARTED_AT } from '../../../../../test/support/delivery/generation-events.js';
import { type Received, sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { S3_ADAPTER } from './s3.js';
import { objectKeyOf } from './s3-object.js';
import { signedHeaders } from './s3-signed-request.js';

const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

const CONFIG = { ...CREDENTIALS, bucketName: 'gateway-traces', prefix: 'traces', pathTemplate: '{prefix}/{date}' };

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The signature that S3 would compute from what it got. */
function expectedSignature(received: Received, region: string): string {
  const [, , signed = ''] = /Credential=([^,]+), SignedHeaders=([^,]+), /.exec(received.headers.authorization!) ?? [];
  const time = received.headers['x-amz-date'] as string;
  const headers = signed.split(';').map((name) => `${name}:${String(received.headers[name])}\n`);
  const canonical = ['PUT', received.path, '', headers.join(''), signed, sha256(received.raw)].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${CREDENTIALS.secretAccessKey}`, time.slice(0, 8)), region),
  );
  return hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
}

describe('the signature of a PUT', () => {
  it('is that of the published example', async () => {
    const headers = await signedHeaders(
      'https://examplebucket.s3.amazonaws.com/test%24file.text',
      { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      Buffer.from('Welcome to Amazon S3.'),
      { ...CREDENTIALS, sessionToken: '', region: 'us-east-1' },
      '20130524T000000Z',
    );
    expect(headers['x-amz-content-sha256']).toBe('44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072');
    expect(headers['authorization']).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, ' +
        'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
  });
});

describe('the key of an object', () => {
  const { id } = generationEvent();

  function keyOf(changes: Record<string, string>, name = 'production'): string {
    const event = generationEvent();
    return objectKeyOf({ ...event, key: { ...event.key, name } }, { ...CONFIG, ...changes });
  }

  it('is filled in with the time of the generation', () => {
    expect(keyOf({})).toBe(`traces/2026-11-26/${id}-1795703072.json`);
    expect(keyOf({ pathTemplate: '{year}/{month}/{day}/{apiKeyName}/{other}', prefix: 'x' })).toBe(
      `2026/11/26/production/%7Bother%7D/${id}-1795703072.json`,
    );
  });

  it('stays below its folder, whatever the names are', () => {
    expect(keyOf({ pathTemplate: '//{prefix}//../{apiKeyName}/', prefix: '/a/./b/' }, '../../x y+ł')).toBe(
      `a/b/.._.._x%20y%2B%C5%82/${id}-1795703072.json`,
    );
    expect(keyOf({ pathTemplate: '' })).toBe(`${id}-1795703072.json`);
  });
});

describe('a bucket', () => {
  const receiver = sharedReceiver();

  async function deliver(changes: Record<string, unknown> = {}, generation = outgoing()) {
    return S3_ADAPTER.deliver([generation], targetOf({ ...CONFIG, ...changes }), receiver);
  }

  it.each([
    [{ region: 'eu-central-1' }, 'https://gateway-traces.s3.eu-central-1.amazonaws.com/', 'eu-central-1'],
    [{}, 'https://gateway-traces.s3.us-east-1.amazonaws.com/', 'us-east-1'],
    [{ bucketName: 'my.traces', region: 'us-west-2' }, 'https://s3.us-west-2.amazonaws.com/my.traces/', 'us-west-2'],
    [
      { endpoint: 'https://r2.example.com:9000/', region: 'auto' },
      'https://r2.example.com:9000/gateway-traces/',
      'auto',
    ],
  ])('of %j is addressed and signed', async (changes, address, region) => {
    const headers = { 'X-Amz-Storage-Class': 'STANDARD_IA', Authorization: 'none' };
    const name = { ...generationEvent().key, name: "it's (a) *key* ł+&=/%41" };
    const generation = outgoing({ key: name });
    await expect(
      deliver({ ...changes, headers, pathTemplate: '{prefix}/{apiKeyName}', sessionToken: 'session-1' }, generation),
    ).resolves.toEqual({ outcome: 'delivered' });
    expect(receiver.urls[0]!.startsWith(`${address}traces/`)).toBe(true);
    const { headers: received } = receiver.last;
    expect(received).toMatchObject({
      'x-amz-storage-class': 'STANDARD_IA',
      'x-amz-security-token': 'session-1',
      'content-type': 'application/json',
    });
    expect(received.authorization).toMatch(/SignedHeaders=[^,]*x-amz-security-token;x-amz-storage-class,/);
    expect(received.authorization!.endsWith(`Signature=${expectedSignature(receiver.last, region)}`)).toBe(true);
  });

  it('gets one object for a generation', async () => {
    await deliver(
      {},
      outgoing({ trace: { trace_name: 'Support', rank: 3, deep: { a: 1 }, tags: ['blue'] } }, { cost: true }),
    );
    const object = JSON.parse(receiver.last.body.toString()) as Record<string, never>;
    expect(object).toMatchObject({
      id: generationEvent().id,
      name: 'Support',
      userId: 'customer-1',
      sessionId: 'session-1',
      timestamp: '2026-11-26T14:24:32.198Z',
      tags: ['blue'],
      metadata: { rank: 3, deep: '{"a":1}', team: 'search', provider_name: 'Azure', total_cost: 0.0012 },
      observations: [
        {
          type: 'GENERATION',
          model: 'openai/gpt-5.5-2026-08-01',
          startTime: new Date(STARTED_AT).toISOString(),
          endTime: '2026-11-26T14:24:34.543Z',
          completionStartTime: '2026-11-26T14:24:33.010Z',
          level: 'DEFAULT',
          usage: { input: 120, output: 30, total: 150, cachedInput: 100 },
          cost: { input: 0.0003, output: 0.0009, total: 0.0012 },
          input: { messages: expect.arrayContaining([expect.objectContaining({ role: 'system' })]) },
          output: { role: 'assistant', tool_calls: [{ id: 'call-1' }] },
        },
      ],
    });
  });

  it('in another region is found by what it answers, once', async () => {
    receiver.answer = ({ headers }) =>
      headers.host!.includes('us-east-1')
        ? {
            status: 301,
            body: '<Error><Code>PermanentRedirect</Code></Error>',
            headers: { 'x-amz-bucket-region': 'eu-west-3' },
          }
        : { status: 200 };
    await expect(deliver()).resolves.toEqual({ outcome: 'delivered' });
    expect(receiver.urls.map((url) => new URL(url).host)).toEqual([
      'gateway-traces.s3.us-east-1.amazonaws.com',
      'gateway-traces.s3.eu-west-3.amazonaws.com',
    ]);
    expect(receiver.last.headers.authorization).toContain(expectedSignature(receiver.last, 'eu-west-3'));
    receiver.reset();
    receiver.answer = () => ({ status: 400, headers: { 'x-amz-bucket-region': 'eu-west-3' } });
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });

  it.each(['evil.example.com/eu-west-3', 'evil.example.com/', 'a.b', '', 'eu-west-3@x'])(
    'cannot lead elsewhere by the region "%s"',
    async (region) => {
      receiver.answer = () => ({ status: 301, headers: { 'x-amz-bucket-region': region } });
      await expect(deliver()).resolves.toMatchObject({ outcome: 'misconfigured' });
      expect(receiver.received).toHaveLength(1);
    },
  );

  it.each([
    [403, 'SignatureDoesNotMatch', 'misconfigured'],
    [403, 'AccessDenied', 'misconfigured'],
    [404, 'NoSuchBucket', 'misconfigured'],
    [400, 'ExpiredToken', 'misconfigured'],
    [400, 'AuthorizationHeaderMalformed', 'misconfigured'],
    [400, 'EntityTooLarge', 'refused'],
    [409, 'OperationAborted', 'unavailable'],
    [503, 'SlowDown', 'throttled'],
    [503, 'ServiceUnavailable', 'unavailable'],
    [500, 'InternalError', 'failed'],
  ])('that answers %i %s has it counted as %s', async (status, code, outcome) => {
    receiver.answer = () => ({ status, body: `<?xml version="1.0"?>\n<Error><Code>${code}</Code></Error>` });
    await expect(deliver()).resolves.toMatchObject({ outcome, status });
  });
});
