import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { SignJWT } from 'jose';
import type { CloudVariables } from '../../../config/cloud-variables.js';
import type { EntraScheme } from './credential-scheme.js';
import { certificateIn, rsaKeyIn, unusableSecret } from './credential-secret.js';
import type { Issued } from './token-cache.js';
import {
  issuedToken,
  missingSetting,
  numberIn,
  type TokenAnswer,
  tokenFile,
  type TokenServices,
} from './token-service.js';

/** How an assertion shows an application (RFC 7523, section 2.2). */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** How long an assertion is valid. */
const ASSERTION_LIFETIME = '10m';

const SERVICE = 'Microsoft Entra ID';

/**
 * Fetches an access token of Microsoft Entra ID.
 *
 * @param secret the client's secret, or its certificate and private key; null where neither is needed
 * @throws ProviderError
 */
export async function entraToken(
  services: TokenServices,
  scheme: EntraScheme,
  secret: string | null,
  variables: CloudVariables['azure'],
): Promise<Issued<string>> {
  if (scheme.source === 'managed-identity') return tokenOfMachine(services, scheme, variables);
  const tenant = scheme.tenantId ?? variables.tenantId;
  const clientId = scheme.clientId ?? variables.clientId;
  if (tenant === undefined) throw missingSetting('AZURE_TENANT_ID');
  if (clientId === undefined) throw missingSetting('AZURE_CLIENT_ID');
  const url = `${variables.authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const proof = await proofOf(scheme, secret, { url, clientId, tokenFile: variables.federatedTokenFile });
  return issuedIn(
    await services.ask({
      service: SERVICE,
      url,
      method: 'POST',
      body: { client_id: clientId, scope: `${scheme.resource}/.default`, grant_type: 'client_credentials', ...proof },
      secrets: Object.values(proof),
    }),
  );
}

interface Application {
  readonly url: string;
  readonly clientId: string;
  readonly tokenFile: string | undefined;
}

/** The fields of a request by which an application shows who it is. */
async function proofOf(
  { source }: EntraScheme,
  secret: string | null,
  application: Application,
): Promise<Readonly<Record<string, string>>> {
  if (source === 'federated') {
    if (application.tokenFile === undefined) throw missingSetting('AZURE_FEDERATED_TOKEN_FILE');
    const assertion = await tokenFile(SERVICE, application.tokenFile);
    return { client_assertion: assertion, client_assertion_type: ASSERTION_TYPE };
  }
  if (secret === null) throw unusableSecret();
  if (source === 'client-secret') return { client_secret: secret };
  return { client_assertion: await assertionOf(secret, application), client_assertion_type: ASSERTION_TYPE };
}

/** A token that an application signs with the key of its certificate. */
async function assertionOf(secret: string, { url, clientId }: Application): Promise<string> {
  const pem = certificateIn(secret);
  const key = pem && rsaKeyIn(pem.privateKey);
  if (key === undefined) throw unusableSecret();
  try {
    const { raw } = new X509Certificate(pem!.certificate);
    const thumbprint = createHash('sha256').update(raw).digest('base64url');
    return await new SignJWT()
      .setProtectedHeader({ alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(url)
      .setJti(randomUUID())
      .setIssuedAt()
      .setNotBefore('0s')
      .setExpirationTime(ASSERTION_LIFETIME)
      .sign(key);
  } catch {
    throw unusableSecret();
  }
}

/** The managed identity of an app, or else of a virtual machine. */
async function tokenOfMachine(
  services: TokenServices,
  { resource, clientId }: EntraScheme,
  { identityEndpoint, identityHeader, metadataUrl }: CloudVariables['azure'],
): Promise<Issued<string>> {
  const isApp = identityEndpoint !== undefined && identityHeader !== undefined;
  const query = new URLSearchParams({
    'api-version': isApp ? '2019-08-01' : '2018-02-01',
    resource,
    ...(clientId !== undefined && { client_id: clientId }),
  });
  const url = isApp ? identityEndpoint : `${metadataUrl}/metadata/identity/oauth2/token`;
  const headers: Readonly<Record<string, string>> = isApp
    ? { 'x-identity-header': identityHeader }
    : { metadata: 'true' };
  return issuedIn(
    await services.ask({
      service: SERVICE,
      url: `${url}?${query.toString()}`,
      headers,
      isOnMachine: true,
      ...(isApp && { secrets: [identityHeader] }),
    }),
  );
}

/** Numbers come as texts from some of these services. */
function issuedIn({ fields }: TokenAnswer): Issued<string> {
  const token = issuedToken(SERVICE, fields['access_token']);
  const now = Date.now();
  const lifetime = numberIn(fields['expires_in']);
  const end = numberIn(fields['expires_on']);
  const renewal = numberIn(fields['refresh_in']);
  const endsIn = (seconds: number): number => now + seconds * 1_000;
  return {
    token,
    expiresAt: lifetime === undefined ? end && end * 1_000 : endsIn(lifetime),
    ...(renewal !== undefined && { renewAt: endsIn(renewal) }),
  };
}
