import { isObject } from '../../../http/validation/constraints.js';
import { joinPath, type Issue } from '../../../http/errors/issue.js';
import { inspectText } from '../../../http/input/text-inspection.js';
import type { DtoClass } from '../../../http/validation/dto-fields.js';
import { validateDto } from '../../../http/validation/validate.js';
import {
  AliasEntry,
  DetailedImageModelEntry,
  ImageModelEndpointsEntry,
  ImageModelEntry,
  ModelEndpointsEntry,
  ModelEntry,
  ProviderEntry,
  ZdrEndpointEntry,
} from './catalog-entry.dto.js';
import { InvalidCatalog } from './invalid-catalog.js';

/** The lists of Gatehouse's own catalog format. The list of a public document becomes one of them. */
const LIST_NAMES = [
  'providers',
  'aliases',
  'models',
  'image_models',
  'endpoints',
  'image_endpoints',
  'zdr_endpoints',
] as const;

/** The name of a list of a catalog. */
export type ListName = (typeof LIST_NAMES)[number];

interface DocumentList {
  readonly name: ListName;
  readonly items: readonly unknown[];
  readonly placeOf: (index: number) => string;
}

interface DocumentLists {
  /** Whether they are the operator's own, and not copies of public lists. */
  readonly areOwn: boolean;
  readonly lists: readonly DocumentList[];
}

/** Returns the lists of a document, or the issue with the whole document. */
function listsOf(content: unknown): DocumentLists | string {
  if (!isObject(content)) return 'must be a JSON object';
  if ('data' in content) return publicListsOf(content['data']);
  // The public list of an image model's endpoints has no wrapper object.
  if (typeof content['id'] === 'string' && 'endpoints' in content) {
    return publicLists({ name: 'image_endpoints', items: [content], placeOf: () => 'the list of endpoints' });
  }
  return ownListsOf(content);
}

function publicListsOf(data: unknown): DocumentLists | string {
  if (Array.isArray(data)) {
    // The answer of a failed request, or a file that was cut off: no public list is empty.
    return data.length === 0 ? 'data is an empty list' : publicLists(listed(publicNameOf(data[0]), 'data', data));
  }
  if (!isObject(data)) return 'data must be a list';
  return publicLists({ name: 'endpoints', items: [data], placeOf: () => 'data' });
}

function publicLists(list: DocumentList): DocumentLists {
  return { areOwn: false, lists: [list] };
}

/** Gatehouse's own format: lists by name. */
function ownListsOf(content: Readonly<Record<string, unknown>>): DocumentLists | string {
  const { own = true } = content;
  const known = LIST_NAMES.filter((name) => name in content);
  if (known.length === 0) return `has none of data, ${LIST_NAMES.join(', ')}`;
  const misshapen = known.filter((name) => !Array.isArray(content[name]));
  if (misshapen.length > 0) return `${misshapen.join(' and ')} must be a list`;
  if (typeof own !== 'boolean') return 'own must be boolean';
  const lists = known.map((name) => listed(name, name, content[name] as unknown[]));
  if (lists.every(({ items }) => items.length === 0)) return 'has no entry in its lists';
  return { areOwn: own, lists };
}

/**
 * Recognizes a public list by one of its entries. Image models have parameters by name, others a list of parameters.
 */
function publicNameOf(entry: unknown): ListName {
  if (!isObject(entry)) return 'models';
  if ('model_id' in entry) return 'zdr_endpoints';
  if ('slug' in entry && !('id' in entry)) return 'providers';
  return isObject(entry['supported_parameters']) ? 'image_models' : 'models';
}

function listed(name: ListName, place: string, items: readonly unknown[]): DocumentList {
  return { name, items, placeOf: (index) => joinPath(place, index) };
}

/** The validated entries of documents of one kind. A list that none of them contains is undefined. */
export interface CatalogEntries {
  providers?: ProviderEntry[];
  aliases?: AliasEntry[];
  models?: ModelEntry[];
  image_models?: (ImageModelEntry | DetailedImageModelEntry)[];
  endpoints?: ModelEndpointsEntry[];
  image_endpoints?: ImageModelEndpointsEntry[];
  zdr_endpoints?: ZdrEndpointEntry[];
}

