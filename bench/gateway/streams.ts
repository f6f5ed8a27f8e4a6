import http from 'node:http';
import { CHAT_PATH, MODEL } from './test-bed.js';

/** Where streams are asked for. */
export interface StreamSource {
  readonly origin: string;
  readonly path: string;
  /** Undefined for the provider itself, which asks for none. */
  readonly key: string | undefined;
}

/** A stream that was read to its end. */
export interface ReadStream {
  /** Milliseconds from the request to the first token. */
  readonly firstTokenMs: number;
}

const TOKEN = '"content":" token"';

/** More than are open at a time, so that none waits for another. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 });

/** The gateway at an origin. */
export function gatewayAt(origin: string, key: string): StreamSource {
  return { origin, path: CHAT_PATH, key };
}

/** The provider itself. */
export function providerAt(origin: string): StreamSource {
  return { origin, path: '/v1/chat/completions', key: undefined };
}

/**
 * Asks for a stream.
 *
 * @param what such as `30 chunks every 20 ms`
 * @param came is called with the number of tokens whenever some have come
 * @throws Error for a stream that does not end as it should
 */
export function readStream(source: StreamSource, what: string, came?: (tokens: number) => void): Promise<ReadStream> {
  const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: what }] });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(source.key !== undefined && { authorization: `Bearer ${source.key}` }),
  };
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let firstTokenMs: number | undefined;
    let rest = '';
    const request = http.request(`${source.origin}${source.path}`, { method: 'POST', headers, agent }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const count = text.split(TOKEN).length - 1;
        if (count > 0) {
          firstTokenMs ??= performance.now() - start;
          came?.(count);
        }
        rest = (rest + text).slice(-40);
      });
      response.once('error', reject);
      response.once('end', () => {
        if (firstTokenMs !== undefined && rest.endsWith('data: [DONE]\n\n')) resolve({ firstTokenMs });
        else reject(new Error(`not a stream: ${response.statusCode} ${rest}`));
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}
