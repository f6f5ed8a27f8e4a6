import type { ConfiguredKind, KindContext, ShownObject, WantedObjects } from '../kinds/configured-kind.js';
import type { ConfiguredKinds } from '../kinds/configured-kinds.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { isUuid } from '../../../persistence/identifiers.js';
import { UNKNOWN_REFERENCE } from '../configuration.errors.js';
import type { Reference } from '../document/references.js';
import type { Found, ObjectNames } from '../kinds/object-names.js';

const NOTHING_WANTED: WantedObjects = { names: new Set(), ids: new Set() };

/** The objects of an organization by what files call them, read as far as they are asked for. */
export class Inventory implements ObjectNames {
  private readonly lists = new Map<string, Promise<Found[]>>();

  constructor(
    private readonly kinds: ConfiguredKinds,
    private readonly contextOf: () => KindContext,
    /** What files mention and the owner has, by section: of kinds with very many objects only these are read. Undefined for all. */
    private readonly wanted: ReadonlyMap<string, WantedObjects> | undefined,
  ) {}

  /** Reads anew what is asked for from now on. */
  forget(): void {
    this.lists.clear();
  }

  all(section: string): Promise<Found[]> {
    const known = this.lists.get(section);
    if (known !== undefined) return known;
    const list = this.read(section);
    this.lists.set(section, list);
    return list;
  }

  /** The objects of a name. @param workspaceId where to look; undefined for everywhere */
  async named(section: string, name: string, workspaceId: string | null | undefined): Promise<Found[]> {
    const all = await this.all(section);
    return all.filter((one) => one.name === name && (workspaceId === undefined || one.workspaceId === workspaceId));
  }

  async byId(section: string, id: string): Promise<Found | undefined> {
    return (await this.all(section)).find((one) => one.id === id);
  }

  /** Adds what the plan has created, or replaces what it has changed. */
  async put(kind: ConfiguredKind, shown: ShownObject): Promise<Found> {
    const found = foundOf(kind, shown);
    const list = await this.all(kind.section);
    const index = list.findIndex(({ id }) => id === found.id);
    if (index === -1) list.push(found);
    else list[index] = found;
    return found;
  }

  /** The id of the workspace of a slug; undefined for none. Without a slug, that of the default workspace. */
  async workspaceId(slug: string | undefined): Promise<string | undefined> {
    const all = await this.all('workspaces');
    return all.find(({ name, shown }) => (slug === undefined ? isDefault(shown) : name === slug))?.id;
  }

  async workspaceSlug(id: string): Promise<string | undefined> {
    const workspace = await this.byId('workspaces', id);
    return workspace === undefined || isDefault(workspace.shown) ? undefined : workspace.name;
  }

  /**
   * The objects that a reference may mean.
   *
   * @param workspaceId of the entry, where a name is looked for first; null for none
   */
  async meant(to: string, reference: Reference, workspaceId: string | null): Promise<readonly Found[]> {
    if (typeof reference !== 'string') {
      const id = await this.workspaceId(reference.workspace);
      return id === undefined ? [] : this.named(to, reference.name, id);
    }
    const everywhere = await this.named(to, reference, undefined);
    const here = everywhere.filter((one) => one.workspaceId === workspaceId);
    return here.length > 0 ? here : everywhere;
  }

  async requireMeant(to: string, reference: Reference, workspaceId: string | null, path = ''): Promise<string> {
    const [meant, ...others] = await this.meant(to, reference, workspaceId);
    if (meant === undefined) {
      const hint = typeof reference === 'string' && hasFormOfId(reference) ? ': files have names in place of ids' : '';
      throw BadRequestError.of([UNKNOWN_REFERENCE.at(path, `names none of ${to}${hint}`)]);
    }
    if (others.length === 0) return meant.id;
    const ids = [meant, ...others].map(({ id }) => id).join(' and ');
    throw BadRequestError.of([UNKNOWN_REFERENCE.at(path, `names several of ${to}: ${ids}`)]);
  }

  async referenceTo(to: string, id: string, workspaceId: string | null): Promise<Reference> {
    const found = await this.byId(to, id);
    if (found === undefined) return id;
    const meant = await this.meant(to, found.name, workspaceId);
    if (meant.length === 1 && meant[0]!.id === id) return found.name;
    const workspace = found.workspaceId === null ? undefined : (await this.byId('workspaces', found.workspaceId))?.name;
    return workspace === undefined ? found.name : { workspace, name: found.name };
  }

  private async read(section: string): Promise<Found[]> {
    const outside = this.kinds.namesOutside(section);
    if (outside !== undefined) {
      const names = await outside.list(this.contextOf());
      return names.map((one) => ({ ...one, workspaceId: null, shown: undefined }));
    }
    const kind = this.kinds.of(section);
    if (kind === undefined) return [];
    const wanted = this.wanted && (this.wanted.get(section) ?? NOTHING_WANTED);
    return (await kind.list(this.contextOf(), wanted)).map((shown) => foundOf(kind, shown));
  }
}

function foundOf(kind: ConfiguredKind, shown: ShownObject): Found {
  return { id: kind.idOf(shown), name: kind.nameOf(shown), workspaceId: kind.workspaceIdOf(shown), shown };
}

/** Whether a text can be the id of an object, or the hash of a key. */
function hasFormOfId(text: string): boolean {
  return isUuid(text) || /^[0-9a-f]{64}$/.test(text);
}

function isDefault(shown: ShownObject | undefined): boolean {
  return (shown as { readonly is_default?: boolean } | undefined)?.is_default === true;
}
