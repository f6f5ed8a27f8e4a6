import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { INSPECTOR_KEY, INSPECTOR_SIGNING_SECRET, madeInspector } from '../../support/resources/inspectors.js';
import { inspectorInterface } from './inspector-interface.js';

describe('createInspector', () => {
  const { app, organization, send } = inspectorInterface({
    QUOTA_INSPECTORS: '2',
    ALLOW_PRIVATE_DESTINATIONS: 'false',
  });

  it('answers 201 with its defaults, and without any secret', async () => {
    const { status, body, headers } = await send('POST', '/inspectors', {
      name: 'G',
      url: 'https://guard.example.com',
    });
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        id: expect.any(String) as string,
        name: 'G',
        protocol: 'texts',
        url: 'https://guard.example.com',
        settings: {},
        applies_to: ['request', 'tool_result'],
        mode: 'enforce',
        on_failure: 'block',
        timeout_ms: 3_000,
        window: { characters: 1_024, overlap: 256 },
        api_key: null,
        signing_secret: null,
        headers: {},
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      },
    });
    expect(headers.get('etag')).not.toBeNull();
    expect(await app.rows('SELECT encrypted_secrets FROM inspectors WHERE id = $1', [body.data.id])).toEqual([
      { encrypted_secrets: null },
    ]);
  });

  it('answers 201 with masks of its secrets, which nothing holds in the clear', async () => {
    const fields = {
      settings: { parameters: { policy: 'strict' } },
      applies_to: ['response', 'request', 'response'],
      mode: 'observe',
      on_failure: 'pass',
      timeout_ms: 50,
      window: 'whole',
      signing_secret: INSPECTOR_SIGNING_SECRET,
      headers: { Authorization: 'Bearer 0123456789abcdef' },
    };
    const made = await madeInspector(app, organization, fields);
    expect(made).toMatchObject({
      settings: { parameters: { policy: 'strict' } },
      applies_to: ['response', 'request'],
      mode: 'observe',
      on_failure: 'pass',
      timeout_ms: 50,
      window: 'whole',
      api_key: 'insp...0123',
      signing_secret: 'whse...dHM=',
      headers: { Authorization: 'Bear...cdef' },
    });
    const [event] = await auditEventsOf(app, made.id);
    expect(event).toMatchObject({
      action: 'inspector.create',
      changes: { name: { after: 'Guard' }, api_key: { after: 'insp...0123' }, window: { after: 'whole' } },
    });
    const rows = await app.rows('SELECT i::text AS row FROM inspectors i WHERE id = $1', [made.id]);
    const everything = JSON.stringify([rows, event, app.logLines]);
    for (const secret of [INSPECTOR_KEY, INSPECTOR_SIGNING_SECRET, '0123456789abcdef']) {
      expect(everything).not.toContain(secret);
    }
  });

  it.each<[fault: string, fields: object, paths: string[]]>([
    ['an address that is none', { url: 'guard' }, ['url']],
    ['a private address', { url: 'https://127.0.0.1' }, ['url']],
    ['a metadata service', { url: 'https://169.254.169.254' }, ['url']],
    ['http', { url: 'http://guard.example.com' }, ['url']],
    ['a query', { url: 'https://guard.example.com/?code=1' }, ['url']],
    ['a password', { url: 'https://a:b@guard.example.com' }, ['url']],
    ['no address', { url: null }, ['url']],
    ['an unknown protocol', { protocol: 'pigeon' }, ['protocol']],
    ['an unknown setting', { settings: { nothing: 1 } }, ['settings.nothing']],
    ['a large setting', { settings: { parameters: { text: 'x'.repeat(16_385) } } }, ['settings']],
    ['no place', { applies_to: [] }, ['applies_to']],
    ['an unknown place', { applies_to: ['reasoning'] }, ['applies_to[0]']],
    ['a longer time', { timeout_ms: 30_001 }, ['timeout_ms']],
    ['no time', { timeout_ms: 0 }, ['timeout_ms']],
    ['a window of another word', { window: 'half' }, ['window']],
    ['a window that is a list', { window: [] }, ['window']],
    ['a small window', { window: { characters: 63, overlap: 0 } }, ['window.characters']],
    ['an overlap of all', { window: { characters: 64, overlap: 64 } }, ['window.overlap']],
    ['half a window', { window: { characters: 64 } }, ['window.overlap']],
    ['more of a window', { window: { characters: 64, overlap: 0, more: 1 } }, ['window.more']],
    ['headers that are none', { headers: { 'a b': 'c', c: 1 } }, ['headers.c', 'headers.a b']],
    ['a header with a line break', { headers: { a: 'b\r\nc: d' } }, ['headers.a']],
    ['a header twice', { headers: { a: 'b', A: 'c' } }, ['headers.A']],
    ['a key that no header can have', { api_key: 'a b' }, ['api_key']],
    ['an odd secret', { signing_secret: 'secret' }, ['signing_secret']],
    ['an unknown field', { nothing: 1 }, ['nothing']],
  ])('answers 400 for %s', async (_, fields, paths) => {
    const json = { name: 'G', url: 'https://guard.example.com', ...fields };
    const answer = await send('POST', '/inspectors', json);
    expect(answer.status).toBe(400);
    const { error } = answer.body as unknown as { error: { metadata: { issues: { path: string }[] } } };
    expect(error.metadata.issues.map(({ path }) => path)).toEqual(paths);
    expect(await app.rows('SELECT FROM inspectors WHERE organization_id = $1', [organization.organizationId])).toEqual(
      [],
    );
  });

  it.each<[protocol: string, fields: object]>([
    ['messages', { url: 'https://guard.example.com', signing_secret: INSPECTOR_SIGNING_SECRET }],
    ['bedrock', { settings: { region: 'eu-central-1', guardrail_id: 'gr1' }, api_key: 'ABSK0123456789' }],
    [
      'bedrock',
      {
        settings: { region: 'eu-central-1', guardrail_id: 'gr1' },
        api_key: JSON.stringify({ access_key_id: 'AKIA0123456789ABCDEF', secret_access_key: 's' }),
      },
    ],
    [
      'azure-content-safety',
      {
        url: 'https://a.cognitiveservices.azure.com',
        api_key: JSON.stringify({ tenant_id: 't', client_id: 'c', client_secret: 's' }),
      },
    ],
    ['lakera', { api_key: 'lakera-0123456789' }],
    ['openai-moderation', {}],
    ['classifier', { url: 'https://guard.example.com', settings: { labels: ['INJECTION'] } }],
  ])('answers 201 for protocol %s with what it needs', async (protocol, fields) => {
    const { status, body } = await send('POST', '/inspectors', { name: 'G', protocol, ...fields });
    expect({ status, protocol: body.data.protocol }).toEqual({ status: 201, protocol });
  });

  it.each<[fault: string, fields: object, paths: string[]]>([
    ['bedrock without settings', { protocol: 'bedrock' }, ['settings.region', 'settings.guardrail_id']],
    [
      'bedrock without a key',
      { protocol: 'bedrock', settings: { region: 'eu-central-1', guardrail_id: 'gr1' } },
      ['api_key'],
    ],
    [
      'bedrock in a region that would be another host',
      { protocol: 'bedrock', settings: { region: 'x.example.com/', guardrail_id: 'gr1' }, api_key: 'k' },
      ['settings.region'],
    ],
    [
      'bedrock with half of the keys of Amazon',
      {
        protocol: 'bedrock',
        settings: { region: 'eu-central-1', guardrail_id: 'gr1' },
        api_key: '{"access_key_id":"A"}',
      },
      ['api_key'],
    ],
    [
      'lakera with a secret that signs',
      { protocol: 'lakera', api_key: 'k', signing_secret: INSPECTOR_SIGNING_SECRET },
      ['signing_secret'],
    ],
    ['presidio without an address', { protocol: 'presidio' }, ['url']],
    [
      'settings of another protocol',
      { protocol: 'openai-moderation', settings: { region: 'eu-central-1' } },
      ['settings.region'],
    ],
  ])('answers 400 for %s', async (_, fields, paths) => {
    const answer = await send('POST', '/inspectors', { name: 'G', ...fields });
    expect(answer.status).toBe(400);
    const { error } = answer.body as unknown as { error: { metadata: { issues: { path: string }[] } } };
    expect(error.metadata.issues.map(({ path }) => path)).toEqual(paths);
  });

  it('answers 400 for masks, which stand for nothing yet', async () => {
    const json = {
      name: 'G',
      url: 'https://guard.example.com',
      api_key: '****',
      signing_secret: 'whse...dHM=',
      headers: { a: 'abcd...wxyz' },
    };
    expectRefusal(await send('POST', '/inspectors', json), {
      status: 400,
      reason: 'masked_credential',
      paths: ['api_key', 'signing_secret', 'headers.a'],
      userId: organization.userId,
    });
  });

  it('answers 400 beyond the quota', async () => {
    for (let count = 0; count < 2; count += 1) await madeInspector(app, organization);
    const answer = await send('POST', '/inspectors', { name: 'G', url: 'https://guard.example.com' });
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 400,
      text: expect.stringContaining('quota_exceeded') as string,
    });
  });
});
