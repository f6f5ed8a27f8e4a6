import { joinPath } from '../../../http/errors/issue.js';

/** The lists of Gatehouse's own form of a catalog; what a public document has becomes one of them. */
export const LIST_NAMES = [
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

/** A list that a document has. */
export interface DocumentList {
  readonly name: ListName;
  readonly items: readonly unknown[];
  /** Where in the document an item stands. */
  readonly placeOf: (index: number) => string;
}

/** The lists that a document has, or what is wrong with it as a whole. */
export function listsOf(content: unknown): DocumentList[] | string {
  if (!isObject(content)) return 'must be a JSON object';
  if ('data' in content) return publicListsOf(content['data']);
  // The public list of an image model's endpoints is wrapped in nothing.
  if (typeof content['id'] === 'string' && 'endpoints' in content) {
    return [{ name: 'image_endpoints', items: [content], placeOf: () => 'the list of endpoints' }];
  }
  const known = LIST_NAMES.filter((name) => name in content);
  if (known.length === 0) return `has none of data, ${LIST_NAMES.join(', ')}`;
  const misshapen = known.filter((name) => !Array.isArray(content[name]));
  if (misshapen.length > 0) return `${misshapen.join(' and ')} must be a list`;
  return known.map((name) => listed(name, name, content[name] as unknown[]));
}

function publicListsOf(data: unknown): DocumentList[] | string {
  if (Array.isArray(data)) return [listed(publicNameOf(data[0]), 'data', data)];
  if (!isObject(data)) return 'data must be a list';
  return [{ name: 'endpoints', items: [data], placeOf: () => 'data' }];
}

/** Tells the public lists apart by an entry. Image models describe what they can do by name, others list parameters. */
function publicNameOf(entry: unknown): ListName {
  if (!isObject(entry)) return 'models';
  if ('model_id' in entry) return 'zdr_endpoints';
  if ('slug' in entry && !('id' in entry)) return 'providers';
  return isObject(entry['supported_parameters']) ? 'image_models' : 'models';
}

function listed(name: ListName, place: string, items: readonly unknown[]): DocumentList {
  return { name, items, placeOf: (index) => joinPath(place, index) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
