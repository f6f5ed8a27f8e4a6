import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';

/** Who signs, and what for. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Empty where the credentials are no temporary ones. */
  readonly sessionToken: string;
  readonly region: string;
}

/**
 * Signs a PUT of an object with AWS Signature Version 4, body and all headers included.
 *
 * @param url of the object
 * @param headers by names in lower case
 * @param datetime of the signature, such as `20261126T142432Z`; that of the moment without it
 * @returns the headers with those of the signature
 */
export async function signedHeaders(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  { accessKeyId, secretAccessKey, sessionToken, region }: S3Credentials,
  datetime?: string,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method: 'PUT',
    url,
    headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region,
    allHeaders: true,
    ...(sessionToken !== '' && { sessionToken }),
    ...(datetime !== undefined && { datetime }),
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers.entries());
}
