import type { CloudVariables } from '../../../config/cloud-variables.js';
import { amazonDomainOf } from '../../../http/addresses/amazon-domain.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { AwsScheme } from './credential-scheme.js';
import type { AwsKeys } from './credential-secret.js';
import type { Issued } from './token-cache.js';
import { issuedToken, missingSetting, tokenFile, type TokenServices, tokenServiceAway } from './token-service.js';

/** The hosts to which a process may be sent for the keys of its container over http: itself, and the two of Amazon's agents. */
const CONTAINER_HOSTS: ReadonlySet<string> = new Set([
  'localhost',
  '127.0.0.1',
  '[::1]',
  '169.254.170.2',
  '169.254.170.23',
  '[fd00:ec2::23]',
]);

/** How long a session of a role lasts, in seconds. */
const SESSION_S = 3_600;

const SERVICE = 'Amazon';

/**
 * Fetches temporary keys for the identity that Amazon gives to this process.
 *
 * @throws ProviderError
 */
export async function temporaryAwsKeys(
  services: TokenServices,
  scheme: AwsScheme,
  variables: CloudVariables['aws'],
): Promise<Issued<AwsKeys>> {
  switch (scheme.source) {
    case 'web-identity':
      return roleByWebIdentity(services, scheme.region, variables);
    case 'container':
      return keysOfContainer(services, variables);
    default:
      return keysOfInstance(services, variables);
  }
}

/** AssumeRoleWithWebIdentity of the Security Token Service, which is not signed. */
async function roleByWebIdentity(
  services: TokenServices,
  region: string,
  variables: CloudVariables['aws'],
): Promise<Issued<AwsKeys>> {
  const { roleArn, webIdentityTokenFile: file, roleSessionName, stsUrl } = variables;
  if (roleArn === undefined) throw missingSetting('AWS_ROLE_ARN');
  if (file === undefined) throw missingSetting('AWS_WEB_IDENTITY_TOKEN_FILE');
  const token = await tokenFile(SERVICE, file);
  const { text } = await services.ask({
    service: SERVICE,
    url: stsUrl ?? `https://sts.${region}.${amazonDomainOf(region)}/`,
    method: 'POST',
    body: {
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: roleArn,
      RoleSessionName: roleSessionName ?? 'gatehouse',
      DurationSeconds: String(SESSION_S),
      WebIdentityToken: token,
    },
    secrets: [token],
  });
  const element = (name: string): string | undefined =>
    new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1]?.trim();
  return issuedKeys({
    AccessKeyId: element('AccessKeyId'),
    SecretAccessKey: element('SecretAccessKey'),
    Token: element('SessionToken'),
    Expiration: element('Expiration'),
  });
}

async function keysOfContainer(services: TokenServices, variables: CloudVariables['aws']): Promise<Issued<AwsKeys>> {
  const { containerRelativeUri, containerFullUri, containerToken, containerTokenFile } = variables;
  const url = containerRelativeUri === undefined ? containerFullUri : `http://169.254.170.2${containerRelativeUri}`;
  if (url === undefined) throw missingSetting('AWS_CONTAINER_CREDENTIALS_FULL_URI');
  if (!isContainerUrl(url)) {
    throw new ProviderError('refused', 'AWS_CONTAINER_CREDENTIALS_FULL_URI is no address of a container.', {
      status: 401,
    });
  }
  const token = containerTokenFile === undefined ? containerToken : await tokenFile(SERVICE, containerTokenFile);
  const { fields } = await services.ask({
    service: SERVICE,
    url,
    isOnMachine: true,
    ...(token !== undefined && { headers: { authorization: token }, secrets: [token] }),
  });
  return issuedKeys(fields);
}

/** The instance metadata service, version 2. */
async function keysOfInstance(
  services: TokenServices,
  { metadataUrl }: CloudVariables['aws'],
): Promise<Issued<AwsKeys>> {
  const base = `${metadataUrl}/latest`;
  const machine = { service: SERVICE, isOnMachine: true } as const;
  const session = await services.ask({
    ...machine,
    url: `${base}/api/token`,
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
  });
  const headers = { 'x-aws-ec2-metadata-token': session.text.trim() };
  const path = `${base}/meta-data/iam/security-credentials/`;
  const [role = ''] = (await services.ask({ ...machine, url: path, headers })).text.split('\n');
  const { fields } = await services.ask({ ...machine, url: `${path}${encodeURIComponent(role.trim())}`, headers });
  return issuedKeys(fields);
}

function isContainerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && CONTAINER_HOSTS.has(hostname));
}

function issuedKeys(fields: Readonly<Record<string, unknown>>): Issued<AwsKeys> {
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration: end } = fields;
  if (typeof secretAccessKey !== 'string' || secretAccessKey === '') throw tokenServiceAway(SERVICE);
  const expiresAt = typeof end === 'string' ? Date.parse(end) : Number.NaN;
  return {
    token: {
      accessKeyId: issuedToken(SERVICE, accessKeyId),
      secretAccessKey,
      ...(typeof sessionToken === 'string' && { sessionToken: issuedToken(SERVICE, sessionToken) }),
    },
    expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt,
  };
}
