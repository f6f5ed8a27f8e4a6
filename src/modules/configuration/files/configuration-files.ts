import { isUtf8 } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Issue } from '../../../http/errors/issue.js';
import { inspectText } from '../../../http/input/text-inspection.js';
import { finiteNumbers } from '../../../http/validation/finite-numbers.js';
import { isObject } from '../../../http/validation/constraints.js';
import { bytesOfFile } from './regular-file.js';
import { WrongFiles } from './wrong-files.js';

/** The names of files that a directory is searched for. */
const FILE_NAME = /\.(?:ya?ml|json)$/;

/** What the interface takes in one request, in bytes; a longer file is not read. */
const MOST_BYTES = 8 * 1024 * 1024;

/** How often a document may repeat its parts by aliases, so that few lines do not become very many objects. */
const MOST_ALIASES = 100;

/** A file as it is sent. */
interface ReadFile {
  readonly name: string;
  readonly documents: readonly unknown[];
}

/** A file with the lines of what it has. */
interface ParsedFile extends ReadFile {
  /** The line of a field of a document, or of the deepest one on the way to it that there is; from 1. */
  readonly lineOf: (document: number, fields: readonly string[]) => number;
}

/** Files that were read from disk, with the lines of what stands in them. */
export class ConfigurationFiles {
  private constructor(private readonly parsed: readonly ParsedFile[]) {}

  /**
   * Reads files, and those of directories by their names.
   *
   * @param directory where paths begin
   * @param paths of files, and of directories with *.yaml, *.yml and *.json
   * @param variables what stands for `{var: NAME}`, by name
   * @param texts what some paths stand for that are no files, as `-` for standard input
   * @throws WrongFiles that names what cannot be read, by file and line
   */
  static async read(
    directory: string,
    paths: readonly string[],
    variables: Readonly<Record<string, unknown>> = {},
    texts: ReadonlyMap<string, string> = new Map(),
  ): Promise<ConfigurationFiles> {
    const names = await Promise.all(paths.map(async (one) => (texts.has(one) ? [one] : filesAt(directory, one))));
    const files: ParsedFile[] = [];
    for (const name of names.flat()) files.push(...parsed(name, texts.get(name) ?? (await contentOf(directory, name))));
    if (files.length === 0) throw new WrongFiles(`${paths.join(', ')}: there is no document.`);
    const unknown: Issue[] = [];
    const filled = files.map((file, fileIndex) => ({
      ...file,
      documents: file.documents.map((document, index) =>
        withVariables(document, variables, `files[${fileIndex}].documents[${index}]`, unknown),
      ),
    }));
    const read = new ConfigurationFiles(filled);
    if (unknown.length > 0) throw new WrongFiles(read.explain(unknown));
    return read;
  }

  /** As requests have them. */
  get files(): readonly ReadFile[] {
    return this.parsed.map(({ name, documents }) => ({ name, documents }));
  }

  /** The entries of a list, with their paths as issues have them. */
  entries(section?: string): { readonly path: string; readonly entry: Readonly<Record<string, unknown>> }[] {
    return this.parsed.flatMap(({ documents }, file) =>
      documents.flatMap((document, index) =>
        Object.entries(isObject(document) ? document : {})
          .filter(([name, list]) => Array.isArray(list) && (section === undefined || name === section))
          .flatMap(([name, list]) =>
            (list as unknown[]).flatMap((entry, place) =>
              isObject(entry) ? [{ path: `files[${file}].documents[${index}].${name}[${place}]`, entry }] : [],
            ),
          ),
      ),
    );
  }

  /** Issues in words, one on each line: `FILE:LINE: path message`. */
  explain(issues: readonly Issue[]): string {
    return issues.map((issue) => this.explained(issue)).join('\n');
  }

  private explained({ path: place, message }: Issue): string {
    const found = /^files\[(\d+)\]\.documents\[(\d+)\]\.?(.*)$/s.exec(place);
    const file = this.parsed[Number(found?.[1])];
    if (found === null || file === undefined) return `${place} ${message}`.trim();
    return placed(file, Number(found[2]), { path: found[3]!, message });
  }
}

/** An issue of a document in words, with its line. */
function placed({ name, lineOf }: ParsedFile, document: number, { path: place, message }: Issue): string {
  const line = lineOf(document, place.split(/[.[\]]+/).filter(Boolean));
  return `${name}:${line}: ${`${place} ${message}`.trim()}`;
}

