import { type Issue, joinPath } from '../../../http/errors/issue.js';
import { inspectText } from '../../../http/input/text-inspection.js';
import { allSchemas, referenceTo, type SchemaClass } from '../../../http/schema/schema-registry.js';
import { SchemaValidator } from '../../../http/schema/schema-validator.js';
import {
  AliasEntry,
  DetailedImageModelEntry,
  ImageModelEntry,
  ModelEntry,
  ProviderEntry,
} from './catalog-entry.dto.js';
import { InvalidCatalog } from './invalid-catalog.js';

/** What one or several documents say, with every entry checked. A list that no document has is undefined. */
export interface CatalogEntries {
  providers?: ProviderEntry[];
  aliases?: AliasEntry[];
  models?: ModelEntry[];
  imageModels?: (ImageModelEntry | DetailedImageModelEntry)[];
}

/** A document and where it comes from, for the words of its faults. */
export interface CatalogDocument {
  readonly source: string;
  readonly content: unknown;
}

const ENTRY_CLASSES: SchemaClass[] = [AliasEntry, DetailedImageModelEntry, ImageModelEntry, ModelEntry, ProviderEntry];

/**
 * Reads catalog documents: the public lists `{ data: [...] }` of models or of image models, which are told apart by their
 * entries, and Gatehouse's own form with `providers`, `aliases`, `models` and `image_models`.
 *
 * @throws InvalidCatalog that names every fault of every entry
 */
export function readCatalogDocuments(documents: readonly CatalogDocument[]): CatalogEntries {
  ENTRY_CLASSES.forEach(referenceTo);
  const validator = new SchemaValidator(allSchemas());
  const entries: CatalogEntries = {};
  const faults: string[] = [];

  const take = <T extends object>(source: string, name: string, list: unknown, type: (entry: object) => SchemaClass<T>): T[] => {
    if (!Array.isArray(list)) {
      faults.push(`${source}: ${name} must be a list`);
      return [];
    }
    return list.flatMap((entry: unknown, index) => {
      const issues = issuesOf(validator, entry, type);
      faults.push(...issues.map((issue) => describe(source, joinPath(name, index), issue)));
      return issues.length === 0 ? [entry as T] : [];
    });
  };

  for (const { source, content } of documents) {
    if (typeof content !== 'object' || content === null || Array.isArray(content)) {
      faults.push(`${source}: must be a JSON object`);
      continue;
    }
    const document = content as Record<string, unknown>;
    if ('data' in document) {
      if (isImageList(document['data'])) {
        (entries.imageModels ??= []).push(...take(source, 'data', document['data'], () => ImageModelEntry));
      } else {
        (entries.models ??= []).push(...take(source, 'data', document['data'], () => ModelEntry));
      }
      continue;
    }
    const known = ['providers', 'aliases', 'models', 'image_models'].filter((name) => name in document);
    if (known.length === 0) faults.push(`${source}: has none of data, providers, aliases, models, image_models`);
    for (const name of known) {
      const list = document[name];
      if (name === 'providers') (entries.providers ??= []).push(...take(source, name, list, () => ProviderEntry));
      if (name === 'aliases') (entries.aliases ??= []).push(...take(source, name, list, () => AliasEntry));
      if (name === 'models') (entries.models ??= []).push(...take(source, name, list, () => ModelEntry));
      if (name === 'image_models') (entries.imageModels ??= []).push(...take(source, name, list, imageEntryClass));
    }
  }
  faults.push(
    ...duplicates('provider', entries.providers?.map(({ slug }) => slug)),
    ...duplicates('alias', entries.aliases?.map(({ alias }) => alias)),
    ...duplicates('model', entries.models?.map(({ id }) => id)),
    ...duplicates('image model', entries.imageModels?.map(({ id }) => id)),
  );
  if (faults.length > 0) throw new InvalidCatalog(faults);
  return entries;
}

/** Image models describe what they can do by name, other models list their parameters. */
function isImageList(list: unknown): boolean {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  if (typeof first !== 'object' || first === null) return false;
  const parameters = (first as Record<string, unknown>)['supported_parameters'];
  return typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
}

function imageEntryClass(entry: object): SchemaClass<ImageModelEntry | DetailedImageModelEntry> {
  return Array.isArray((entry as Record<string, unknown>)['endpoints']) ? DetailedImageModelEntry : ImageModelEntry;
}

function issuesOf(validator: SchemaValidator, entry: unknown, type: (entry: object) => SchemaClass): Issue[] {
  if (typeof entry !== 'object' || entry === null) return [{ path: '', message: 'must be object' }];
  return [...inspectText(entry).issues, ...validator.check(type(entry), entry)];
}

function describe(source: string, entry: string, { path, message }: Issue): string {
  return `${source}: ${path === '' ? entry : joinPath(entry, path)} ${message}`;
}

function duplicates(kind: string, names: readonly string[] = []): string[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const key = name.toLowerCase();
    if (seen.has(key)) return [`${kind} ${name} is given more than once`];
    seen.add(key);
    return [];
  });
}
