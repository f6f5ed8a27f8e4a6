import { spawn } from 'node:child_process';

/** Runs lines in bash, which ends with the first that fails. @param variables of the deployment, for its commands */
export function pasted(
  lines: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const shell = spawn('bash', ['-euo', 'pipefail'], { env: { PATH, HOME, ...variables } });
  let [stdout, stderr] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  shell.stdin.end(lines);
  return new Promise((resolve) => shell.once('close', (code) => resolve({ code, stdout, stderr })));
}
