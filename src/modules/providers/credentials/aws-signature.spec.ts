import { signatureHeaders } from './aws-signature.js';

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const SCOPE = { region: 'us-east-1', service: 'bedrock' };
const HOST = 'https://bedrock-runtime.us-east-1.amazonaws.com';
const REQUEST = {
  method: 'POST',
  url: `${HOST}/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse`,
  content: {
    type: 'application/json',
    pieces: [Buffer.from('{"messages":[{"role":"user",'), Buffer.from('"content":[{"text":"hi"}]}]}')],
  },
} as const;
const TIME = Date.parse('2026-11-25T21:39:04Z');

// The signatures are those of Amazon's own library for the same request.
describe('A signature of Amazon', () => {
  it('is that of the keys, the body and the path as it is sent', async () => {
    expect(await signatureHeaders(REQUEST, KEYS, SCOPE, TIME)).toEqual({
      'x-amz-date': '20261125T213904Z',
      'x-amz-content-sha256': 'c3335e07d6e89650bf94cb98664be69f8774dbc3198df221f113db0a59ea14f0',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261125/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=a45cabae58c0f683afd4c26a9169a043f36af8533b98cd098d137d837c20d83c',
    });
  });

  it('has the token of temporary keys', async () => {
    const headers = await signatureHeaders(REQUEST, { ...KEYS, sessionToken: 'SESSIONTOKEN' }, SCOPE, TIME);
    expect(headers['x-amz-security-token']).toBe('SESSIONTOKEN');
    expect(headers['authorization']).toContain(
      'SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=5c092bfa24f044f0460418a3051e64248329fe363ea4f352a01ebb4ef5956936',
    );
  });

  it('has the port of an address that names one, and no media type without a body', async () => {
    const request = { method: 'GET', url: 'http://127.0.0.1:8080/foundation-models', content: null } as const;
    const headers = await signatureHeaders(request, KEYS, SCOPE, TIME);
    expect(headers['authorization']).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date,');
  });
});
