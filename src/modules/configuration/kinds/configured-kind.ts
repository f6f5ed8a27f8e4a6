import type { Permission } from '../../../auth/permissions.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { tagOfAnswer } from '../../../http/entity-tags.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';
import type { Precondition } from '../../../http/precondition.js';
import { isObject } from '../../../http/validation/constraints.js';
import { type DtoClass, fieldsOf } from '../../../http/validation/dto-fields.js';
import type { FindNames } from '../document/names-within.js';
import { KEEP } from '../document/secret-references.js';
import type { ObjectNames } from './object-names.js';

/** Fields by their names: of a file, or of the interface. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object as the interface shows it. */
export type ShownObject = object;

/** What a name in a file stands for: another object, where the interface has its id. */
export interface ReferenceField {
  /** The section of the objects that it names, or a list that files do not have. */
  readonly to: string;
  /** The field of the interface that has the id. */
  readonly wire: string;
  readonly isList?: boolean;
}

/** What a kind needs to read and change objects. */
export interface KindContext {
  readonly caller: ManagementPrincipal;
  /** What there is, with what the plan has created until now. */
  readonly inventory: ObjectNames;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** A field of files that the interface has as objects or operations of their own, as the budgets of a workspace. */
export interface FurtherField {
  /** The section of the objects that it names, if it names any. */
  readonly to?: string;
  /** Whether what it names can be of one object alone, or of one of each workspace; undefined for any number. */
  readonly isOfOne?: 'everywhere' | 'in a workspace';
  /** Its form, for editors; what {@link issues} says counts. */
  readonly schema: JsonSchema;
  /** The class of its items, if the schema refers to one. */
  readonly items?: DtoClass;
  /** What is wrong with the form of a value, by the path in it. */
  readonly issues: (value: unknown) => readonly IssueWithReason[];
  /** The value of an object, as a file has it. */
  readonly read: (context: KindContext, shown: ShownObject) => Promise<unknown>;
  /** Makes the value of an object that of a file. */
  readonly write: (context: KindContext, shown: ShownObject, wanted: unknown, present: unknown) => Promise<void>;
}

/** What there is of other objects once a plan is applied. */
export interface PlannedObjects {
  isGone(section: string, id: string): boolean;
  /** The fields of the entry of an object; undefined for one that is in no file. */
  entryOf(section: string, id: string): Fields | undefined;
}

/** Which objects of a section matter: those of some names, and those of some ids. */
export interface WantedObjects {
  readonly names: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

/** An object with the tag of its settings (docs/interface/conventions.md#conditional-requests). */
export interface TaggedObject {
  readonly shown: ShownObject;
  /** Undefined where the interface has none. */
  readonly tag: string | undefined;
}

/** An object that was created. */
export interface MadeObject {
  readonly shown: ShownObject;
  /** Its secret, where the service has made one. */
  readonly issued: string | undefined;
}

/** An answer with one object. */
export interface ObjectAnswer {
  readonly data: object;
}

/**
 * A kind of object that files configure (docs/configuration.md). What files have in it follows from the classes of the requests that create and
 * change it: ids are names, and secrets say where they are from.
 */
export abstract class ConfiguredKind {
  /** The list in files, and the first part of the paths of issues. */
  abstract readonly section: string;
  /** What one is called. */
  abstract readonly one: string;
  /** What it takes to change one. */
  abstract readonly permission: Permission;
  /** Whether it says who a person or a workload is, which takes all permissions (docs/interface/permissions.md#who-a-person-is). */
  readonly decidesIdentity: boolean = false;
  /** The field that names one, among those of its workspace. */
  readonly identity: string = 'name';
  /** Whether one is in a workspace: always, the default one without a word; in none without a word; or never. */
  readonly workspace: 'default' | 'none' | 'never' = 'never';
  abstract readonly creation: DtoClass;
  abstract readonly change: DtoClass;
  /** Names in files, by their fields there. */
  readonly references: Readonly<Record<string, ReferenceField>> = {};
  /** Where names stand in the values of other fields, also of {@link further} ones: these have ids there when they are read and written. */
  readonly namesWithin: Readonly<Record<string, FindNames>> = {};
  /** The fields all of which is secret: a text, or the values of an object. */
  readonly secrets: readonly string[] = [];
  /** Fields of requests that files do not have. */
  readonly omitted: readonly string[] = [];
  readonly further: Readonly<Record<string, FurtherField>> = {};
  /** Whether the interface deletes one. */
  readonly isDeletable: boolean = true;

  /** All objects of the kind in the organization. @param wanted the only ones that matter; only kinds with very many objects heed it */
  abstract list(context: KindContext, wanted: WantedObjects | undefined): Promise<readonly ShownObject[]>;

  /** All objects of the kind in a workspace. */
  async ofWorkspace(context: KindContext, workspaceId: string): Promise<readonly ShownObject[]> {
    return (await this.list(context, undefined)).filter((shown) => this.workspaceIdOf(shown) === workspaceId);
  }

