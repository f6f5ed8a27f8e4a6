import { readingOf } from '../../../auth/permissions.js';
import { namesWithin } from '../document/names-within.js';
import type { ManagedObjectEntity } from '../entities/managed-object.entity.js';
import type { ConfiguredKind, Fields, KindContext, PlannedObjects, ShownObject } from '../kinds/configured-kind.js';
import type { ConfiguredKinds } from '../kinds/configured-kinds.js';
import type { Found } from '../kinds/object-names.js';
import type { Inventory } from './inventory.js';

/** An object that is to be deleted. */
export interface Gone {
  readonly kind: ConfiguredKind;
  readonly managed: ManagedObjectEntity;
  readonly found: Found;
}

/** An object as a file has it. */
export interface PlannedObject {
  readonly kind: ConfiguredKind;
  readonly name: string;
  /** Undefined for one that there is none of yet. */
  readonly id: string | undefined;
  readonly fields: Fields;
  /** The value of a field, with ids in place of names; undefined where the file leaves it as it is. */
  readonly idsIn: (field: string) => Promise<unknown>;
}

interface StayingObject {
  readonly name: string;
  readonly valueOf: (field: string) => Promise<unknown>;
}

/** How many objects of a kind a conflict names. */
const NAMED_OBJECTS = 20;

/** What would lose the objects that a plan deletes: what names them, and what is in them. What goes in the same plan loses nothing. */
export class Dependents implements PlannedObjects {
  private readonly gone: ReadonlySet<string>;
  /** The objects of files that there are already. */
  private readonly entries: ReadonlyMap<string, PlannedObject>;
  /** What names an object, by that. */
  private naming: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(
    private readonly kinds: ConfiguredKinds,
    private readonly inventory: Inventory,
    private readonly context: KindContext,
    private readonly objects: readonly Gone[],
    private readonly planned: readonly PlannedObject[],
  ) {
    this.gone = new Set(objects.map(({ kind, found }) => placeOf(kind.section, found.id)));
    this.entries = new Map(
      planned.flatMap((one) => (one.id === undefined ? [] : [[placeOf(one.kind.section, one.id), one] as const])),
    );
  }

  isGone(section: string, id: string): boolean {
    return this.gone.has(placeOf(section, id));
  }

  entryOf(section: string, id: string): Fields | undefined {
    return this.entries.get(placeOf(section, id))?.fields;
  }

  /** Whether the workspace of an object is to be deleted. */
  goesWithWorkspace({ workspaceId }: Found): boolean {
    return workspaceId !== null && this.isGone('workspaces', workspaceId);
  }

  /** What would lose an object, in words. */
  async of({ kind, found }: Gone): Promise<readonly string[]> {
    this.naming ??= this.allNaming();
    const naming = (await this.naming).get(placeOf(kind.section, found.id)) ?? [];
    return kind.section === 'workspaces' ? [...(await this.inside(found.id)), ...naming] : naming;
  }

  private async allNaming(): Promise<ReadonlyMap<string, readonly string[]>> {
    const sections = new Set(this.objects.map(({ kind }) => kind.section));
    const naming = new Map<string, string[]>();
    for (const kind of this.kinds.all) {
      const fields = [
        ...Object.entries(kind.references).flatMap(([field, { to }]) => (sections.has(to) ? [field] : [])),
        ...Object.keys(kind.namesWithin),
      ];
      if (fields.length === 0) continue;
      const byObject = new Map<string, string[]>();
      for (const { name, valueOf } of await this.staying(kind)) {
        const ofObject = new Map<string, string[]>();
        for (const field of fields) {
          for (const place of placesIn(kind, field, await valueOf(field))) {
            if (this.gone.has(place)) ofObject.set(place, [...(ofObject.get(place) ?? []), field]);
          }
        }
        for (const [place, those] of ofObject) {
          byObject.set(place, [...(byObject.get(place) ?? []), `${name} (${those.join(', ')})`]);
        }
      }
      for (const [place, names] of byObject) {
        naming.set(place, [...(naming.get(place) ?? []), ...this.inWords(kind, names, ', which names it')]);
      }
    }
    return naming;
  }

  /** The objects of a kind that there are afterwards, with the values of their fields then. */
  private async staying(kind: ConfiguredKind): Promise<StayingObject[]> {
    const present = (await this.inventory.all(kind.section)).filter(({ id }) => !this.isGone(kind.section, id));
    return [
      ...present.map(({ id, name, shown }) => ({
        name,
        valueOf: async (field: string) =>
          (await this.entries.get(placeOf(kind.section, id))?.idsIn(field)) ?? this.present(kind, shown!, field),
      })),
      ...this.planned
        .filter((one) => one.kind === kind && one.id === undefined)
        .map(({ name, idsIn }) => ({ name, valueOf: idsIn })),
    ];
  }

  /** The value of a field of an object as it is. */
  private present(kind: ConfiguredKind, shown: ShownObject, field: string): unknown {
    const { [field]: reference } = kind.references;
    const { [field]: further } = kind.further;
    return further?.read(this.context, shown) ?? kind.requestFieldsOf(shown)[reference?.wire ?? field];
  }

  /** What is in a workspace. */
  private async inside(workspaceId: string): Promise<string[]> {
    const inside: string[] = [];
    for (const kind of this.kinds.all) {
      if (kind.workspace === 'never') continue;
      const those = (await kind.ofWorkspace(this.context, workspaceId)).filter(
        (shown) => !kind.isImplicit(shown) && !this.isGone(kind.section, kind.idOf(shown)),
      );
      const names = those.map((shown) => kind.nameOf(shown)).sort();
      inside.push(...this.inWords(kind, names));
    }
    return inside;
  }

  /** Objects of a kind in words; without their names for a caller who may not read these. */
  private inWords(kind: ConfiguredKind, names: readonly string[], what = ''): string[] {
    if (names.length === 0) return [];
    const mayRead = this.context.caller.permissions.has(readingOf(kind.permission));
    const shown = mayRead ? names.slice(0, NAMED_OBJECTS) : [];
    const left = names.length - shown.length;
    const others = shown.length === 0 ? `${left} of ${kind.section}` : `${left} more of ${kind.section}`;
    return [...shown.map((name) => `${kind.one} ${name}${what}`), ...(left === 0 ? [] : [`${others}${what}`])];
  }
}

/** The places of what the value of a field names, by ids. */
function placesIn(kind: ConfiguredKind, field: string, value: unknown): ReadonlySet<string> {
  const { [field]: reference } = kind.references;
  const named =
    reference === undefined
      ? namesWithin(value, kind.namesWithin[field]).map(({ to, standing }) => ({ to, id: standing }))
      : [value ?? []].flat().map((id) => ({ to: reference.to, id }));
  return new Set(named.map(({ to, id }) => placeOf(to, String(id))));
}

function placeOf(section: string, id: string): string {
  return `${section} ${id}`;
}
