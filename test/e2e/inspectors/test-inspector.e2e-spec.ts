import type { InspectorTestResult } from '../../../src/modules/inspectors/dto/inspector.dto.js';
import { webhookSignatureOf } from '../../../src/modules/observability/delivery/adapters/webhook-signature.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import { INSPECTOR_KEY, INSPECTOR_SIGNING_SECRET, newInspector } from '../../support/resources/inspectors.js';
import { inspectorInterface, sharedGuard } from './inspector-interface.js';

type Tested = Answer<{ data: InspectorTestResult }>;

describe('testInspector', () => {
  const { app, organization, send } = inspectorInterface();
  const guard = sharedGuard();

  const tested = async (texts: unknown = ['Hello'], fields: object = {}, more: object = {}): Promise<Tested> => {
    const id = await newInspector(app, organization, { url: guard.server.baseUrl, ...fields });
    return send('POST', `/inspectors/${id}/test`, { texts, ...more });
  };

  it('answers 200 for texts that pass, and leaves nothing behind', async () => {
    const before = await app.rows('SELECT count(*) FROM audit_events');
    const id = await newInspector(app, organization, { url: guard.server.baseUrl });
    const answer: Tested = await send('POST', `/inspectors/${id}/test`, { texts: ['Hello'], place: 'tool_call' });
    expect({ status: answer.status, data: answer.body.data }).toEqual({
      status: 200,
      data: {
        outcome: 'passed',
        reason: null,
        texts: null,
        failure: null,
        lets_pass: true,
        milliseconds: expect.any(Number) as number,
      },
    });
    expect(guard.server.received).toHaveLength(1);
    expect(guard.server.received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/beta/litellm_basic_guardrail_api',
      headers: { 'x-api-key': INSPECTOR_KEY, 'content-type': 'application/json' },
      body: {
        texts: ['Hello'],
        input_type: 'response',
        request_data: { user_api_key_org_id: organization.organizationId },
        additional_provider_specific_params: { place: 'tool_call' },
      },
    });
    const after = await app.rows('SELECT count(*) FROM audit_events');
    // That the inspector was created.
    expect(Number(after[0]!['count'])).toBe(Number(before[0]!['count']) + 1);
  });

  it('answers 200 for texts that are blocked, with the reason in one line', async () => {
    guard.server.answerJson({ action: 'BLOCKED', blocked_reason: `no\nsuch ${'x'.repeat(500)}` });
    const { status, body } = await tested();
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { outcome: 'blocked', lets_pass: false } });
    expect(body.data.reason).toMatch(/^no such x+$/);
    expect(body.data.reason).toHaveLength(200);
  });

  it('answers 200 for texts that are changed, with them', async () => {
    guard.server.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['Hello [NAME]', 'Bye'] });
    const { status, body } = await tested(['Hello Jane', 'Bye']);
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { outcome: 'changed', texts: ['Hello [NAME]', 'Bye'], lets_pass: true },
    });
  });

  it('answers 200 with why it failed, without what the server says', async () => {
    const repeat = JSON.stringify({ error: `wrong key ${INSPECTOR_KEY}` });
    guard.server.answerWith((response) => void response.writeHead(403).end(repeat));
    const answer = await tested(['a secret text'], { on_failure: 'pass' });
    expect({ status: answer.status, data: answer.body.data }).toMatchObject({
      status: 200,
      data: { outcome: 'failed', failure: 'the server answered 403', lets_pass: true },
    });
    expect(answer.text).not.toContain(INSPECTOR_KEY);
    expect(JSON.stringify(app.logLines)).not.toContain('a secret text');
    expect(JSON.stringify(app.logLines)).not.toContain(INSPECTOR_KEY);
  });

  it('answers 200 and asks again however often the inspector has failed', async () => {
    const id = await newInspector(app, organization, { url: guard.server.baseUrl });
    guard.server.answerJson({}, 500);
    for (let count = 0; count < 7; count += 1) {
      const answer: Tested = await send('POST', `/inspectors/${id}/test`, { texts: ['Hello'] });
      expect({ status: answer.status, failure: answer.body.data.failure }).toEqual({
        status: 200,
        failure: 'the server answered 500',
      });
    }
    expect(guard.server.received).toHaveLength(7);
  });

  it('answers 200 for a signed request, whose further headers replace none of it', async () => {
    const headers = { 'X-Tenant': 'acme', 'Webhook-Signature': 'v1,forged', Host: 'elsewhere' };
    expect((await tested(['Hello'], { signing_secret: INSPECTOR_SIGNING_SECRET, headers })).status).toBe(200);
    const { headers: sent, body } = guard.server.received[0]!;
    expect(sent['x-tenant']).toBe('acme');
    expect(sent.host).toBe(new URL(guard.server.baseUrl).host);
    expect(sent['webhook-id']).toMatch(/^msg_[0-9a-f-]{36}$/);
    const [id, timestamp] = [String(sent['webhook-id']), Number(sent['webhook-timestamp'])];
    // JSON keeps the order of fields, so that this is what was sent, byte for byte.
    const payload = Buffer.from(JSON.stringify(body));
    expect(sent['webhook-signature']).toBe(webhookSignatureOf([INSPECTOR_SIGNING_SECRET], id, timestamp, payload));
  });

  it.each<[fault: string, body: object, paths: string[]]>([
    ['no texts', {}, ['texts']],
    ['an empty list', { texts: [] }, ['texts']],
    ['an empty text', { texts: [''] }, ['texts[0]']],
    ['too many texts', { texts: Array.from({ length: 17 }, () => 'x') }, ['texts']],
    ['a long text', { texts: ['x'.repeat(10_001)] }, ['texts[0]']],
    ['an unknown place', { texts: ['x'], place: 'nowhere' }, ['place']],
  ])('answers 400 for %s', async (_, body, paths) => {
    const id = await newInspector(app, organization, { url: guard.server.baseUrl });
    const answer = await send('POST', `/inspectors/${id}/test`, body);
    expect(answer.status).toBe(400);
    const { error } = answer.body as unknown as { error: { metadata: { issues: { path: string }[] } } };
    expect(error.metadata.issues.map(({ path }) => path)).toEqual(paths);
    expect(guard.server.received).toEqual([]);
  });

  it('answers 404 for one that there is not, and for one of another organization', async () => {
    const foreign = await newInspector(app, await app.factory.organization(), { url: guard.server.baseUrl });
    for (const id of [UNKNOWN_UUID, foreign]) {
      expectRefusal(await send('POST', `/inspectors/${id}/test`, { texts: ['Hello'] }), {
        status: 404,
        reason: 'inspector_not_found',
        userId: organization.userId,
      });
    }
    expect(guard.server.received).toEqual([]);
  });
});
