import { SignJWT } from 'jose';
import type { CloudVariables } from '../../../config/cloud-variables.js';
import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { isObject } from '../../../http/validation/constraints.js';
import type { GoogleScheme } from './credential-scheme.js';
import { rsaKeyIn, serviceAccountIn, type ServiceAccountKey, unusableSecret } from './credential-secret.js';
import type { Issued } from './token-cache.js';
import {
  issuedToken,
  numberIn,
  type TokenAnswer,
  tokenFile,
  type TokenServices,
  tokenServiceAway,
} from './token-service.js';

/** What tokens are for. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** How long a token is asked for, in seconds. */
const LIFETIME_S = 3_600;

const SERVICE = 'Google';

/** A federated identity: the fields of a configuration of external accounts that are used. Addresses in it are not. */
interface FederatedIdentity {
  readonly audience: string;
  readonly file: string;
  /** The field of the file that holds the token, if it is JSON. */
  readonly field: string | undefined;
  /** The service account that is impersonated. */
  readonly serviceAccount: string | undefined;
}

/**
 * Fetches an access token of Google.
 *
 * @param secret the key of a service account, or the configuration of a federated identity; null for the identity of the machine
 * @throws ProviderError
 */
export async function googleToken(
  services: TokenServices,
  { source }: GoogleScheme,
  secret: string | null,
  variables: CloudVariables['google'],
): Promise<Issued<string>> {
  if (source === 'metadata') return tokenOfMachine(services, variables);
  if (source === 'federation') {
    const identity = federatedIdentityIn(secret ?? '');
    if (identity === undefined) throw unusableSecret();
    return federatedToken(services, identity, variables);
  }
  const key = serviceAccountIn(secret ?? '');
  if (key === undefined) throw unusableSecret();
  return tokenOfServiceAccount(services, key, variables);
}

/** What is wrong with the configuration of a federated identity. @returns undefined for one that can be used */
export function issueOfFederation(secret: string): string | undefined {
  if (federatedIdentityIn(secret) !== undefined) return undefined;
  return 'must be a configuration of an external account with an audience and credential_source.file';
}

/** A signed assertion in exchange for a token (RFC 7523, section 2.1). */
async function tokenOfServiceAccount(
  services: TokenServices,
  { clientEmail, privateKey, privateKeyId }: ServiceAccountKey,
  { tokenUrl }: CloudVariables['google'],
): Promise<Issued<string>> {
  const key = rsaKeyIn(privateKey);
  if (key === undefined) throw unusableSecret();
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(privateKeyId !== undefined && { kid: privateKeyId }) })
    .setIssuer(clientEmail)
    .setAudience('https://oauth2.googleapis.com/token')
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_S}s`)
    .sign(key);
  const body = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  return issuedIn(await services.ask({ service: SERVICE, url: tokenUrl, method: 'POST', body, secrets: [assertion] }));
}

async function tokenOfMachine(
  services: TokenServices,
  { metadataHost }: CloudVariables['google'],
): Promise<Issued<string>> {
  const path = '/computeMetadata/v1/instance/service-accounts/default/token';
  const answer = await services.ask({
    service: SERVICE,
    url: `http://${metadataHost}${path}?scopes=${encodeURIComponent(SCOPE)}`,
    headers: { 'metadata-flavor': 'Google' },
    isOnMachine: true,
  });
  // Another server at this address does not say so.
  if (answer.headers['metadata-flavor'] !== 'Google') throw tokenServiceAway(SERVICE);
  return issuedIn(answer);
}

/** A token of another issuer in exchange for one of Google (RFC 8693), and that, where it is asked for, for one of a service account. */
async function federatedToken(
  services: TokenServices,
  { audience, file, field, serviceAccount }: FederatedIdentity,
  { stsUrl, iamCredentialsUrl }: CloudVariables['google'],
): Promise<Issued<string>> {
  const content = await tokenFile(SERVICE, file);
  const value = field === undefined ? content : fieldIn(content, field);
  if (value === undefined) throw unusableSecret();
  const exchanged = issuedIn(
    await services.ask({
      service: SERVICE,
      url: stsUrl,
      method: 'POST',
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        audience,
        scope: SCOPE,
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token: value,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      },
      secrets: [value],
    }),
  );
  if (serviceAccount === undefined) return exchanged;
  const { fields } = await services.ask({
    service: SERVICE,
    url: `${iamCredentialsUrl}/v1/projects/-/serviceAccounts/${encodeURIComponent(serviceAccount)}:generateAccessToken`,
    method: 'POST',
    headers: { authorization: `Bearer ${exchanged.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: [SCOPE], lifetime: `${LIFETIME_S}s` }),
    secrets: [exchanged.token],
  });
  const expiresAt = Date.parse(String(fields['expireTime']));
  const token = issuedToken(SERVICE, fields['accessToken']);
  return { token, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
}

function federatedIdentityIn(secret: string): FederatedIdentity | undefined {
  const fields = parsedIfJson(secret);
  if (!isObject(fields)) return undefined;
  const { audience, credential_source: source, service_account_impersonation_url: impersonation } = fields;
  if (typeof audience !== 'string' || !isObject(source) || typeof source['file'] !== 'string') return undefined;
  const { format } = source;
  const field = isObject(format) && format['type'] === 'json' ? format['subject_token_field_name'] : undefined;
  const account =
    typeof impersonation === 'string' ? /\/serviceAccounts\/([^/:]+):/.exec(impersonation)?.[1] : undefined;
  return {
    audience,
    file: source['file'],
    field: typeof field === 'string' ? field : undefined,
    serviceAccount: account,
  };
}

function fieldIn(content: string, name: string): string | undefined {
  const fields = parsedIfJson(content);
  const value = isObject(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function issuedIn({ fields }: TokenAnswer): Issued<string> {
  const token = issuedToken(SERVICE, fields['access_token']);
  const seconds = numberIn(fields['expires_in']);
  return { token, expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1_000 };
}
