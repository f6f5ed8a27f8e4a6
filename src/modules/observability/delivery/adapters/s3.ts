import { amazonDomainOf } from '../../../../http/addresses/amazon-domain.js';
import type { DestinationConfig } from '../../config-mask.js';
import { settingOf, withConfiguredHeaders } from '../configured-settings.js';
import { secretsOf } from '../configured-secrets.js';
import type {
  DeliveryTarget,
  DeliveryVerdict,
  DestinationAdapter,
  ReceiverAnswer,
  ReceiverTransport,
} from '../destination-adapter.js';
import { estimatedBytesOf } from '../event-size.js';
import { fittingBody } from '../fitting-body.js';
import type { OutgoingGeneration } from '../generation-event.js';
import { jsonText } from '../json-text.js';
import { messageOf, TOO_LARGE, verdictOf } from '../verdicts.js';
import { objectKeyOf, s3ObjectOf } from './s3-object.js';
import { signedHeaders } from './s3-signed-request.js';

/** One object each; S3 takes objects of up to 5 GB with one PUT, which no generation is. */
const LIMITS = { generations: 1, bytes: 32_000_000, concurrency: 8 };

const OBJECT = { first: '', between: '', last: '', maximumBytes: LIMITS.bytes };

const DEFAULT_REGION = 'us-east-1';

/** What belongs to the signature. */
const SIGNATURE_HEADERS = ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'];

/** Codes of errors with the status 400 that mean the configuration, and not the object. */
const MISCONFIGURED = new Set([
  'AuthorizationHeaderMalformed',
  'ExpiredToken',
  'IllegalLocationConstraintException',
  'InvalidBucketName',
  'InvalidRequest',
  'InvalidToken',
  'KMS.DisabledException',
  'TokenRefreshRequired',
]);

/** Writes an object for each generation into a bucket of S3, or of a service that has its interface (docs/interface/destination-types.md#s3). */
export const S3_ADAPTER: DestinationAdapter = {
  limits: LIMITS,

  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
  ): Promise<DeliveryVerdict> {
    const { config } = target;
    const body = await fittingBody(generations, OBJECT, (generation, shortening) =>
      Buffer.from(jsonText(s3ObjectOf(generation, shortening))!),
    );
    if (body === null) return TOO_LARGE;
    const key = objectKeyOf(generations[0]!.event, config);
    const region = settingOf(config, 'region') || DEFAULT_REGION;
    let answer = await put(key, body, config, region, transport);
    const otherRegion = regionIn(answer);
    if (otherRegion !== undefined && otherRegion !== region) {
      answer = await put(key, body, config, otherRegion, transport);
    }
    return s3VerdictOf(answer, secretsOf('s3', config));
  },

  bytesOf: (generation) => estimatedBytesOf(generation, 1),
};

async function put(
  key: string,
  body: Buffer,
  config: DestinationConfig,
  region: string,
  transport: ReceiverTransport,
): Promise<ReceiverAnswer> {
  const url = `${bucketAddressOf(config, region)}/${key}`;
  const headers = withConfiguredHeaders({ 'content-type': 'application/json' }, config, SIGNATURE_HEADERS);
  const credentials = {
    accessKeyId: settingOf(config, 'accessKeyId'),
    secretAccessKey: settingOf(config, 'secretAccessKey'),
    sessionToken: settingOf(config, 'sessionToken'),
    region,
  };
  return transport.send({ method: 'PUT', url, headers: await signedHeaders(url, headers, body, credentials), body });
}

/** The bucket is part of the host where that can be a name of DNS and a certificate is for it, and otherwise of the path. */
function bucketAddressOf(config: DestinationConfig, region: string): string {
  const bucket = settingOf(config, 'bucketName');
  const endpoint = settingOf(config, 'endpoint').replace(/\/+$/, '');
  if (endpoint !== '') return `${endpoint}/${encodeURIComponent(bucket)}`;
  const domain = amazonDomainOf(region);
  if (/^[a-z0-9-]+$/.test(bucket)) return `https://${bucket}.s3.${region}.${domain}`;
  return `https://s3.${region}.${domain}/${encodeURIComponent(bucket)}`;
}

/** The region that a bucket is in, where it says that the request went to another one. It becomes a part of a host, and so has its form. */
function regionIn({ status, headers }: ReceiverAnswer): string | undefined {
  const region = headers['x-amz-bucket-region'];
  const isRefused = status === 301 || status === 307 || status === 400 || status === 403;
  return isRefused && region !== undefined && /^[a-z]{2,8}(?:-[a-z0-9]{1,12}){1,4}$/.test(region) ? region : undefined;
}

function s3VerdictOf(answer: ReceiverAnswer, secrets: readonly string[]): DeliveryVerdict {
  const verdict = verdictOf(answer, secrets);
  const code = /<Code>([\w.]+)<\/Code>/.exec(answer.body)?.[1];
  const told = { status: answer.status, message: messageOf(answer, secrets) };
  if (verdict.outcome === 'unavailable' && code === 'SlowDown') return { ...verdict, outcome: 'throttled' };
  if (verdict.outcome === 'refused' && code !== undefined && MISCONFIGURED.has(code)) {
    return { ...told, outcome: 'misconfigured' };
  }
  return verdict;
}
