/** What a request says besides its method and target. */
export interface RequestParts {
  /** The bearer credential; none when undefined. */
  readonly key: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A request, byte for byte, as a common client sends it. */
export function byteRequest(method: string, path: string, key: string, json?: unknown): string {
  return byteRequestOf(method, path, { key, body: json === undefined ? undefined : JSON.stringify(json) });
}

/** A request, byte for byte, with headers of its own and a body that need not be JSON. */
export function byteRequestOf(method: string, path: string, { key, headers = {}, body }: RequestParts): string {
  const all = {
    host: 'localhost',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`;
}
