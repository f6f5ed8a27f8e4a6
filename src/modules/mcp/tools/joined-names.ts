import { isObject } from '../../../http/validation/constraints.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';
import { serverIn } from './tool-names.js';

/** What stands before the URI of a resource among those of several servers. */
const SCHEME = 'mcp://';

/** An address that clients open by themselves. */
const WEB = /^https?:\/\//i;

/** What a client names, as its server knows it. */
export interface NamedOfServer {
  readonly server: string;
  readonly name: string;
}

/** The name of a prompt among those of several servers: `server__prompt`. No model calls it, so that it may be of any form. */
export function joinedPrompt(server: string, prompt: string): string {
  return `${server}__${prompt}`;
}

/** Whose prompt a name is; undefined for what is none. */
export function promptIn(name: unknown): NamedOfServer | undefined {
  const server = typeof name === 'string' ? serverIn(name) : undefined;
  return server === undefined ? undefined : { server, name: (name as string).slice(server.length + 2) };
}

/**
 * The URI of a resource, or the template of some, among those of several servers: `mcp://server/` and the URI as the server has it, whatever
 * that is. So it belongs to one server, and no server can name a resource of another one.
 */
export function joinedUri(server: string, uri: string): string {
  return `${SCHEME}${server}/${uri}`;
}

/** Whose resource a URI is; undefined for what is none. */
export function resourceIn(uri: unknown): NamedOfServer | undefined {
  if (typeof uri !== 'string' || !uri.startsWith(SCHEME)) return undefined;
  const end = uri.indexOf('/', SCHEME.length);
  return end === -1 ? undefined : { server: uri.slice(SCHEME.length, end), name: uri.slice(end + 1) };
}

/**
 * A result of a server with the URIs by which clients of all servers together read its resources: of contents that were read, and of resources
 * in the content of tools and prompts, of which addresses of the web stay what they are.
 */
export function withJoinedUris(server: string, result: JsonObject): JsonObject {
  const { contents, content, messages } = result;
  const ofItem = (item: unknown): unknown => {
    if (!isObject(item)) return item;
    if (item['type'] === 'resource_link') return withUri(server, item, true);
    return item['type'] === 'resource' ? { ...item, resource: withUri(server, item['resource'], true) } : item;
  };
  const ofMessage = (message: unknown): unknown =>
    isObject(message) ? { ...message, content: eachOf(message['content'], ofItem) } : message;
  return {
    ...result,
    ...(contents !== undefined && { contents: eachOf(contents, (one) => withUri(server, one, false)) }),
    ...(content !== undefined && { content: eachOf(content, ofItem) }),
    ...(messages !== undefined && { messages: eachOf(messages, ofMessage) }),
  };
}

function eachOf(value: unknown, made: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(made) : made(value);
}

function withUri(server: string, value: unknown, exceptWeb: boolean): unknown {
  if (!isObject(value) || typeof value['uri'] !== 'string') return value;
  return exceptWeb && WEB.test(value['uri']) ? value : { ...value, uri: joinedUri(server, value['uri']) };
}
