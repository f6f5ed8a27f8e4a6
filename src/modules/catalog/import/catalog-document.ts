import { type Issue, joinPath } from '../../../http/errors/issue.js';
import { inspectText } from '../../../http/input/text-inspection.js';
import { allSchemas, referenceTo, type SchemaClass } from '../../../http/schema/schema-registry.js';
import { SchemaValidator } from '../../../http/schema/schema-validator.js';
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
import { type ListName, listsOf } from './document-lists.js';
import { InvalidCatalog } from './invalid-catalog.js';

/** What one or several documents say, with every entry checked. A list that no document has is undefined. */
export interface CatalogEntries {
  providers?: ProviderEntry[];
  aliases?: AliasEntry[];
  models?: ModelEntry[];
  image_models?: (ImageModelEntry | DetailedImageModelEntry)[];
  endpoints?: ModelEndpointsEntry[];
  image_endpoints?: ImageModelEndpointsEntry[];
  zdr_endpoints?: ZdrEndpointEntry[];
}

/** A document and where it comes from, for the words of its faults. */
export interface CatalogDocument {
  readonly source: string;
  readonly content: unknown;
}

/** The class of the entries of each list. */
const ENTRY_CLASSES: Readonly<Record<ListName, (entry: object) => SchemaClass>> = {
  providers: () => ProviderEntry,
  aliases: () => AliasEntry,
  models: () => ModelEntry,
  image_models: (entry) => ('endpoints' in entry && Array.isArray(entry.endpoints) ? DetailedImageModelEntry : ImageModelEntry),
  endpoints: () => ModelEndpointsEntry,
  image_endpoints: () => ImageModelEndpointsEntry,
  zdr_endpoints: () => ZdrEndpointEntry,
};

/**
 * Reads catalog documents: the public lists of models, image models, providers, endpoints of a model and endpoints that
 * retain nothing, which are told apart by their entries, and Gatehouse's own form with several lists by name.
 *
 * @throws InvalidCatalog that names every fault of every entry
 */
export function readCatalogDocuments(documents: readonly CatalogDocument[]): CatalogEntries {
  [ImageModelEntry, DetailedImageModelEntry].forEach(referenceTo);
  Object.values(ENTRY_CLASSES).forEach((classOf) => referenceTo(classOf({})));
  const validator = new SchemaValidator(allSchemas());
  const entries: CatalogEntries = {};
  const faults: string[] = [];
  for (const { source, content } of documents) {
    const lists = listsOf(content);
    if (typeof lists === 'string') faults.push(`${source}: ${lists}`);
    else {
      for (const { name, items, placeOf } of lists) {
        const taken: object[] = [];
        items.forEach((entry, index) => {
          const issues = issuesOf(validator, entry, ENTRY_CLASSES[name]);
          faults.push(...issues.map((issue) => describe(source, placeOf(index), issue)));
          if (issues.length === 0) taken.push(entry as object);
        });
        (entries as Record<string, object[]>)[name] = [...(entries[name] ?? []), ...taken];
      }
    }
  }
  faults.push(
    ...duplicates(
      'provider',
      entries.providers?.map(({ slug }) => slug),
    ),
    ...duplicates(
      'alias',
      entries.aliases?.map(({ alias }) => alias),
    ),
    ...duplicates('model', idsOf(entries.models)),
    ...duplicates('image model', idsOf(entries.image_models)),
    ...duplicates('the list of endpoints of', idsOf(entries.endpoints)),
    ...duplicates('the list of image endpoints of', idsOf(entries.image_endpoints)),
  );
  if (faults.length > 0) throw new InvalidCatalog(faults);
  return entries;
}

function idsOf(entries: readonly { readonly id: string }[] = []): string[] {
  return entries.map(({ id }) => id);
}

function issuesOf(validator: SchemaValidator, entry: unknown, classOf: (entry: object) => SchemaClass): Issue[] {
  if (typeof entry !== 'object' || entry === null) return [{ path: '', message: 'must be object' }];
  return [...inspectText(entry), ...validator.check(classOf(entry), entry)];
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
