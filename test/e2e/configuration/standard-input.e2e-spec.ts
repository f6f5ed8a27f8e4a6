import { execFile } from 'node:child_process';

/** How `gatehouse validate -f -` ends with a text on standard input. */
function validated(input: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const command = execFile(process.execPath, ['bin/gatehouse.mjs', 'validate', '-f', '-'], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    command.stdin!.end(input);
  });
}

describe('a configuration file on standard input', () => {
  it('is checked as any other, and its lines are named', async () => {
    const head = 'apiVersion: gatehouse/v1\nowner: platform\n';
    expect(await validated(`${head}keys: [{ name: ci }]\n`)).toEqual({
      code: 0,
      stdout: 'The files are right: 1 objects.\n',
      stderr: '',
    });
    expect(await validated(`${head}keys:\n  - name: ci\n    limti: 5\n`)).toEqual({
      code: 1,
      stdout: '',
      stderr: '-:5: keys[0].limti is not a known field\n',
    });
    expect(await validated('')).toEqual({ code: 1, stdout: '', stderr: '-: there is no document.\n' });
  });
});
