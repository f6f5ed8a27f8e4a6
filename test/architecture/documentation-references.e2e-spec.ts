import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['src', 'test', 'bench', 'packages', 'ops', 'docs', 'deploy', '.ci'];

/** A Markdown file, with or without an anchor, or the number of a decision (`docs/adr/0010`). */
const CITATION = /(?<![\w/.-])(?:[\w./-]+\.md(?:#[\w-]+)?|docs\/adr\/\d{4}(?!-))/g;

/** The target of a link in Markdown that leads to a file. */
const LINK = /\]\((?!https?:)([^)\s]+)\)/g;

/** A file or folder that a page names in backticks. */
const NAMED_PATH = /`((?:src|test|bench|packages|ops|catalog|deploy)\/[\w./-]+)`/g;

/** A script of package.json in a command. */
const SCRIPT = /\bnpm run (?:(?:-s|--silent) )?([\w:-]+)/g;

describe('references to the documentation', () => {
  it('in code and configuration point to an existing page and heading', () => {
    const files = everyFile().filter((file) => /\.(ts|mjs|ya?ml|example|sql)$|\/run$/.test(file));

    expect(files.length).toBeGreaterThan(300);
    expect(deadOnes(files, (text) => text.match(CITATION) ?? [])).toEqual([]);
  });

  it('in pages point to an existing file and heading', () => {
    const linksOf = (text: string, page: string): string[] =>
      targetsOf(text, LINK).map((target) =>
        target.startsWith('#') ? page + target : path.join(path.dirname(page), target),
      );

    expect(pages().length).toBeGreaterThan(20);
    expect(deadOnes(pages(), linksOf)).toEqual([]);
  });

  it('to source files, in pages about the present, name existing files', () => {
    // Decisions tell of the files of their time.
    const present = pages().filter((page) => !page.startsWith('docs/adr/'));

    expect(deadOnes(present, (text) => targetsOf(text, NAMED_PATH))).toEqual([]);
  });

  it('in commands name existing scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const commands = everyFile()
      .filter((file) => /\.(md|ts|mjs|ya?ml|example)$/.test(file))
      .flatMap((file) => targetsOf(readFileSync(file, 'utf8'), SCRIPT).map((script) => ({ file, script })));

    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter(({ script }) => scripts[script] === undefined)).toEqual([]);
  });
});

function everyFile(): string[] {
  const atRoot = readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isFile());
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  return [...atRoot.map(({ name }) => name), ...below].filter((file) => !file.includes('node_modules'));
}

function pages(): string[] {
  return everyFile().filter((file) => file.endsWith('.md'));
}

function targetsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, target]) => target!);
}

/** The references in files that lead nowhere. */
function deadOnes(files: readonly string[], referencesOf: (text: string, file: string) => readonly string[]): string[] {
  return files.flatMap((file) =>
    referencesOf(readFileSync(file, 'utf8'), file)
      .filter((reference) => !exists(reference))
      .map((reference) => `${file}: ${reference}`),
  );
}

/** Whether a path from the root exists, and its anchor is that of a heading, as GitHub makes them. */
function exists(reference: string): boolean {
  if (/^docs\/adr\/\d{4}$/.test(reference)) {
    return readdirSync('docs/adr').some((name) => name.startsWith(path.basename(reference)));
  }
  const [file, anchor] = reference.split('#') as [string, string | undefined];
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  const headings = readFileSync(file, 'utf8').match(/^#+ .+$/gm) ?? [];
  return headings.some((heading) => anchorOf(heading) === anchor);
}

function anchorOf(heading: string): string {
  const text = heading.replace(/^#+ /, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
