import { readFile, statfs } from 'node:fs/promises';

const DIRECTORY = '/dev/shm';

/** More than all databases of the tests take, and leaves memory for the tests. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * The directory of the system whose files are in memory. The tests make hundreds of databases of a thousand files each, which
 * takes three times as long on a disk.
 *
 * @returns undefined where there is none, or it has no room for the tests, or programs in it cannot be run
 */
export async function memoryDirectory() {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, directory, type]) => directory === DIRECTORY && type === 'tmpfs')?.[3]
    .split(',');
  if (options === undefined || options.includes('noexec') || !options.includes('rw')) return undefined;
  const { bavail, bsize } = await statfs(DIRECTORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES ? DIRECTORY : undefined;
}
