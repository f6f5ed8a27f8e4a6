import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../http/canonical-json.js';
import { type IssueWithReason, issuesInside, joinPath } from '../../../http/errors/issue.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject } from '../../../http/validation/constraints.js';
import { rulesOf } from '../../../http/validation/rules.js';
import { validateDto } from '../../../http/validation/validate.js';
import type { ConfiguredKind, Fields } from '../kinds/configured-kind.js';
import type { ConfiguredKinds } from '../kinds/configured-kinds.js';
import { issuesOfNamesWithin, withNamesReplaced } from './names-within.js';
import { issuesOfReference } from './references.js';
import { isSecretReference, plainValuesIn, secretsIn, withSecrets } from './secret-references.js';

/** The form of the documents. */
export const API_VERSION = 'gatehouse/v1';

/** What an owner is called. */
export const OWNER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** A file with its documents, read from YAML or JSON. */
export interface ConfigurationFile {
  readonly name: string;
  readonly documents: readonly unknown[];
}

/** One object of a file. */
export interface Entry {
  readonly kind: ConfiguredKind;
  /** The fields that lead to it in the request, as issues name them. */
  readonly path: string;
  readonly file: string;
  readonly fields: Fields;
  readonly name: string;
  /** The slug of its workspace; undefined for none. */
  readonly workspace: string | undefined;
  readonly renamedFrom: string | undefined;
}

/** What files say, or what is wrong with them. */
export interface ReadFiles {
  readonly owner: string;
  readonly entries: readonly Entry[];
  readonly issues: readonly IssueWithReason[];
}

/** How many objects files have at most, of all together. */
const MOST_OBJECTS = 5_000;

/** How many entries are checked before others have their turn: it takes some milliseconds. */
const ENTRIES_AT_ONCE = 20;

/** Fields that every entry may have, beside those of its kind. */
const META = new Set(['workspace', 'renamed_from', 'secret_from', 'secret_to']);

/** Reads files, and checks what can be checked without a database (docs/configuration.md#files). */
export async function readFiles(kinds: ConfiguredKinds, files: readonly ConfigurationFile[]): Promise<ReadFiles> {
  const issues: IssueWithReason[] = [];
  const entries: Entry[] = [];
  const owners = new Set<string>();
  const count = files
    .flatMap(({ documents }) => documents)
    .reduce<number>((sum, document) => sum + objectsIn(document), 0);
  if (count > MOST_OBJECTS) {
    return {
      owner: '',
      entries,
      issues: [{ path: 'files', message: `have ${count} objects: ${MOST_OBJECTS} at most` }],
    };
  }
  for (const [fileIndex, { name: file, documents }] of files.entries()) {
    for (const [index, document] of documents.entries()) {
      const path = `files[${fileIndex}].documents[${index}]`;
      const read = await readDocument(kinds, document, path, file);
      issues.push(...read.issues);
      entries.push(...read.entries);
      if (read.owner !== undefined) owners.add(read.owner);
    }
  }
  const [owner = '', ...others] = owners;
  if (others.length > 0)
    issues.push({ path: 'files', message: `have several owners: ${[owner, ...others].join(', ')}` });
  return { owner, entries, issues: [...issues, ...twiceNamed(entries)] };
}