/** Reads the values of `--vars`. @throws WrongFiles for a file that is no object */
export async function variablesOf(directory: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const [{ documents } = { documents: [] }] = parsed(file, await contentOf(directory, file));
  if (documents.length === 1 && isObject(documents[0])) return documents[0];
  throw new WrongFiles(`${file}: must be one object with a value for each name.`);
}

/** The files of a path, by their names. */
async function filesAt(directory: string, name: string): Promise<string[]> {
  const absolute = path.resolve(directory, name);
  try {
    if (!(await stat(absolute)).isDirectory()) return [name];
    const found = (await readdir(absolute)).filter((one) => FILE_NAME.test(one)).sort();
    return found.map((one) => path.join(name, one));
  } catch (error) {
    throw new WrongFiles(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

async function contentOf(directory: string, name: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await bytesOfFile(path.resolve(directory, name), MOST_BYTES);
  } catch (error) {
    throw new WrongFiles(`${name} cannot be read: ${(error as Error).message}.`);
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const line = bytes.toString('utf8').split('\ufffd', 1)[0]!.split('\n').length;
  throw new WrongFiles(`${name}:${line}: is not UTF-8.`);
}

/** JSON is YAML. @returns nothing for a file without a document @throws WrongFiles that names the line */
function parsed(name: string, text: string): ParsedFile[] {
  const lines = new LineCounter();
  const lineAt = (place: number): number => lines.linePos(place).line;
  try {
    const found = parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: true,
      logLevel: 'error',
    });
    const documents = Array.from(found).filter(({ contents }) => contents !== null);
    // Warnings are of tags that mean nothing here, which would be left out.
    const wrong = Array.from(found).flatMap((one) => [...one.errors, ...one.warnings, ...wrongAliases(one)]);
    if (wrong.length > 0) {
      throw new WrongFiles(wrong.map(({ pos, message }) => `${name}:${lineAt(pos[0])}: ${message}`).join('\n'));
    }
    if (documents.length === 0) return [];
    const values = documents.map((one) => valueOf(name, one, lineAt));
    const file: ParsedFile = {
      name,
      // What JSON does not have is refused below.
      documents: values.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
      lineOf: (index, fields) => lineAt(placeOf(documents[index]!, fields)),
    };
    // Without a name of its own, a document adds nothing to the paths within it.
    const issues = values.flatMap((value, index) =>
      [...finiteNumbers({ '': value }), ...inspectText(value)].map((issue) => placed(file, index, issue)),
    );
    if (issues.length > 0) throw new WrongFiles(issues.join('\n'));
    return [file];
  } catch (error) {
    if (error instanceof WrongFiles) throw error;
    throw new WrongFiles(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

/** @throws WrongFiles for a document that repeats its parts too often */
function valueOf(name: string, document: Document, lineAt: (place: number) => number): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    throw new WrongFiles(`${name}:${lineAt(placeOf(document, []))}: ${(error as Error).message}`);
  }
}

/** Aliases of nothing that stands before them, and of what they are in. */
function wrongAliases(document: Document): { readonly pos: readonly [number]; readonly message: string }[] {
  const anchors = new Map<string, unknown>();
  const wrong: { readonly pos: readonly [number]; readonly message: string }[] = [];
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_, { source, range }, ancestors) => {
      const meant = anchors.get(source);
      if (meant !== undefined && !ancestors.includes(meant as (typeof ancestors)[number])) return;
      wrong.push({ pos: [range?.[0] ?? 0], message: `*${source} must name what ends before it` });
    },
  });
  return wrong;
}

/** Where a field begins, or the deepest one on the way to it. */
function placeOf(document: Document, fields: readonly string[]): number {
  let node: unknown = document.contents;
  let place = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const field of fields) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === field);
      if (pair === undefined) return place;
      if (isNode(pair.key)) place = pair.key.range?.[0] ?? place;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(field)];
      if (!isNode(node)) return place;
      place = node.range?.[0] ?? place;
    } else return place;
  }
  return place;
}

/** A value with those of variables. @param unknown receives an issue for each name that has none */
function withVariables(
  value: unknown,
  variables: Readonly<Record<string, unknown>>,
  place: string,
  unknown: Issue[],
): unknown {
  if (Array.isArray(value)) {
    return value.map((one, index) => withVariables(one, variables, `${place}[${index}]`, unknown));
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const name = value['var'];
  if (names.length === 1 && typeof name === 'string') {
    if (Object.hasOwn(variables, name)) return variables[name];
    unknown.push({ path: place, message: `names the variable ${name}, which has no value` });
    return value;
  }
  return Object.fromEntries(
    names.map((one) => [one, withVariables(value[one], variables, `${place}.${one}`, unknown)]),
  );
}
