import { isObject } from '../../../http/validation/constraints.js';
import { isShortId, type JsonObject, RPC_CODES, type RpcError } from '../../mcp-servers/upstream/json-rpc.js';
import type { McpRequestOf } from '../mcp-request.js';
import { askedOfClient, canOpenAddresses } from '../sessions/paired-session.js';

/** The longest message of a server in an error, in UTF-16 code units. */
const MAXIMUM_MESSAGE = 500;

/** How many addresses a client is to open at most, and the longest of them, in UTF-16 code units. */
const MAXIMUM_ADDRESSES = 10;
const LONGEST_ADDRESS = 2_048;

/** What is handed on of a message of a server in an error. */
export function shortened(message: string): string {
  return message.slice(0, MAXIMUM_MESSAGE).toWellFormed();
}

/** The capabilities that a server needs of the client, by their names alone. */
export function capabilitiesIn({ code, data }: RpcError): JsonObject {
  if (code !== RPC_CODES.missingCapability) return {};
  const names = isObject(data) ? Object.keys(askedOfClient(data['requiredCapabilities'])) : [];
  return { requiredCapabilities: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** The addresses that a client is to open before the server does what it was asked for, where the client has told the server that it opens such. */
export function addressesIn({ code, data }: RpcError, { paired }: Pick<McpRequestOf, 'paired'>): JsonObject {
  const isFor =
    code === RPC_CODES.addressRequired && paired !== undefined && canOpenAddresses(paired.session.announced);
  const asked = isFor && isObject(data) ? data['elicitations'] : undefined;
  if (!Array.isArray(asked)) return {};
  const elicitations = asked.slice(0, MAXIMUM_ADDRESSES).flatMap(addressIn);
  return elicitations.length === 0 ? {} : { elicitations };
}

function addressIn(elicitation: unknown): JsonObject[] {
  if (!isObject(elicitation)) return [];
  const { mode, elicitationId, url, message } = elicitation;
  const isNamed = typeof elicitationId === 'string' && isShortId(elicitationId);
  if (mode !== 'url' || !isNamed || !isWebAddress(url) || typeof message !== 'string') return [];
  return [{ mode, elicitationId, url, message: shortened(message) }];
}

function isWebAddress(url: unknown): boolean {
  if (typeof url !== 'string' || url.length > LONGEST_ADDRESS || !URL.canParse(url)) return false;
  return ['https:', 'http:'].includes(new URL(url).protocol);
}
