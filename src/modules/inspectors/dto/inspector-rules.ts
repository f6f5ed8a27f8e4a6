import type { IssueWithReason } from '../../../http/errors/issue.js';
import { issuesInside, joinPath } from '../../../http/errors/issue.js';
import { jsonSizeIssues } from '../../../http/input/size-rules.js';
import { integerMessages, isObject, textMessages } from '../../../http/validation/constraints.js';
import { validateDto } from '../../../http/validation/validate.js';
import { isMask } from '../../encryption/credential-mask.js';
import { MASKED_CREDENTIAL } from '../../encryption/encryption.errors.js';
import { issuesOfHeaders } from '../../observability/config-issues.js';
import { DESTINATION_SETTINGS } from '../../observability/destination-settings.js';
import { issueOfOwnSecret } from '../../providers/credentials/credential-secret.js';
import { WINDOWS } from '../inspector-vocabulary.js';
import {
  INSPECTION_PROTOCOLS,
  INSPECTOR_PROTOCOLS,
  type InspectorProtocol,
} from '../protocols/inspection-protocols.js';

type Body = Readonly<Record<string, unknown>>;

/** The maximum size of settings and of headers, in bytes of JSON. */
const MAXIMUM_SIZE = 16_384;

/** The form of secrets that sign, as those of webhooks have it. */
const SIGNING_SECRET = { pattern: DESTINATION_SETTINGS.webhook['signingSecret']!.pattern };

/** What is wrong with what every inspector has, and is no field of one form. */
export function issuesOfParts(body: Body): IssueWithReason[] {
  const { headers, window, settings } = body;
  return [
    ...(headers === undefined || headers === null
      ? []
      : [...issuesOfHeaders(headers), ...jsonSizeIssues('headers', headers, MAXIMUM_SIZE)]),
    ...(settings === undefined ? [] : jsonSizeIssues('settings', settings, MAXIMUM_SIZE)),
    ...(window === undefined ? [] : issuesOfWindow(window)),
    ...issuesOfSigningSecret(body['signing_secret']),
  ];
}

/** What is wrong with a new inspector: what its protocol needs, and masks, for which nothing is stored. */
export function issuesOfNew(body: Body): IssueWithReason[] {
  const protocol = protocolIn(body);
  const { headers } = body;
  const secrets: [path: string, value: unknown][] = [
    ['api_key', body['api_key']],
    ['signing_secret', body['signing_secret']],
    ...(isObject(headers) ? Object.entries(headers) : []).map(([name, value]): [string, unknown] => [
      joinPath('headers', name.toWellFormed()),
      value,
    ]),
  ];
  const masked = secrets.filter(([, value]) => typeof value === 'string' && isMask(value));
  return [
    ...masked.map(([path]) => MASKED_CREDENTIAL.at(path)),
    ...(protocol === undefined
      ? []
      : [
          // Settings that are given have been checked by their class.
          ...(body['settings'] === undefined ? issuesOfSettings(protocol, {}) : []),
          ...issuesOfProtocol(protocol, body),
        ]),
  ];
}

/** What is wrong with settings of a protocol. */
export function issuesOfSettings(protocol: InspectorProtocol, settings: unknown): IssueWithReason[] {
  return issuesInside('settings', validateDto(INSPECTION_PROTOCOLS[protocol].settings, settings));
}

/** What an inspector is to have, as far as its protocol decides it. */
interface ProtocolParts {
  readonly url?: unknown;
  readonly settings?: unknown;
  readonly api_key?: unknown;
  readonly signing_secret?: unknown;
  readonly headers?: unknown;
}

/** What an inspector of a protocol lacks, or cannot have. */
export function issuesOfProtocol(name: InspectorProtocol, parts: ProtocolParts): IssueWithReason[] {
  const protocol = INSPECTION_PROTOCOLS[name];
  const settings = isObject(parts.settings) ? parts.settings : {};
  // What is wrong with settings is said elsewhere, and what follows from them is not known then.
  if (validateDto(protocol.settings, settings).length > 0) return [];
  const hasUrl = (parts.url ?? null) !== null;
  const hasAddress = !protocol.isServer || hasUrl || protocol.address(settings) !== undefined;
  const key = protocol.key(settings);
  const given = parts.api_key ?? null;
  const isNotFor = (path: string): IssueWithReason => ({ path, message: `is not for inspectors of protocol ${name}` });
  return [
    ...issuesInside('settings', protocol.issuesOf?.(settings) ?? []),
    ...(hasAddress ? [] : [{ path: 'url', message: 'is required' }]),
    ...(key?.isRequired && given === null ? [{ path: 'api_key', message: 'is required' }] : []),
    ...(hasUrl && !protocol.isServer ? [isNotFor('url')] : []),
    ...(isObject(parts.headers) && Object.keys(parts.headers).length > 0 && !protocol.isServer
      ? [isNotFor('headers')]
      : []),
    ...(key === undefined && given !== null ? [isNotFor('api_key')] : []),
    ...(typeof given === 'string' && key !== undefined && !isMask(given) ? issuesOfKey(key.scheme, given) : []),
    ...(protocol.isSigned || (parts.signing_secret ?? null) === null ? [] : [isNotFor('signing_secret')]),
  ];
}

function issuesOfKey(scheme: Parameters<typeof issueOfOwnSecret>[0], key: string): IssueWithReason[] {
  const message = issueOfOwnSecret(scheme, key);
  return message === undefined ? [] : [{ path: 'api_key', message }];
}

function issuesOfSigningSecret(secret: unknown): IssueWithReason[] {
  if (typeof secret !== 'string' || isMask(secret)) return [];
  return textMessages(secret, SIGNING_SECRET).map((message) => ({ path: 'signing_secret', message }));
}

function issuesOfWindow(window: unknown): IssueWithReason[] {
  if (window === 'whole') return [];
  if (!isObject(window)) return [{ path: 'window', message: 'must be whole or an object' }];
  const { characters, overlap, ...others } = window;
  const { minimum, maximum } = WINDOWS;
  const bounds = [
    ...integerMessages(characters, { minimum, maximum }).map((message) => ({ path: 'characters', message })),
    ...integerMessages(overlap, { minimum: 0, maximum }).map((message) => ({ path: 'overlap', message })),
    ...Object.keys(others).map((name) => ({ path: name.toWellFormed(), message: 'is not a known field' })),
  ];
  const isLarger = bounds.length === 0 && (overlap as number) >= (characters as number);
  return issuesInside('window', isLarger ? [{ path: 'overlap', message: 'must be less than characters' }] : bounds);
}

function protocolIn({ protocol = INSPECTOR_PROTOCOLS[0] }: Body): InspectorProtocol | undefined {
  return INSPECTOR_PROTOCOLS.find((name) => name === protocol);
}
