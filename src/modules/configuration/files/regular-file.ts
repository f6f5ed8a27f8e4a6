import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The content of a file. A pipe or a device is not read, because it may never end.
 *
 * @throws Error for what is no file, has more bytes, or cannot be read
 */
export async function bytesOfFile(path: string, mostBytes: number): Promise<Buffer> {
  // Without waiting for one who writes to a pipe.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
