import type { VariableReader } from './variable-reader.js';
import { parsesAsUrl } from './parses-as-url.js';

const SCHEMES = ['postgres:', 'postgresql:'];

/** The URL parameters that the driver supports. It would ignore libpq's other parameters. */
const PARAMETERS: readonly string[] = [
  'application_name',
  'fallback_application_name',
  'host',
  'options',
  'password',
  'port',
  'ssl',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'uselibpqcompat',
  'user',
];

/** Several hosts after the user and password of a URL. */
const SEVERAL_HOSTS = /^[a-z]+:\/\/([^/?#]*@)?[^@/?#]*,[^@/?#]*($|[/?#])/i;

const ONE_ADDRESS =
  'give one address that always leads to the primary, such as a proxy in front of the servers or an address that moves with it';

/**
 * Reads the URL of a PostgreSQL database. Parameters that the service does not support are an issue and not ignored.
 *
 * @param name the name of the variable
 */
export function databaseUrlOf(reader: VariableReader, name: string): string | undefined {
  if (SEVERAL_HOSTS.test(reader.text(name, ''))) {
    reader.issue(name, `names several hosts, of which only one can be used: ${ONE_ADDRESS}`);
    return undefined;
  }
  const text = reader.url(name, SCHEMES);
  if (text === undefined || !parsesAsUrl(text)) return text;
  for (const [parameter, value] of new URL(text).searchParams) checkParameter(reader, name, parameter, value);
  return text;
}

function checkParameter(reader: VariableReader, name: string, parameter: string, value: string): void {
  if (parameter === 'target_session_attrs') {
    reader.issue(name, `has target_session_attrs, which has no effect: leave it out, and ${ONE_ADDRESS}`);
  } else if (!PARAMETERS.includes(parameter)) {
    reader.issue(
      name,
      `has the parameter ${JSON.stringify(parameter)}, which has no effect: leave it out. ` +
        `Those that have one are ${PARAMETERS.join(', ')}`,
    );
  } else if (['host', 'port'].includes(parameter) && value.includes(',')) {
    reader.issue(name, `names several hosts, of which only one can be used: ${ONE_ADDRESS}`);
  }
}