async function readDocument(
  kinds: ConfiguredKinds,
  document: unknown,
  path: string,
  file: string,
): Promise<{
  readonly owner: string | undefined;
  readonly entries: readonly Entry[];
  readonly issues: IssueWithReason[];
}> {
  if (!isObject(document)) return { owner: undefined, entries: [], issues: [{ path, message: 'must be object' }] };
  const { apiVersion, owner, ...sections } = document;
  const isOwner = typeof owner === 'string' && OWNER_NAME.test(owner);
  const issues: IssueWithReason[] = [
    ...(apiVersion === API_VERSION ? [] : [{ path: joinPath(path, 'apiVersion'), message: `must be ${API_VERSION}` }]),
    ...(isOwner
      ? []
      : [{ path: joinPath(path, 'owner'), message: 'must be a name of a-z, 0-9 and -, of up to 64 characters' }]),
  ];
  const entries: Entry[] = [];
  for (const [section, list] of Object.entries(sections)) {
    const kind = kinds.of(section);
    const at = joinPath(path, section.toWellFormed());
    if (kind === undefined) issues.push({ path: at, message: 'is not a known list' });
    else if (!Array.isArray(list)) issues.push({ path: at, message: 'must be array' });
    else {
      for (const [index, fields] of (list as unknown[]).entries()) {
        const place = joinPath(at, index);
        // Others have their turns between.
        if (index % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await nextTurn();
        const wrong = issuesOfEntry(kind, fields);
        issues.push(...issuesInside(place, wrong));
        if (wrong.length === 0) entries.push(entryOf(kind, fields as Fields, place, file));
      }
    }
  }
  return { owner: isOwner ? owner : undefined, entries, issues };
}

function entryOf(kind: ConfiguredKind, fields: Fields, path: string, file: string): Entry {
  const { workspace, renamed_from: renamedFrom, ...rest } = fields as Fields & Record<string, string | undefined>;
  return {
    kind,
    path,
    file,
    fields: rest,
    name: kind.nameInFile(fields),
    workspace,
    renamedFrom,
  };
}

/** What is wrong with an entry by itself: its fields, its references, and each value that the interface would refuse. */
function issuesOfEntry(kind: ConfiguredKind, entry: unknown): IssueWithReason[] {
  if (!isObject(entry)) return [{ path: '', message: 'must be object' }];
  const known = kind.fields;
  const unknown = Object.keys(entry)
    .filter(
      (name) =>
        !known.has(name) &&
        !META.has(name) &&
        !Object.hasOwn(kind.references, name) &&
        !Object.hasOwn(kind.further, name),
    )
    .map((name) => ({ path: name.toWellFormed(), message: 'is not a known field' }));
  const meta = [
    ...textIssues(entry, 'renamed_from'),
    ...(kind.workspace === 'never' && Object.hasOwn(entry, 'workspace')
      ? [{ path: 'workspace', message: 'is not a known field' }]
      : textIssues(entry, 'workspace')),
    ...['secret_from', 'secret_to'].flatMap((name) => issuesOfSecretOfKey(kind, entry, name)),
  ];
  const references = Object.entries(kind.references).flatMap(([name, { isList = false }]) =>
    Object.hasOwn(entry, name) ? issuesOfReference(name, entry[name], isList) : [],
  );
  const within = Object.entries(kind.namesWithin).flatMap(([name, find]) =>
    Object.hasOwn(entry, name) ? issuesOfNamesWithin(name, entry[name], find) : [],
  );
  const further = Object.entries(kind.further).flatMap(([name, { issues }]) =>
    Object.hasOwn(entry, name) ? issuesInside(name, issues(withStandIns(kind, name, entry[name]))) : [],
  );
  const name = kind.nameInFile(entry);
  const unnamed =
    typeof name === 'string' && name !== ''
      ? []
      : [{ path: kind.identity, message: 'must be given: it says which object it is' }];
  const found = [
    ...unknown,
    ...unnamed,
    ...meta,
    ...references,
    ...within,
    ...further,
    ...issuesOfSecrets(kind, entry),
  ];
  return found.length > 0 ? found : issuesOfRequests(kind, entry);
}

function textIssues(entry: Fields, name: string): IssueWithReason[] {
  const value = entry[name];
  return value === undefined || (typeof value === 'string' && value !== '')
    ? []
    : [{ path: name, message: 'must be string' }];
}

function issuesOfSecretOfKey(kind: ConfiguredKind, entry: Fields, name: string): IssueWithReason[] {
  const value = entry[name];
  if (value === undefined) return [];
  if (!kind.takesOwnSecret) return [{ path: name, message: 'is not a known field' }];
  const isSource = isSecretReference(value) && ('file' in value || ('env' in value && name === 'secret_from'));
  if (isSource) return [];
  return [{ path: name, message: `must be ${name === 'secret_from' ? '{env: NAME} or ' : ''}{file: PATH}` }];
}

/** Secrets stand in no file. */
function issuesOfSecrets(kind: ConfiguredKind, entry: Fields): IssueWithReason[] {
  const message = 'is a secret: say where it is from, {env: NAME} or {file: PATH}';
  return Object.entries(entry).flatMap(([name, value]) => {
    if (kind.secrets.includes(name))
      return plainValuesIn(value, [name]).map((path) => ({ path: path.join('.'), message }));
    return plainValuesIn(value, [name])
      .filter((path) => path.length > 1 && kind.isSecretAt(entry, path))
      .map((path) => ({ path: path.join('.'), message }));
  });
}

/** Stands for an id while the rest of an entry is checked. */
const ANY_ID = '00000000-0000-4000-8000-000000000000';
const ANY_HASH = '0'.repeat(64);

/**
 * What the operations that create and change one would say. What stands for a name or a secret is not looked at: which of them are there is
 * found out later.
 */
function issuesOfRequests(kind: ConfiguredKind, entry: Fields): IssueWithReason[] {
  const placeholders = new Set<string>();
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (META.has(name) || Object.hasOwn(kind.further, name)) continue;
    const reference = kind.references[name];
    if (reference === undefined) {
      if (secretsIn(value).length > 0) placeholders.add(name);
      input[name] = withSecrets(withStandIns(kind, name, value), () => ANY_HASH);
    } else {
      placeholders.add(reference.wire);
      const id = reference.to === 'keys' ? ANY_HASH : ANY_ID;
      if (value !== null) input[reference.wire] = reference.isList === true ? [id] : id;
    }
  }
  if (kind.workspace !== 'never') {
    const { workspace } = entry;
    if (workspace !== undefined) input['workspace_id'] = standInFor('workspaces', workspace);
    else if (kind.workspace === 'default') input['workspace_id'] = ANY_ID;
    placeholders.add('workspace_id');
  }
  const { created, later } = kind.inRequests(input);
  const issues = [
    ...validateDto(kind.creation, created),
    ...rulesOf(kind.creation).flatMap((rule) => rule(created)),
    ...(Object.keys(later).length === 0 ? [] : validateDto(kind.change, later)),
  ];
  return issues
    .filter(({ path }) => !placeholders.has(path.split(/[.[]/, 1)[0]!))
    .map((issue) => ({ ...issue, path: kind.fileFieldOf(issue.path) }));
}

/** The value of a field with a stand-in in place of each name in it. */
function withStandIns(kind: ConfiguredKind, field: string, value: unknown): unknown {
  return withNamesReplaced(value, kind.namesWithin[field], ({ to, standing }) => standInFor(to, standing));
}

/** Stands for the id of a name while rules compare ids: for another name it is another one. */
function standInFor(to: string, name: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([to, name]))
    .digest('hex');
}

function objectsIn(document: unknown): number {
  if (!isObject(document)) return 0;
  return Object.values(document).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

/** Two entries are never one object. */
function twiceNamed(entries: readonly Entry[]): IssueWithReason[] {
  const first = new Map<string, Entry>();
  return entries.flatMap((entry) => {
    const key = JSON.stringify([entry.kind.section, entry.workspace ?? null, entry.name]);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, entry);
      return [];
    }
    return [{ path: entry.path, message: `has the name of ${before.path} in ${before.file}` }];
  });
}