  protected abstract get(context: KindContext, id: string): Promise<ObjectAnswer>;
  protected abstract make(context: KindContext, input: Fields, secret: string | undefined): Promise<ObjectAnswer>;
  abstract update(context: KindContext, id: string, input: Fields, precondition: Precondition): Promise<unknown>;
  abstract delete(context: KindContext, id: string, precondition: Precondition): Promise<unknown>;

  /** What the interface has of an object, in the form of requests. Masks become {@link KEEP}. */
  requestFieldsOf(shown: ShownObject): Fields {
    const fields = shown as Fields;
    const kept = this.secrets
      .filter((name) => Object.hasOwn(fields, name))
      .map((name) => [name, keptSecrets(fields[name])] as const);
    return { ...fields, ...Object.fromEntries(kept) };
  }

  /** Whether it is there without anybody having made it, so that nobody's is taken over. */
  isImplicit(_shown: ShownObject): boolean {
    return false;
  }

  /** What would lose it, were it deleted, in words. */
  dependents(_context: KindContext, _shown: ShownObject, _planned: PlannedObjects): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** What people should know of a change, in words. */
  warnings(_before: Fields, _after: Fields, _shown: ShownObject): readonly string[] {
    return [];
  }

  /** Whether a text at a place in a secret that is not wholly one must come from outside of the file. */
  isSecretAt(_entry: Fields, _path: readonly string[]): boolean {
    return false;
  }

  /** What a file calls one: its identity, or what is made of several fields. */
  nameInFile(entry: Fields): string {
    return entry[this.identity] as string;
  }

  /** Whether the secret of a new one may come from outside. */
  readonly takesOwnSecret: boolean = false;

  idOf(shown: ShownObject): string {
    return (shown as { readonly id: string }).id;
  }

  nameOf(shown: ShownObject): string {
    return (shown as Record<string, string>)[this.identity] ?? '';
  }

  workspaceIdOf(shown: ShownObject): string | null {
    if (this.workspace === 'never') return null;
    const id = (shown as { readonly workspace_id?: string | null }).workspace_id ?? null;
    return id === '' ? null : id;
  }

  /** The object of an id, with its tag. */
  async tagged(context: KindContext, id: string): Promise<TaggedObject> {
    const answer = await this.get(context, id);
    return { shown: answer.data, tag: tagOfAnswer(answer) };
  }

  /** Creates an object. @param secret of a kind that {@link takesOwnSecret}; undefined for a new one */
  async create(context: KindContext, input: Fields, secret: string | undefined): Promise<MadeObject> {
    const answer = await this.make(context, input, secret);
    const issued = 'key' in answer && typeof answer.key === 'string' && secret === undefined ? answer.key : undefined;
    return { shown: answer.data, issued };
  }

  /** The fields of requests that files have under the same name. */
  get fields(): ReadonlySet<string> {
    const replaced = new Set([
      'workspace_id',
      ...Object.values(this.references).map(({ wire }) => wire),
      ...this.omitted,
    ]);
    const all = [...fieldsOf(this.creation).keys(), ...fieldsOf(this.change).keys()];
    return new Set(all.filter((name) => !replaced.has(name)));
  }

  /** The fields of a request that creates one. */
  get creationFields(): readonly string[] {
    return [...fieldsOf(this.creation).keys()];
  }

  /** The fields of a request that changes one. */
  get changeFields(): readonly string[] {
    return [...fieldsOf(this.change).keys()];
  }

  /** The fields of a request that creates one, and those that only a change may have. */
  inRequests(fields: Fields): { readonly created: Fields; readonly later: Fields } {
    const isOfCreation = new Set(this.creationFields);
    const all = Object.entries(fields);
    return {
      created: Object.fromEntries(all.filter(([name]) => isOfCreation.has(name))),
      later: Object.fromEntries(all.filter(([name]) => !isOfCreation.has(name))),
    };
  }

  /** The path of an issue of a request, as a file has it. */
  fileFieldOf(path: string): string {
    if (this.takesOwnSecret && path === 'secret') return 'secret_from';
    const reference = Object.entries(this.references).find(
      ([, { wire }]) => path === wire || path.startsWith(`${wire}[`),
    );
    return reference === undefined ? path : path.replace(reference[1].wire, reference[0]);
  }
}

/** All objects of a list of the interface. */
export async function everyPage<Item>(
  list: (page: { readonly limit: number; readonly offset: number }) => Promise<{ readonly data: readonly Item[] }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const { data } = await list({ limit: PAGE, offset: items.length });
    items.push(...data);
    if (data.length < PAGE) return items;
  }
}

const PAGE = 100;

/** In place of a mask, or of each mask in an object. */
function keptSecrets(masks: unknown): unknown {
  if (typeof masks === 'string') return KEEP;
  if (!isObject(masks)) return null;
  const names = Object.keys(masks);
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, KEEP]));
}
