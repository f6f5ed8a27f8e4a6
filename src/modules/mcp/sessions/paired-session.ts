import { isObject } from '../../../http/validation/constraints.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';
import type { ServerSession } from '../../mcp-servers/upstream/server-session.js';

/** A session of a client that goes with one at the server of its path, in the same revision (docs/interface/mcp.md#sessions). */
export interface PairedSession extends ServerSession {
  /** What the server may ask the client for, as it was told. */
  readonly announced: JsonObject;
  /** What the server says that it tells by itself: those of {@link TOLD_BY_SERVERS}. */
  readonly declared: readonly string[];
}

/** What servers can ask clients for, and the parts of it that clients may have. */
const ASKED_OF_CLIENTS: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: ['listChanged'],
};

/** The requests of servers, with what clients must have for them. */
const REQUESTS_OF_SERVERS: ReadonlyMap<unknown, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** What servers tell by themselves where they say that they do, by the notification. */
export const TOLD_BY_SERVERS: ReadonlyMap<string, string> = new Map([
  ['notifications/message', 'logging'],
  ['notifications/tools/list_changed', 'tools.listChanged'],
  ['notifications/prompts/list_changed', 'prompts.listChanged'],
  ['notifications/resources/list_changed', 'resources.listChanged'],
  ['notifications/resources/updated', 'resources.subscribe'],
]);

/** The levels of log messages (RFC 5424). */
export const LOG_LEVELS: ReadonlySet<unknown> = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

/** What a client says that it can be asked for, and nothing else of what it says. */
export function askedOfClient(capabilities: unknown): JsonObject {
  if (!isObject(capabilities)) return {};
  return Object.fromEntries(
    Object.entries(ASKED_OF_CLIENTS).flatMap(([name, parts]) => {
      const known = capabilities[name];
      if (!isObject(known)) return [];
      const had = parts.filter((part) => known[part] === true || isObject(known[part]));
      return [[name, Object.fromEntries(had.map((part) => [part, known[part] === true ? true : {}]))]];
    }),
  );
}

/** Whether a client that has said what it can be asked for can be asked by a method. */
export function canBeAsked(announced: JsonObject, method: unknown): boolean {
  const needed = REQUESTS_OF_SERVERS.get(method);
  return needed !== undefined && Object.hasOwn(announced, needed);
}

/** Whether a client that has said what it can be asked for opens addresses. */
export function canOpenAddresses({ elicitation }: JsonObject): boolean {
  return isObject(elicitation) && Object.hasOwn(elicitation, 'url');
}

/** What a server says that it tells by itself. */
export function declaredIn(capabilities: JsonObject): string[] {
  return [...TOLD_BY_SERVERS.values()].filter((told) => {
    const [name, part] = told.split('.') as [string, string?];
    const capability = capabilities[name];
    return isObject(capability) && (part === undefined || capability[part] === true);
  });
}

/** What the endpoint can do, in a session that goes with one at a server. */
export function capabilitiesIn({ declared }: Pick<PairedSession, 'declared'>, capabilities: JsonObject): JsonObject {
  const further = declared.reduce<Record<string, object>>((all, told) => {
    const [name, part] = told.split('.') as [string, string?];
    if (part === undefined) return { ...all, [name]: {} };
    // What the key may not use has no parts.
    return isObject(capabilities[name]) ? { ...all, [name]: { ...all[name], [part]: true } } : all;
  }, {});
  return { ...capabilities, ...further };
}