/** The validated entries of one or more documents. */
export interface ImportedEntries {
  /** Of public lists, and of copies of them. */
  readonly listed: CatalogEntries;
  /** Of the operator's own. */
  readonly own: CatalogEntries;
}

/** A document and its source, which messages name. */
export interface CatalogDocument {
  readonly source: string;
  readonly content: unknown;
}

/** The class of the entries of each list. */
const ENTRY_CLASSES: Readonly<Record<ListName, (entry: object) => DtoClass>> = {
  providers: () => ProviderEntry,
  aliases: () => AliasEntry,
  models: () => ModelEntry,
  image_models: (entry) =>
    'endpoints' in entry && Array.isArray(entry.endpoints) ? DetailedImageModelEntry : ImageModelEntry,
  endpoints: () => ModelEndpointsEntry,
  image_endpoints: () => ImageModelEndpointsEntry,
  zdr_endpoints: () => ZdrEndpointEntry,
};

/**
 * Reads catalog documents: the public lists of models, image models, providers, endpoints of a model and endpoints with zero
 * data retention, which are distinguished by their entries, and Gatehouse's own format with several lists by name
 * (docs/interface/catalog-import.md).
 *
 * @throws InvalidCatalog with every issue of every entry
 */
export function readCatalogDocuments(documents: readonly CatalogDocument[]): ImportedEntries {
  const entries: ImportedEntries = { listed: {}, own: {} };
  const issues: string[] = [];
  for (const { source, content } of documents) {
    const read = listsOf(content);
    if (typeof read === 'string') issues.push(`${source}: ${read}`);
    else issues.push(...takeLists(read.areOwn ? entries.own : entries.listed, source, read.lists));
  }
  issues.push(...duplicatesIn(entries.listed), ...duplicatesIn(entries.own));
  if (issues.length > 0) throw new InvalidCatalog(issues);
  return entries;
}

/** Adds the valid entries of lists. @returns the issues of the others */
function takeLists(entries: CatalogEntries, source: string, lists: readonly DocumentList[]): string[] {
  return lists.flatMap(({ name, items, placeOf }) => {
    const taken: object[] = [];
    const issues = items.flatMap((entry, index) => {
      const found = issuesOf(entry, ENTRY_CLASSES[name]);
      if (found.length === 0) taken.push(entry as object);
      return found.map((issue) => describe(source, placeOf(index), issue));
    });
    (entries as Record<string, object[]>)[name] = [...(entries[name] ?? []), ...taken];
    return issues;
  });
}

function duplicatesIn(entries: CatalogEntries): string[] {
  return [
    ...duplicates('provider', entries.providers, ({ slug }) => slug),
    ...duplicates('alias', entries.aliases, ({ alias }) => alias),
    ...duplicates('model', entries.models, idOf),
    ...duplicates('image model', entries.image_models, idOf),
    ...duplicates('the list of endpoints of', entries.endpoints, idOf),
    ...duplicates('the list of image endpoints of', entries.image_endpoints, idOf),
  ];
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function issuesOf(entry: unknown, classOf: (entry: object) => DtoClass): Issue[] {
  if (typeof entry !== 'object' || entry === null) return [{ path: '', message: 'must be object' }];
  return [...inspectText(entry), ...validateDto(classOf(entry), entry)];
}

function describe(source: string, entry: string, { path, message }: Issue): string {
  return `${source}: ${path === '' ? entry : joinPath(entry, path)} ${message}`;
}

function duplicates<Entry>(kind: string, entries: readonly Entry[] = [], nameOf: (entry: Entry) => string): string[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const name = nameOf(entry);
    const key = name.toLowerCase();
    if (seen.has(key)) return [`${kind} ${name} is given more than once`];
    seen.add(key);
    return [];
  });
}
