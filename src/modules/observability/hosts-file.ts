import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const HOSTS_FILE = '/etc/hosts';

/**
 * The addresses that the hosts file of this machine gives a name (hosts(5)). Whoever connects by the system's own look-up
 * goes there, whatever the domain name system says, and a look-up in the domain name system alone does not see it.
 *
 * @param file where the file is; none there is as good as an empty one
 */
export async function addressesInHostsFile(host: string, file = HOSTS_FILE): Promise<readonly string[]> {
  const lines = (await contentOf(file)).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === host) ? [address] : [];
  });
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
