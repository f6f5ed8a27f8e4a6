import type { Random } from '../random.js';
import { HOSTILE_TEXTS, HOSTILITY, hostileValue, isThere, knownOr, valueFor } from './hostile-values.js';
import type { KnownValues } from './known-values.js';
import { type DocumentedOperation, type DocumentedParameter, OPERATIONS } from './open-api.js';

/** A generated request. */
export interface FuzzedRequest {
  readonly operation: DocumentedOperation;
  readonly method: string;
  readonly path: string;
  /** The bearer credential; none when undefined. */
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The credentials of requests: by far most often one that the operation accepts. */
export interface FuzzCredentials {
  readonly management: string;
  readonly inference: string;
  readonly others: readonly string[];
}

/**
 * Makes a request up from the OpenAPI document: mostly one that fits it, always one that could come in.
 *
 * @param operations those that it may be of
 */
export function fuzzedRequest(
  random: Random,
  known: KnownValues,
  credentials: FuzzCredentials,
  operations: readonly DocumentedOperation[] = OPERATIONS,
): FuzzedRequest {
  const operation = random.pick(operations);
  const hasBody = operation.body !== undefined || random.chance(0.02);
  return {
    operation,
    method: random.chance(0.02)
      ? random.pick(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE'])
      : operation.method,
    path: pathOf(operation, random, known) + queryOf(operation, random, known, credentials),
    key: random.chance(0.85) ? usualKey(operation, credentials) : keyOf(random, credentials),
    headers: headersOf(random, credentials, hasBody),
    body: hasBody ? bodyOf(operation, random, known, credentials) : undefined,
  };
}

function usualKey(operation: DocumentedOperation, { management, inference }: FuzzCredentials): string {
  const [only, ...others] = operation.credentials;
  return only === 'api_key' && others.length === 0 ? inference : management;
}

function keyOf(random: Random, { others }: FuzzCredentials): string | undefined {
  const key = random.pick(others);
  if (random.chance(0.1)) return undefined;
  // A slip of one character.
  return random.chance(0.2) ? key.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : key;
}

function pathOf(operation: DocumentedOperation, random: Random, known: KnownValues): string {
  const { path, parameters } = operation;
  // Author and slug are chosen together, or else generated like all other values.
  const named = random.chance(0.7) ? path.replace('{author}/{slug}', random.pick(known.models)) : path;
  const filled = named.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { schema } = parameters.find((parameter) => parameter.name === name)!;
    const choices = random.chance(HOSTILITY) ? [] : known.ofParameter(name, operation);
    return encoded(
      knownOr(choices, random, () => valueFor(schema, '', random, known)),
      random,
    );
  });
  return random.chance(0.02) ? filled + random.pick(['/', '//', '/..', '/%2e%2e', '%', '/x', ';x=1']) : filled;
}

function queryOf(
  { parameters }: DocumentedOperation,
  random: Random,
  known: KnownValues,
  credentials: FuzzCredentials,
): string {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query' && isThere(parameter.required === true, random))
    .map(
      ({ name, schema }: DocumentedParameter) => `${name}=${encoded(valueFor(schema, name, random, known), random)}`,
    );
  if (random.chance(0.03))
    pairs.push(`${encoded(random.pick(HOSTILE_TEXTS), random)}=${encoded(hostileValue(random), random)}`);
  if (random.chance(0.02)) pairs.push(`key=${random.pick(credentials.others)}`);
  if (random.chance(0.02)) pairs.push(`${random.pick(credentials.others)}=1`);
  if (pairs.length > 0 && random.chance(0.03)) pairs.push(pairs[0]!);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function headersOf(random: Random, credentials: FuzzCredentials, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.05))
    headers['x-request-id'] = random.pick([random.pick(credentials.others), 'x'.repeat(200), ' ']);
  if (random.chance(0.03)) headers['user-agent'] = random.pick(credentials.others);
  if (random.chance(0.03)) headers['referer'] = `https://fuzz.example/?key=${random.pick(credentials.others)}`;
  if (random.chance(0.02)) headers['accept'] = random.pick(['*/*', 'text/html', ';', 'application/json;q=2']);
  if (random.chance(0.02))
    headers['authorization'] = random.pick(['Basic eDp4', 'Bearer', 'Bearer  ', 'x'.repeat(5_000)]);
  if (!hasBody) return headers;
  if (random.chance(0.03))
    headers['content-type'] = random.pick(['text/plain', 'application/json; charset=latin1', ';', '*/*']);
  if (random.chance(0.02))
    headers['content-encoding'] = random.pick(['gzip', 'deflate', 'br', 'zstd', 'x', 'gzip, gzip']);
  return headers;
}

function bodyOf(
  { body }: DocumentedOperation,
  random: Random,
  known: KnownValues,
  credentials: FuzzCredentials,
): string {
  let value = body === undefined ? hostileValue(random) : valueFor(body, '', random, known);
  // A credential where it does not belong, as the name and as the value of a field.
  if (random.chance(0.03) && typeof value === 'object') {
    value = { ...value, [random.pick(credentials.others)]: random.pick(credentials.others) };
  }
  const text = JSON.stringify(value);
  if (random.chance(0.97)) return text;
  return random.pick([
    text.slice(0, random.below(text.length + 1)),
    text + text,
    text.replace('{', '{"name":1,'),
    '['.repeat(20_000),
    text.replaceAll('"', "'"),
    `\ufeff${text}`,
    '',
  ]);
}

function encoded(value: unknown, random: Random): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A browser would encode every one of them; what is left as it is must be nothing that an HTTP client refuses to send.
  if (random.chance(0.05)) return text.replaceAll(/[^\x21-\x7e]|[#?]/g, '%');
  return encodeURIComponent(text.toWellFormed());
}
