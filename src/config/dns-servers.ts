import { isIP } from 'node:net';
import type { VariableReader } from './variable-reader.js';

/** An address with a port: 192.0.2.1:53 or [2001:db8::1]:53. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;

/** Reads DNS_SERVERS. @returns none where the name servers of the system are asked */
export function dnsServersOf(reader: VariableReader): readonly string[] {
  const servers = reader.list('DNS_SERVERS', []);
  for (const server of servers.filter((candidate) => !isServer(candidate))) {
    reader.fault('DNS_SERVERS', `must be addresses such as 192.0.2.1 or 192.0.2.1:53, which ${server} is not`);
  }
  return servers;
}

function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, inBrackets, plain = '', port] = WITH_PORT.exec(text) ?? [];
  const isAddress = inBrackets === undefined ? isIP(plain) === 4 : isIP(inBrackets) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}
