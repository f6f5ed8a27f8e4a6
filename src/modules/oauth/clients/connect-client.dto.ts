import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { totalLengthIssues } from '../../../http/input/size-rules.js';
import { callbackUrlIssues, MAXIMUM_CALLBACK_URL_LENGTH } from '../codes/callback-url.js';
import { TextField, TextListField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/validation/rules.js';

/** The maximum total length of the callback URLs of a Connect client, in characters. */
const MAXIMUM_CALLBACK_URL_TEXT = 32_768;

/** Checks the total length of the callback URLs of a client. */
function boundedCallbackUrls(body: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const urls: unknown = body['callback_urls'];
  if (!Array.isArray(urls)) return [];
  const texts = urls.filter((url: unknown) => typeof url === 'string');
  return totalLengthIssues('callback_urls', texts, MAXIMUM_CALLBACK_URL_TEXT);
}

/** Checks that each callback URL may receive codes and occurs once. */
export function acceptableCallbackUrls(body: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const urls: unknown = body['callback_urls'];
  if (!Array.isArray(urls)) return [];
  const seen = new Set<unknown>();
  return urls.flatMap((url: unknown, index) => {
    const path = joinPath('callback_urls', index);
    const isRepeated = seen.has(url);
    seen.add(url);
    return isRepeated ? [{ path, message: 'is given twice' }] : callbackUrlIssues(path, url);
  });
}

/** Which Connect client. */
export class ConnectClientPath {
  @PathIdField('The id of the client. An id that is not a UUID is a 404.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61')
  id: string;
}

/** A Connect client: an application that users connect to the organization through OAuth. */
export class ConnectClient {
  @UuidField({ description: 'The id.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  id: string;

  @TextField({ description: 'The name.', example: 'My application' })
  name: string;

  @TextListField({
    description: "The callback URLs. Codes for them can be exchanged with this client's secret only.",
    example: ['https://app.example.com/callback'],
    items: { format: 'uri' },
  })
  callback_urls: string[];

  @TimestampField({ description: 'When it was created.' })
  created_at: string;
}

/** The answer to getConnectClient. */
export class ConnectClientResponse extends DataOf(ConnectClient) {}

/** The answer to listConnectClients. */
export class ListConnectClientsResponse extends PageOf(ConnectClient) {}

/** The answer to createConnectClient and rotateConnectClientSecret. */
export class IssuedConnectClientResponse extends DataOf(ConnectClient) {
  @TextField({
    description: 'The secret. No other response contains it.',
    example:
      'cs-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  client_secret: string;
}

/** The body of createConnectClient. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(acceptableCallbackUrls, boundedCallbackUrls)
export class CreateConnectClientRequest {
  @TextField({ description: 'The name.', example: 'My application', minLength: 1, maxLength: 200 })
  name: string;

  @TextListField({
    description:
      'The URLs that users return to with a code: https, or http on a loopback host. Without duplicates. One on a loopback address holds on any port.',
    example: ['https://app.example.com/callback'],
    minItems: 1,
    maxItems: 50,
    items: { format: 'uri', maxLength: MAXIMUM_CALLBACK_URL_LENGTH },
  })
  callback_urls: string[];
}

/** The answer to deleteConnectClient. */
export class DeleteConnectClientResponse extends Deleted(
  'Always true: the client, the keys that it created and its codes were deleted.',
) {}
