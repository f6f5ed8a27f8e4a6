import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCommand } from '../../support/processes/run-command.js';

/** How a shell tells what it would offer behind some words, one on each line. */
const OFFERING: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (script, words) => `
    source ${script}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
    _gatehouse
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Only the line editor can call the functions of zsh that compare words with what is typed.
  zsh: (script, words) => `
    compdef() { :; }
    _describe() { local -a all; all=("\${(@P)4}"); print -rl -- "\${(@)all%%:*}"; }
    _files() { print -rl -- *(N); }
    source ${script}
    words=(${words.map((word) => `'${word}'`).join(' ')}) CURRENT=${words.length}
    _gatehouse`,
  fish: (script, words) => `
    source ${script}
    complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''
    true`,
};

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;

describe('gatehouse completion', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-completion-'));
    await writeFile(path.join(directory, 'gatehouse.yaml'), '');
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  for (const [shell, offering] of Object.entries(OFFERING)) {
    // Bash is needed by other tests, too.
    const test = shell === 'bash' || isInstalled(shell) ? it : it.skip;
    const options = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell] ?? [];

    test(`offers commands, options, their words and files in ${shell}${test === it ? '' : ', which is not installed'}`, async () => {
      const { code, stdout, stderr } = await runCommand(['completion', shell], {});
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await writeFile(path.join(directory, shell), stdout);
      const offered = (...words: string[]): string[] =>
        execFileSync(shell, [...options, '-c', offering(path.join(directory, shell), ['gatehouse', ...words])], {
          cwd: directory,
          encoding: 'utf8',
        })
          .split('\n')
          .filter(Boolean);

      expect(offered('')).toEqual(expect.arrayContaining(['init', 'member', 'import', 'completion', 'distribute']));
      expect(offered('member', '')).toEqual(expect.arrayContaining(['add', 'list', 'transfer-keys']));
      expect(offered('member', '')).not.toContain('init');
      expect(offered('member', 'add', 'Jane', '--')).toEqual(
        expect.arrayContaining(['--email', '--role', '--organization', '--json', '--help']),
      );
      expect(offered('member', 'add', '--role', '')).toEqual(['admin', 'member']);
      expect(offered('member', 'add', '--email', '')).toEqual([]);
      expect(offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
      expect(offered('apply', '-f', 'gate')).toContain('gatehouse.yaml');
      expect(offered('apply', '--vars', 'gate')).toContain('gatehouse.yaml');
      expect(offered('import', 'litellm', 'gate')).toContain('gatehouse.yaml');
      expect(offered('apply', '--revision', 'gate')).toEqual([]);
    });
  }

  it('names its shells where another one is asked for', async () => {
    expect(await runCommand(['completion', 'tcsh'], {})).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('bash, zsh, fish') as string,
    });
  });
});
