import { parsesAsUrl } from './parses-as-url.js';
import type { VariableReader } from './variable-reader.js';

/** The proxies on the way out. */
export interface EgressProxySettings {
  /** The URL of that for https, and of that for http, perhaps with credentials; undefined for none. */
  readonly https: string | undefined;
  readonly http: string | undefined;
  /** What is reached without them: names, addresses and networks, perhaps with a port, and `*` for all. */
  readonly noProxy: readonly string[];
}

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in capital or small letters, of which the small ones count where both are there, as with
 * other programs.
 *
 * @returns undefined where there is no proxy
 */
export function egressProxiesOf(reader: VariableReader): EgressProxySettings | undefined {
  const https = proxyUrlOf(reader, 'HTTPS_PROXY');
  const http = proxyUrlOf(reader, 'HTTP_PROXY');
  const noProxy = reader.list(nameOf(reader, 'NO_PROXY'), []).flatMap((entry) => entry.split(/\s+/));
  return https === undefined && http === undefined ? undefined : { https, http, noProxy };
}

function proxyUrlOf(reader: VariableReader, variable: string): string | undefined {
  const name = nameOf(reader, variable);
  const text = reader.optionalText(name);
  // Other programs take a host with its port, too.
  const url = text === undefined || text.includes('://') ? reader.url(name, ['http:', 'https:']) : `http://${text}`;
  if (url !== undefined && !isProxyUrl(url))
    reader.issue(name, 'must be the URL of a proxy, with percent-encoded credentials');
  return url;
}

function isProxyUrl(url: string): boolean {
  if (!parsesAsUrl(url)) return false;
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

/** The name under which a variable has a value. */
function nameOf(reader: VariableReader, variable: string): string {
  const small = variable.toLowerCase();
  return reader.optionalText(small) === undefined ? variable : small;
}
