/** A request, byte for byte, as a common client sends it. */
export function byteRequest(method: string, path: string, key: string, json?: unknown): string {
  const body = json === undefined ? '' : JSON.stringify(json);
  const content =
    json === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...content];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
