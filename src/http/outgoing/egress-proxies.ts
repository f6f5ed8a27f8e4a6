import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { EgressProxySettings } from '../../config/egress-proxy-variables.js';
import { networkOf } from '../addresses/networks.js';
import { isPublicAddress } from '../addresses/public-addresses.js';
import { hostOf } from '../addresses/address-form.js';

/** How long it is remembered whether a name leads into a private network, in milliseconds, and of how many names. */
const MEMORY_MS = 30_000;
const NAMES = 1_000;

/** How long a name is looked up before it counts as one that only the proxy knows, in milliseconds. */
const LOOKUP_MS = 2_000;

/** A proxy on the way out. */
export interface EgressProxy {
  /** Its address, without credentials. */
  readonly origin: string;
  /** The value of Proxy-Authorization; undefined for none. It is in no message and in no log. */
  readonly authorization: string | undefined;
}

/**
 * Which requests leave through a proxy: those to public addresses, and to names that do not resolve here, unless NO_PROXY has them. Private
 * addresses are reached directly, so that they are checked where they are connected to (docs/deploy/egress.md#proxies-on-the-way-out).
 */
export class EgressProxies {
  private readonly byProtocol: ReadonlyMap<string, EgressProxy>;
  private readonly bypasses: readonly Bypass[];
  private readonly privateNames = new LRUCache<string, boolean>({
    max: NAMES,
    ttl: MEMORY_MS,
    fetchMethod: (name) => leadsIntoPrivateNetwork(name),
  });

  /** @param settings undefined where there is no proxy */
  constructor(settings: EgressProxySettings | undefined) {
    const { https, http, noProxy = [] } = settings ?? {};
    this.byProtocol = new Map(
      Object.entries({ 'https:': https, 'http:': http }).flatMap(([protocol, url]) =>
        url === undefined ? [] : [[protocol, proxyOf(new URL(url))] as const],
      ),
    );
    this.bypasses = noProxy.map(bypassOf);
  }

  /** The proxy of a request. @returns undefined for none, at once where nothing has to be looked up */
  proxyFor(url: URL): EgressProxy | undefined | Promise<EgressProxy | undefined> {
    const { protocol, port } = url;
    const proxy = this.byProtocol.get(protocol);
    if (proxy === undefined) return undefined;
    const host = hostOf(url).replace(/\.$/, '');
    const target = { host, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port };
    if (this.bypasses.some((bypasses) => bypasses(target))) return undefined;
    if (isIP(host) !== 0) return isPublicAddress(host) ? proxy : undefined;
    return this.privateNames.fetch(host).then((isPrivate) => (isPrivate === true ? undefined : proxy));
  }
}

function proxyOf({ protocol, host, username, password }: URL): EgressProxy {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin: `${protocol}//${host}`,
    authorization: username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

async function leadsIntoPrivateNetwork(name: string): Promise<boolean> {
  const unknown = new Promise<[]>((resolve) => setTimeout(resolve, LOOKUP_MS, []).unref());
  const addresses = await Promise.race([lookup(name, { all: true }), unknown]).catch(() => []);
  return addresses.some(({ address }) => !isPublicAddress(address));
}

/** Whether an entry of NO_PROXY has a host, which is a name or an address, at a port. */
type Bypass = (target: { readonly host: string; readonly port: string }) => boolean;

/** A name also stands for those below it, with a dot or `*.` before it or without. */
function bypassOf(entry: string): Bypass {
  if (entry === '*') return () => true;
  const [, inBrackets, plain = '', ofPort] = /^(?:\[([^\]]+)\]|([^:]+|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const name = (inBrackets ?? plain).toLowerCase().replace(/^\*?\./, '');
  const hasHost = ipaddr.isValidCIDR(name) || ipaddr.isValid(name) ? networkOf(name) : below(name);
  return ({ host, port }) => (ofPort === undefined || ofPort === port) && hasHost(host);
}

function below(name: string): (host: string) => boolean {
  return (host) => host === name || host.endsWith(`.${name}`);
}
