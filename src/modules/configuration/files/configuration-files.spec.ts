import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationFiles } from './configuration-files.js';
import { readSecrets, secretInFile } from './secrets-of-files.js';
import { WrongFiles } from './wrong-files.js';

const HEAD = 'apiVersion: gatehouse/v1\nowner: team-a\n';

describe('files of configurations', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'files-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  const at = (name: string): string => path.join(directory, name);

  /** What is said of a file, or undefined for one that is read. */
  async function refusalOf(content: string | Buffer, name = 'a.yaml'): Promise<string | undefined> {
    await writeFile(at(name), content);
    return said(ConfigurationFiles.read(directory, [name]));
  }

  async function said(reading: Promise<unknown>): Promise<string | undefined> {
    try {
      await reading;
      return undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(WrongFiles);
      return (error as Error).message;
    }
  }

  it.each([
    ['a tag that means nothing', 'guardrails:\n  - name: !secret abc\n', /^a\.yaml:4: .*!secret/],
    ['a tag of another language', 'guardrails:\n  - name: !!js/function "x"\n', /^a\.yaml:4: .*js\/function/],
    ['a field twice', 'guardrails:\n  - name: A\n    name: B\n', /^a\.yaml:5: Map keys must be unique/],
    ['an alias of nothing', 'guardrails:\n  - *nothing\n', /^a\.yaml:4: \*nothing must name what ends before it/],
    ['an alias in what it names', 'guardrails: &all\n  - *all\n', /^a\.yaml:4: \*all must name what ends before it/],
    [
      'aliases that multiply',
      `a: &a [${'x, '.repeat(20)}]\nb: &b [${'*a, '.repeat(20)}]\nguardrails: [${'*b, '.repeat(20)}]\n`,
      /^a\.yaml:1: Excessive alias count/,
    ],
    [
      'infinity',
      'guardrails:\n  - limit_usd: .inf\n',
      /^a\.yaml:4: guardrails\[0\]\.limit_usd must be a finite number/,
    ],
    ['what is no number', 'guardrails: [.nan]\n', /^a\.yaml:3: guardrails\[0\] must be a finite number/],
    ['a number beyond all', 'guardrails:\n  - limit_usd: 1e400\n', /^a\.yaml:4: .*must be a finite number/],
    ['an escaped NUL', 'guardrails:\n  - name: "A\\0"\n', /^a\.yaml:4: guardrails\[0\]\.name must not contain a NUL/],
    ['half of a character', 'guardrails:\n  - name: "\\uD800"\n', /^a\.yaml:4: .*lone surrogate/],
    ['a raw NUL', 'guardrails:\n  - name: "A\0"\n', /^a\.yaml:4: .*NUL/],
    ['a tabulator', 'guardrails:\n\t- name: A\n', /^a\.yaml:4: Tabs are not allowed/],
    ['an unknown version of YAML', '...\n%YAML 9.9\n---\na: 1\n', /^a\.yaml:4: .*YAML version/],
  ])('refuses %s, and names file and line', async (_, content, message) => {
    expect(await refusalOf(HEAD + content)).toMatch(message);
  });

  it('names the line of a second document, after carriage returns', async () => {
    const content = `${HEAD}---\n${HEAD}guardrails:\n  - limit_usd: .inf\n`.replaceAll('\n', '\r\n');

    expect(await refusalOf(content)).toBe('a.yaml:7: guardrails[0].limit_usd must be a finite number');
  });

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${HEAD}`, 'utf16le'), 'a.yaml:1: is not UTF-8.'],
    ['Latin-1', Buffer.from(`${HEAD}guardrails:\n  - name: caf\u00e9\n`, 'latin1'), 'a.yaml:4: is not UTF-8.'],
  ])('refuses %s, and names the line', async (_, content, message) => {
    expect(await refusalOf(content)).toBe(message);
  });

  it.each([
    ['a mark of the order of bytes', `\ufeff${HEAD}`],
    ['carriage returns', HEAD.replaceAll('\n', '\r\n')],
    ['parts that repeat', `${HEAD}guardrails:\n  - name: A\n    allowed_models: &m [x]\n    ignored_models: *m\n`],
  ])('reads a file with %s', async (_, content) => {
    expect(await refusalOf(content)).toBeUndefined();
  });

  it('reads neither pipes nor devices nor folders as files, and waits for none', async () => {
    execFileSync('mkfifo', [at('pipe.yaml')]);
    await symlink('/dev/zero', at('zero.yaml'));
    await mkdir(at('folder'));
    await mkdir(at('folder/inner.yaml'));

    for (const name of ['pipe.yaml', 'zero.yaml']) {
      expect(await said(ConfigurationFiles.read(directory, [name]))).toBe(`${name} cannot be read: it is no file.`);
    }
    expect(await said(ConfigurationFiles.read(directory, ['folder']))).toBe(
      'folder/inner.yaml cannot be read: it is no file.',
    );
  });

  describe('and secrets', () => {
    const sources = { variable: () => '', file: (name: string) => secretInFile(at(name)), advice: '' };

    const secretsOf = async (reference: string): Promise<unknown> => {
      await writeFile(at('a.yaml'), `${HEAD}provider_keys:\n  - name: K\n    key: ${reference}\n`);
      return readSecrets(await ConfigurationFiles.read(directory, ['a.yaml']), sources);
    };

    it.each(['one', 'one\n', 'one\r\n'])('reads the secret of %j without the end of its line', async (content) => {
      await writeFile(at('secret'), content);

      expect(await secretsOf('{file: secret}')).toEqual({ 'file:secret': 'one' });
    });

    it.each([
      ['is empty', '\n'],
      ['is no text', Buffer.from([0xff, 0xfe, 0x41])],
      ['is too long', 'x'.repeat(65_537)],
    ])('refuses that of a file that %s, and names the line', async (_, content) => {
      await writeFile(at('secret'), content);

      expect(await said(secretsOf('{file: secret}'))).toBe('a.yaml:5: provider_keys[0].key has no value: file:secret');
    });

    it('refuses those of a pipe, of a device and of an empty variable, and waits for none', async () => {
      execFileSync('mkfifo', [at('pipe')]);
      await symlink('/dev/zero', at('zero'));

      for (const reference of ['{file: pipe}', '{file: zero}', '{env: EMPTY}']) {
        expect(await said(secretsOf(reference))).toContain('a.yaml:5: provider_keys[0].key has no value: ');
      }
    });
  });
});
