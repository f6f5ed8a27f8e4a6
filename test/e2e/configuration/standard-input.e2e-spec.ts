import { execFile } from 'node:child_process';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const HEAD = 'apiVersion: gatehouse/v1\nowner: platform\n';
const RIGHT = `${HEAD}keys: [{ name: ci }]\n`;
const WRONG = `${HEAD}keys:\n  - name: ci\n    limti: 5\n`;

/** How a command ends. @param input what it has on standard input */
function ended(file: string, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const command = execFile(file, args, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    command.stdin!.end(input);
  });
}

describe('a configuration file on standard input', () => {
  const validated = (input: string): Promise<Ended> =>
    ended(process.execPath, ['bin/gatehouse.mjs', 'validate', '-f', '-'], input);

  it('is checked as any other, and its lines are named', async () => {
    expect(await validated(RIGHT)).toEqual({ code: 0, stdout: 'The files are right: 1 objects.\n', stderr: '' });
    expect(await validated(WRONG)).toEqual({
      code: 1,
      stdout: '',
      stderr: '-:5: keys[0].limti is not a known field\n',
    });
    expect(await validated('')).toEqual({ code: 1, stdout: '', stderr: '-: there is no document.\n' });
  });
});

describe('a configuration file that another program writes into a pipe', () => {
  /** How `gatehouse validate -f <(printf TEXT)` ends. */
  const validated = (written: string): Promise<Ended> =>
    ended('bash', ['-c', '"$0" bin/gatehouse.mjs validate -f <(printf %s "$1")', process.execPath, written]);

  it('is checked as any other, and its lines are named', async () => {
    expect(await validated(RIGHT)).toEqual({ code: 0, stdout: 'The files are right: 1 objects.\n', stderr: '' });
    const { code, stderr } = await validated(WRONG);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^\/dev\/fd\/\d+:5: keys\[0\]\.limti is not a known/)]);
  });
});
