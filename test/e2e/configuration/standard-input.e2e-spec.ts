import { spawnSync } from 'node:child_process';

/** Ends of `gatehouse validate -f -` with a text on standard input. */
function validated(input: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/gatehouse.mjs', 'validate', '-f', '-'], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('a configuration file on standard input', () => {
  it('is checked as any other, and its lines are named', () => {
    const head = 'apiVersion: gatehouse/v1\nowner: platform\n';
    expect(validated(`${head}keys: [{ name: ci }]\n`)).toEqual({
      status: 0,
      stdout: 'The files are right: 1 objects.\n',
      stderr: '',
    });
    expect(validated(`${head}keys:\n  - name: ci\n    limti: 5\n`)).toEqual({
      status: 1,
      stdout: '',
      stderr: '-:5: keys[0].limti is not a known field\n',
    });
    expect(validated('')).toEqual({ status: 1, stdout: '', stderr: '-: there is no document.\n' });
  });
});
