import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import { SELF_SIGNED_CERTIFICATE } from '../../../../test/support/network/self-signed-certificate.js';
import { TokenService } from '../../../../test/support/network/token-service.js';
import { newAuthorization } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { AwsScheme, CredentialScheme, EntraScheme, GoogleScheme } from './credential-scheme.js';
import { issueOfSecret } from './credential-secret.js';
import type { Authorization, Credential } from './upstream-authorization.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PRIVATE_PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PUBLIC_PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const SHORT_PEM = generateKeyPairSync('rsa', { modulusLength: 1024 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

const KEYS = JSON.stringify({ access_key_id: 'AKIDOWN', secret_access_key: 'own-secret-access-key' });
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  client_email: 'gate@acme.iam.gserviceaccount.com',
  // As copies have it.
  private_key: PRIVATE_PEM.replaceAll('\n', '\\n'),
  private_key_id: 'key-1',
  token_uri: 'http://169.254.169.254/steal',
});
const BEDROCK: AwsScheme = { scheme: 'aws', source: 'keys', region: 'eu-central-1', service: 'bedrock' };
const GOOGLE: GoogleScheme = { scheme: 'google', source: 'service-account' };
const ENTRA: EntraScheme = {
  scheme: 'entra',
  source: 'client-secret',
  tenantId: 'tenant',
  clientId: 'client',
  resource: 'https://cognitiveservices.azure.com',
};
const ISSUED = { access_token: 'issued-token', expires_in: 3_600, token_type: 'Bearer' };
const XML = `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
  <AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role-secret</SecretAccessKey><SessionToken>role-session</SessionToken>
  <Expiration>2126-11-25T22:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;

describe('The authorization of requests to providers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tokens-'));
  const tokenFile = join(directory, 'token');
  let service: TokenService;

  beforeAll(async () => {
    service = await TokenService.start();
    writeFileSync(tokenFile, 'token-of-the-file\n');
  });

  beforeEach(() => service.reset());

  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  const authorized = async (
    credential: Pick<Credential, 'scheme' | 'apiKey' | 'isOwn'>,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Authorization> => {
    const request = {
      method: 'POST',
      url: 'https://provider.example/chat',
      content: { type: 'application/json', pieces: [Buffer.from('{}')] },
    } as const;
    const authorization = newAuthorization({
      GOOGLE_TOKEN_URL: `${service.url}/token`,
      GOOGLE_STS_URL: `${service.url}/sts`,
      GOOGLE_IAM_CREDENTIALS_URL: service.url,
      GCE_METADATA_HOST: service.url.slice('http://'.length),
      AZURE_AUTHORITY_HOST: service.url,
      AZURE_METADATA_URL: service.url,
      AWS_ENDPOINT_URL_STS: `${service.url}/sts`,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: service.url,
      ...variables,
    });
    const given = await authorization.of({ ...credential, keyHeader: 'x-key' }, request, new AbortController().signal);
    return { headers: given.headers, secrets: given.secrets };
  };

  const bearer = { headers: { authorization: 'Bearer issued-token' }, secrets: ['issued-token'] };

  it.each([
    [undefined, { 'x-key': 'sk-1' }],
    [{ scheme: 'key-header', header: 'api-key' }, { 'api-key': 'sk-1' }],
    [{ scheme: 'key-header', header: 'authorization' }, { authorization: 'Bearer sk-1' }],
  ] satisfies [CredentialScheme | undefined, object][])(
    'puts an API key into the header: %j',
    async (scheme, headers) => {
      expect(await authorized({ scheme, apiKey: 'sk-1' })).toEqual({ headers, secrets: [] });
    },
  );

  it('sends nothing where a server wants no key', async () => {
    expect(await authorized({ apiKey: null })).toEqual({ headers: {}, secrets: [] });
  });

  describe('by Google', () => {
    it('exchanges an assertion that the service account has signed', async () => {
      service.answer('/token', { body: ISSUED });
      expect(await authorized({ scheme: GOOGLE, apiKey: ACCOUNT })).toEqual(bearer);
      const { grant_type: grant, assertion } = service.received[0]!.form;
      expect(grant).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
      const key = await importSPKI(PUBLIC_PEM, 'RS256');
      const { payload, protectedHeader } = await jwtVerify(assertion!, key, {
        issuer: 'gate@acme.iam.gserviceaccount.com',
        audience: 'https://oauth2.googleapis.com/token',
      });
      expect(payload['scope']).toBe('https://www.googleapis.com/auth/cloud-platform');
      expect(payload.exp! - payload.iat!).toBe(3_600);
      expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'key-1' });
    });

    it('asks the metadata server of the machine, and believes only one that says it is one', async () => {
      const path = '/computeMetadata/v1/instance/service-accounts/default/token';
      const scheme: GoogleScheme = { scheme: 'google', source: 'metadata' };
      service.answer(path, { headers: { 'Metadata-Flavor': 'Google' }, body: ISSUED });
      expect(await authorized({ scheme, apiKey: null })).toEqual(bearer);
      expect(service.received[0]!.headers['metadata-flavor']).toBe('Google');
      service.answer(path, { body: ISSUED });
      await expect(authorized({ scheme, apiKey: null })).rejects.toMatchObject({ status: 503 });
    });

    it('exchanges the token of a file, and then that for one of a service account', async () => {
      const configuration = JSON.stringify({
        audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
        token_url: 'http://169.254.169.254/steal',
        service_account_impersonation_url:
          'https://steal.example/v1/projects/-/serviceAccounts/gate@acme.iam.gserviceaccount.com:generateAccessToken',
        credential_source: { file: tokenFile },
      });
      service.answer('/sts', { body: { ...ISSUED, access_token: 'federated' } });
      service.answer('/v1/projects/-/serviceAccounts/gate%40acme.iam.gserviceaccount.com:generateAccessToken', {
        body: { accessToken: 'issued-token', expireTime: '2126-01-01T00:00:00Z' },
      });
      const scheme: GoogleScheme = { scheme: 'google', source: 'federation' };
      expect(await authorized({ scheme, apiKey: configuration })).toEqual(bearer);
      expect(service.received[0]!.form).toMatchObject({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: 'token-of-the-file',
      });
      expect(service.received[1]!.headers.authorization).toBe('Bearer federated');
    });
  });

  describe('by Microsoft', () => {
    const path = '/tenant/oauth2/v2.0/token';

    it('shows the secret of an application', async () => {
      service.answer(path, { body: ISSUED });
      expect(await authorized({ scheme: ENTRA, apiKey: 'client-secret' })).toEqual(bearer);
      expect(service.received[0]!.form).toEqual({
        client_id: 'client',
        scope: 'https://cognitiveservices.azure.com/.default',
        grant_type: 'client_credentials',
        client_secret: 'client-secret',
      });
    });

    it.each(['pkcs8', 'pkcs1'] as const)(
      'shows an assertion that the key of a certificate has signed: %s',
      async (type) => {
        const keyFile = join(directory, 'key.pem');
        writeFileSync(keyFile, PRIVATE_PEM);
        const certificateFile = join(directory, 'certificate.pem');
        const args = ['req', '-x509', '-key', keyFile, '-out', certificateFile, '-days', '2', '-subj', '/CN=gatehouse'];
        execFileSync('openssl', args, { stdio: 'ignore' });
        const certificate = readFileSync(certificateFile, 'utf8');
        const apiKey = `${certificate}${privateKey.export({ type, format: 'pem' }).toString()}`;
        expect(issueOfSecret({ ...ENTRA, source: 'certificate' }, apiKey)).toBeUndefined();
        service.answer(path, { body: ISSUED });
        expect(await authorized({ scheme: { ...ENTRA, source: 'certificate' }, apiKey })).toEqual(bearer);
        const { client_assertion: assertion, client_assertion_type: assertionType } = service.received[0]!.form;
        expect(assertionType).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
        expect(decodeProtectedHeader(assertion!)).toMatchObject({
          alg: 'PS256',
          'x5t#S256': Buffer.from(new X509Certificate(certificate).fingerprint256.replaceAll(':', ''), 'hex').toString(
            'base64url',
          ),
        });
        const { payload } = await jwtVerify(assertion!, await importSPKI(PUBLIC_PEM, 'PS256'), {
          issuer: 'client',
          subject: 'client',
          audience: `${service.url}${path}`,
        });
        expect(payload.jti).toEqual(expect.any(String));
      },
    );

    it('shows the token of a file, which is read each time', async () => {
      service.answer(path, { body: ISSUED });
      const variables = { AZURE_FEDERATED_TOKEN_FILE: tokenFile };
      await authorized({ scheme: { ...ENTRA, source: 'federated' }, apiKey: null }, variables);
      expect(service.received[0]!.form['client_assertion']).toBe('token-of-the-file');
    });

    it('asks the identity of a virtual machine, whose numbers are texts', async () => {
      service.answer('/metadata/identity/oauth2/token', { body: { access_token: 'issued-token', expires_in: '3599' } });
      expect(await authorized({ scheme: { ...ENTRA, source: 'managed-identity' }, apiKey: null })).toEqual(bearer);
      expect(service.received[0]).toMatchObject({
        path: '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fcognitiveservices.azure.com&client_id=client',
        headers: { metadata: 'true' },
      });
    });

    it('asks the identity of an app', async () => {
      const end = String(Math.round(Date.now() / 1_000) + 3_600);
      service.answer('/msi', { body: { access_token: 'issued-token', expires_on: end } });
      const variables = { IDENTITY_ENDPOINT: `${service.url}/msi`, IDENTITY_HEADER: 'header-of-the-app' };
      expect(await authorized({ scheme: { ...ENTRA, source: 'managed-identity' }, apiKey: null }, variables)).toEqual(
        bearer,
      );
      expect(service.received[0]!.headers['x-identity-header']).toBe('header-of-the-app');
    });
  });

  describe('by Amazon', () => {
    it('signs with keys', async () => {
      const { headers, secrets } = await authorized({ scheme: BEDROCK, apiKey: KEYS });
      expect(headers['authorization']).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDOWN\/\d{8}\/eu-central-1\/bedrock\/aws4_request, /,
      );
      expect(secrets).toEqual(['own-secret-access-key', headers['authorization']!.split('Signature=')[1]]);
      expect(service.received).toEqual([]);
    });

    it('signs as a role, by the token of a file', async () => {
      service.answer('/sts', { body: XML });
      const variables = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/gate', AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile };
      const { headers } = await authorized({ scheme: { ...BEDROCK, source: 'web-identity' }, apiKey: null }, variables);
      expect(headers).toMatchObject({
        authorization: expect.stringContaining('Credential=ASIAROLE/') as string,
        'x-amz-security-token': 'role-session',
      });
      expect(service.received[0]!.form).toMatchObject({
        Action: 'AssumeRoleWithWebIdentity',
        RoleArn: 'arn:aws:iam::1:role/gate',
        WebIdentityToken: 'token-of-the-file',
      });
    });

    const temporary = {
      AccessKeyId: 'ASIAMACHINE',
      SecretAccessKey: 'machine-secret',
      Token: 'machine-session',
      Expiration: '2126-11-25T22:00:00Z',
    };

    it('signs with the keys of the container', async () => {
      service.answer('/keys', { body: temporary });
      const variables = {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${service.url}/keys`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
      };
      const { headers } = await authorized({ scheme: { ...BEDROCK, source: 'container' }, apiKey: null }, variables);
      expect(headers['x-amz-security-token']).toBe('machine-session');
      expect(service.received[0]!.headers.authorization).toBe('token-of-the-file');
    });

    it('does not ask another host than a container has for its keys', async () => {
      const variables = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://keys.example/keys' };
      const asked = authorized({ scheme: { ...BEDROCK, source: 'container' }, apiKey: null }, variables);
      await expect(asked).rejects.toThrow('is no address of a container');
    });

    it('signs with the keys of the machine, by a session of its metadata service', async () => {
      service.answer('/latest/api/token', { body: 'session' });
      service.answer('/latest/meta-data/iam/security-credentials/', { body: 'gate-role\n' });
      service.answer('/latest/meta-data/iam/security-credentials/gate-role', {
        body: { Code: 'Success', ...temporary },
      });
      const { headers } = await authorized({ scheme: { ...BEDROCK, source: 'instance' }, apiKey: null });
      expect(headers['authorization']).toContain('Credential=ASIAMACHINE/');
      expect(service.received.map(({ method }) => method)).toEqual(['PUT', 'GET', 'GET']);
      expect(service.received[2]!.headers['x-aws-ec2-metadata-token']).toBe('session');
    });
  });

  it.each<[string, CredentialScheme, string]>([
    [
      'a key that is none',
      GOOGLE,
      JSON.stringify({ client_email: 'a@b.c', private_key: '-----BEGIN PRIVATE KEY-----' }),
    ],
    [
      'a key of another kind',
      GOOGLE,
      JSON.stringify({ client_email: 'a@b.c', private_key: SELF_SIGNED_CERTIFICATE.key }),
    ],
    ['a key that is too short', GOOGLE, JSON.stringify({ client_email: 'a@b.c', private_key: SHORT_PEM })],
    ['a certificate alone', { ...ENTRA, source: 'certificate' }, SELF_SIGNED_CERTIFICATE.cert],
    [
      'the key of another certificate',
      { ...ENTRA, source: 'certificate' },
      `${SELF_SIGNED_CERTIFICATE.cert}${PRIVATE_PEM}`,
    ],
  ])('says before it is stored that it cannot be by %s', (_, scheme, secret) => {
    expect(issueOfSecret(scheme, secret)).toMatch(
      /^must (?:have a private_key of RSA|be a certificate and its private key)/,
    );
  });

  describe('that fails', () => {
    it('says the reason of the token service, without the secret', async () => {
      const body = { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid secret client-secret' };
      service.answer('/tenant/oauth2/v2.0/token', { status: 401, body });
      await expect(authorized({ scheme: ENTRA, apiKey: 'client-secret' })).rejects.toMatchObject({
        kind: 'refused',
        status: 401,
        message:
          'The token service of Microsoft Entra ID refuses the credential: invalid_client: AADSTS7000215: Invalid secret [redacted]',
      });
    });

    it.each([500, 503, 429])('is a 503 when the token service answers %i', async (status) => {
      service.answer('/token', { status, body: {} });
      await expect(authorized({ scheme: GOOGLE, apiKey: ACCOUNT })).rejects.toMatchObject({
        kind: 'refused',
        status: 503,
      });
    });

    it('is a 503 when the token service is away, or answers with something else', async () => {
      const away = { GOOGLE_TOKEN_URL: 'http://127.0.0.1:1/token' };
      await expect(authorized({ scheme: GOOGLE, apiKey: ACCOUNT }, away)).rejects.toMatchObject({ status: 503 });
      service.answer('/token', { body: '<html>' });
      await expect(authorized({ scheme: GOOGLE, apiKey: ACCOUNT })).rejects.toMatchObject({ status: 503 });
    });

    it.each([
      ['nothing', ''],
      ['an empty token', { ...ISSUED, access_token: '' }],
      ['a token that no header can have', { ...ISSUED, access_token: 'issued-token\r\nx-other: 1' }],
      ['a token that is no text', { ...ISSUED, access_token: 7 }],
      ['a list', [ISSUED]],
      ['65,537 bytes', JSON.stringify(ISSUED).padEnd(65_537)],
    ])('is a 503 when a token service answers with %s', async (_, body) => {
      service.answer('/token', { body });
      await expect(authorized({ scheme: GOOGLE, apiKey: ACCOUNT })).rejects.toMatchObject({ status: 503 });
      service.answer('/tenant/oauth2/v2.0/token', { body });
      await expect(authorized({ scheme: ENTRA, apiKey: 'secret' })).rejects.toMatchObject({ status: 503 });
    });

    it.each([['3599'], [undefined], [null], [0], [-1], [''], ['soon']])(
      'is not for a lifetime of %j, because the token is there',
      async (expires_in) => {
        service.answer('/token', { body: { ...ISSUED, expires_in } });
        expect(await authorized({ scheme: GOOGLE, apiKey: ACCOUNT })).toEqual(bearer);
        service.answer('/tenant/oauth2/v2.0/token', { body: { ...ISSUED, expires_in, refresh_in: expires_in } });
        expect(await authorized({ scheme: ENTRA, apiKey: 'secret' })).toEqual(bearer);
      },
    );

    it('says the reason as text that can be stored, without what is left of the secret', async () => {
      const secret = 'abcdefghijklmnopqrstuvwxyz+/0123456789==';
      const encoded = encodeURIComponent(secret);
      const description = `a\u0000b client_secret=${encoded} ${secret.slice(0, 30)} ${secret.slice(-20)}`;
      service.answer('/tenant/oauth2/v2.0/token', { status: 400, body: { error_description: description } });
      await expect(authorized({ scheme: ENTRA, apiKey: secret })).rejects.toThrow(
        'refuses the credential: ab client_secret=[redacted] [redacted] [redacted]',
      );
    });

    it('does not follow a redirect of the token service', async () => {
      service.answer('/token', { status: 302, headers: { location: `${service.url}/elsewhere` }, body: '' });
      await expect(authorized({ scheme: GOOGLE, apiKey: ACCOUNT })).rejects.toMatchObject({ status: 401 });
      expect(service.received).toHaveLength(1);
    });

    it.each([
      [GOOGLE, '{"client_email":"a@b.c"}'],
      [GOOGLE, JSON.stringify({ client_email: 'a@b.c', private_key: 'BEGIN PRIVATE KEY' })],
      [{ ...ENTRA, source: 'certificate' as const }, 'no PEM'],
      [BEDROCK, '{}'],
    ])('is a 401 for a secret that is none: %j', async (scheme, apiKey) => {
      await expect(authorized({ scheme, apiKey })).rejects.toMatchObject({ kind: 'refused', status: 401 });
    });
  });

  describe('by a key of an organization', () => {
    const own = { isOwn: true } as const;

    it.each([
      [{ ...BEDROCK, source: 'instance' as const }, { authorization: 'Bearer own-key' }],
      [{ ...GOOGLE, source: 'metadata' as const }, { 'x-goog-api-key': 'own-key' }],
      [{ ...ENTRA, source: 'managed-identity' as const }, { 'api-key': 'own-key' }],
    ])('is an API key of the cloud, whatever the deployment has: %j', async (scheme, headers) => {
      expect((await authorized({ ...own, scheme, apiKey: 'own-key' })).headers).toEqual(headers);
      expect(service.received).toEqual([]);
    });

    it('are keys of Amazon, a service account or an application, and nothing of the machine', async () => {
      const signed = await authorized({ ...own, scheme: { ...BEDROCK, source: 'instance' }, apiKey: KEYS });
      expect(signed.headers['authorization']).toContain('Credential=AKIDOWN/');
      service.answer('/token', { body: ISSUED });
      expect(await authorized({ ...own, scheme: { ...GOOGLE, source: 'metadata' }, apiKey: ACCOUNT })).toEqual(bearer);
      service.answer('/their-tenant/oauth2/v2.0/token', { body: ISSUED });
      const application = { tenant_id: 'their-tenant', client_id: 'their-client', client_secret: 'their-secret' };
      const apiKey = JSON.stringify(application);
      expect(await authorized({ ...own, scheme: { ...ENTRA, source: 'managed-identity' }, apiKey })).toEqual(bearer);
      expect(service.received.map(({ path }) => path)).toEqual(['/token', '/their-tenant/oauth2/v2.0/token']);
    });

    it.each([
      ['a file', JSON.stringify({ audience: 'a', credential_source: { file: '/etc/passwd' } })],
      ['an address', JSON.stringify({ audience: 'a', credential_source: { url: 'http://169.254.169.254/' } })],
      ['nothing', null],
    ])('reaches no file and no service of the machine by naming %s', async (_, apiKey) => {
      const scheme: GoogleScheme = { scheme: 'google', source: 'federation' };
      await expect(authorized({ ...own, scheme, apiKey })).rejects.toMatchObject({ status: 401 });
      expect(service.received).toEqual([]);
    });
  });
});
