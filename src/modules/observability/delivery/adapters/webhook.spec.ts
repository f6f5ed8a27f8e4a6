import { Webhook } from 'standardwebhooks';
import { attributesOf, outgoing } from '../../../../../test/support/delivery/generation-events.js';
import { decodedJson, spansIn } from '../../../../../test/support/delivery/trace-requests.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { WEBHOOK_ADAPTER } from './webhook.js';
import { webhookSignatureOf } from './webhook-signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OLD_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the signature of a webhook', () => {
  it('is that of the published example', () => {
    const body = Buffer.from('{"test": 2432232314}');
    expect(webhookSignatureOf([SECRET], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});

describe('a webhook', () => {
  const receiver = sharedReceiver();

  const url = 'https://hooks.example.com/traces/token-0123456789';

  it('gets one generation as OTLP, signed with every secret', async () => {
    const target = targetOf(
      { url, method: 'POST', headers: { Authorization: 'Bearer abc', 'Content-Type': 'text/plain' } },
      { signingSecrets: [SECRET, OLD_SECRET] },
    );
    const generation = outgoing();
    await expect(WEBHOOK_ADAPTER.deliver([generation], target, receiver)).resolves.toEqual({ outcome: 'delivered' });
    const { method, path, headers, raw } = receiver.last;
    expect([method, path]).toEqual(['POST', '/traces/token-0123456789']);
    expect(receiver.urls).toEqual([url]);
    expect(headers).toMatchObject({
      authorization: 'Bearer abc',
      'content-type': 'application/json',
      'webhook-id': generation.event.id,
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('x-test-connection');
    // The package that receivers check with.
    for (const secret of [SECRET, OLD_SECRET]) {
      expect(() => new Webhook(secret).verify(raw, headers as Record<string, string>)).not.toThrow();
    }
    const [span] = spansIn(decodedJson(raw));
    expect(attributesOf(span!)['gen_ai.response.id']).toBe(generation.event.id);
  });

  it('gets the same body and id again, with the time of the attempt', async () => {
    const target = targetOf({ url });
    await WEBHOOK_ADAPTER.deliver([outgoing()], target, receiver);
    await WEBHOOK_ADAPTER.deliver([outgoing()], target, receiver);
    const [first, second] = receiver.received;
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(Math.abs(Number(second!.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(600);
    expect(second!.headers).not.toHaveProperty('webhook-signature');
  });

  it('gets a PUT where it is to, and is told that it is a test', async () => {
    await WEBHOOK_ADAPTER.deliver([outgoing({ isTest: true })], targetOf({ url, method: 'PUT' }), receiver);
    expect(receiver.last).toMatchObject({ method: 'PUT', headers: { 'x-test-connection': 'true' } });
  });

  it('that repeats its address in an error has it masked', async () => {
    receiver.answer = () => ({ status: 404, body: `nothing at ${url}`, headers: {} });
    await expect(WEBHOOK_ADAPTER.deliver([outgoing()], targetOf({ url }), receiver)).resolves.toEqual({
      outcome: 'misconfigured',
      status: 404,
      message: 'HTTP 404: nothing at https://hooks.example.com/traces/****',
    });
  });

  it('that is gone for good says so', async () => {
    receiver.answer = () => ({ status: 410 });
    await expect(WEBHOOK_ADAPTER.deliver([outgoing()], targetOf({ url }), receiver)).resolves.toMatchObject({
      outcome: 'gone',
    });
  });
});
