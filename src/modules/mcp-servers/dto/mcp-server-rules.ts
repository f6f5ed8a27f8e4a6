import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { jsonSizeIssues } from '../../../http/input/size-rules.js';
import { isObject } from '../../../http/validation/constraints.js';
import { isMask } from '../../encryption/credential-mask.js';
import { MASKED_CREDENTIAL } from '../../encryption/encryption.errors.js';
import {
  HIGHEST_CALL_PRICE,
  MCP_AUTHENTICATIONS,
  MCP_TOOL_NAME,
  type McpAuthentication,
} from '../mcp-server-vocabulary.js';

type Body = Readonly<Record<string, unknown>>;

/** The maximum size of prices of tools, in bytes of JSON. */
const MAXIMUM_PRICES = 65_536;

const TOOL_NAME = new RegExp(MCP_TOOL_NAME);

/** Headers that say how a request is sent, or belong to the protocol. */
const RESERVED_HEADER =
  /^(?:host|content-.*|accept.*|connection|transfer-encoding|te|trailer|upgrade|expect|mcp-.*|user-agent|origin|cookie|via|proxy-.*)$/i;

/** What is wrong with the name of the header for the secret. */
export function issuesOfHeader({ header }: Body): IssueWithReason[] {
  const isReserved = typeof header === 'string' && RESERVED_HEADER.test(header);
  return isReserved ? [{ path: 'header', message: 'is a header that says something else' }] : [];
}

/** What is wrong with prices of tools. */
export function issuesOfPrices({ tool_prices: prices }: Body): IssueWithReason[] {
  if (!isObject(prices)) return [];
  const wrong = Object.entries(prices).flatMap(([name, price]): IssueWithReason[] => {
    const path = joinPath('tool_prices', name.toWellFormed());
    if (!TOOL_NAME.test(name)) return [{ path, message: 'is not the name of a tool' }];
    const isPrice = typeof price === 'number' && price >= 0 && price <= HIGHEST_CALL_PRICE;
    return isPrice ? [] : [{ path, message: `must be number from 0 to ${HIGHEST_CALL_PRICE}` }];
  });
  return [...wrong, ...jsonSizeIssues('tool_prices', prices, MAXIMUM_PRICES)];
}

/** The fields that a server has for its authentication alone. */
const AUTHENTICATING = ['header', 'secret', 'client_id', 'scope', 'authorization_server'] as const;

type Authenticating = Readonly<Partial<Record<(typeof AUTHENTICATING)[number] | 'authentication', unknown>>>;

/** Which of these fields each authentication needs, and which it may have. */
const FIELDS_OF: Readonly<Record<McpAuthentication, Readonly<Record<'needed' | 'optional', readonly string[]>>>> = {
  none: { needed: [], optional: [] },
  header: { needed: ['header', 'secret'], optional: [] },
  bearer: { needed: ['secret'], optional: [] },
  oauth_client_credentials: { needed: ['client_id', 'secret'], optional: ['scope', 'authorization_server'] },
  oauth_member: { needed: [], optional: ['client_id', 'secret', 'scope', 'authorization_server'] },
};

/** What a server lacks for its authentication, or cannot have with it. */
export function issuesOfAuthentication(parts: Authenticating): IssueWithReason[] {
  const given = parts.authentication ?? 'none';
  const authentication = MCP_AUTHENTICATIONS.find((known) => known === given);
  // Another value is refused by itself.
  if (authentication === undefined) return [];
  const { needed, optional } = FIELDS_OF[authentication];
  return AUTHENTICATING.flatMap((path): IssueWithReason[] => {
    const isGiven = (parts[path] ?? null) !== null;
    if (!isGiven && needed.includes(path)) {
      return [{ path, message: `is required with the authentication ${authentication}` }];
    }
    const isTaken = needed.includes(path) || optional.includes(path);
    return isGiven && !isTaken ? [{ path, message: `is not for the authentication ${authentication}` }] : [];
  });
}

/** What is wrong with the authentication of a new server: also a mask, for which nothing is stored. */
export function issuesOfNew(body: Body): IssueWithReason[] {
  const { secret } = body;
  const masked = typeof secret === 'string' && isMask(secret) ? [MASKED_CREDENTIAL.at('secret')] : [];
  return [...issuesOfAuthentication(body), ...masked];
}
