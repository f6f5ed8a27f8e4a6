import http from 'node:http';
import type { Answer } from './api-client.js';

/**
 * Sends a request with exactly these headers, which `fetch` does not allow: twice the same one, or a malformed one.
 *
 * @param headers names and values in turn
 */
export function sendRawRequest(method: string, url: string, headers: readonly string[]): Promise<Answer> {
  const { host } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers: ['Host', host, ...headers], agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const answered = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
        resolve({
          status: response.statusCode!,
          headers: new Headers(Object.fromEntries(answered)),
          text,
          body: text && (JSON.parse(text) as unknown),
        });
      });
    });
    request.once('error', reject);
    request.end();
  });
}
