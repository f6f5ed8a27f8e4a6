import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PERMISSIONS, type Permission } from '../../../auth/permissions.js';
import { canonicalJson } from '../../../http/canonical-json.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { type IssueWithReason, joinPath } from '../../../http/errors/issue.js';
import { insideField, requireAll } from '../../../http/errors/require-all.js';
import { Precondition } from '../../../http/precondition.js';
import { PreconditionFailed } from '../../../http/precondition.errors.js';
import { isObject } from '../../../http/validation/constraints.js';
import {
  ConfigurationChanged,
  FIELD_FIXED,
  NAMED_TWICE,
  REFUSED_CHANGE,
  SECRET_MISSING,
  UNKNOWN_REFERENCE,
} from '../configuration.errors.js';
import type { Entry } from '../document/configuration-document.js';
import { namesWithin, withNamesTranslated } from '../document/names-within.js';
import type { Reference } from '../document/references.js';
import { secretNameOf, type SecretReference, secretsIn, withSecrets } from '../document/secret-references.js';
import type { ManagedObjectEntity } from '../entities/managed-object.entity.js';
import type { ConfiguredKind, Fields, KindContext, ShownObject } from '../kinds/configured-kind.js';
import type { ConfiguredKinds } from '../kinds/configured-kinds.js';
import { Dependents, type Gone } from './dependents.js';
import type { FieldChange, PlanConflict, PlannedChange } from './configuration-plan.js';
import { fileFormOf } from './file-form.js';
import type { Found } from '../kinds/object-names.js';
import type { Inventory } from './inventory.js';
import type { ChangedRule } from './recorded-traffic.js';

/** How files are to be applied. */
export interface PlanOptions {
  readonly prune: boolean;
  readonly cascade: boolean;
  readonly adopt: boolean;
  /** Whether it is done again and again without a person: then nothing is said of new secrets, and no key is put to use again that is disabled. */
  readonly isContinuous: boolean;
  /** Secrets by the names of their sources (`env:NAME`). */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The digest of a secret at a place, which tells whether it is another one. */
export type SecretDigest = (place: readonly string[], secret: string) => string;

/** An entry with the object that it is about. */
interface Draft {
  readonly entry: Entry;
  readonly action: 'create' | 'update' | 'adopt' | 'keep';
  readonly found: Found | undefined;
  readonly managed: ManagedObjectEntity | undefined;
  readonly before: Fields;
  readonly tag: string | undefined;
  /** Fields of the entry that seem to be other ones than those of the object. */
  readonly differing: readonly string[];
  readonly digests: Readonly<Record<string, string>>;
  /** Whether its object goes on to differ from its file, because only a person may change that. */
  readonly staysDrifted: boolean;
}

/** An object of the owner that no file has any more. */
interface Removal {
  readonly kind: ConfiguredKind;
  readonly managed: ManagedObjectEntity;
  /** Undefined for one that is gone already. */
  readonly found: Found | undefined;
  readonly before: Fields;
  readonly tag: string | undefined;
  readonly dependents: readonly string[];
}

/** What has been done, or would be. */
export interface Outcome {
  readonly changes: readonly PlannedChange[];
  readonly warnings: readonly string[];
  readonly unchanged: number;
  /** Which objects the owner has now, of those that were touched. */
  readonly owned: readonly Pick<
    ManagedObjectEntity,
    'section' | 'objectId' | 'name' | 'secretDigests' | 'file' | 'driftedAt'
  >[];
  readonly released: readonly ManagedObjectEntity[];
  /** What was created or changed. */
  readonly written: readonly ChangedRule[];
  /** Secrets that were made for new keys. */
  readonly issued: readonly IssuedSecretOfKey[];
}

/** The secret of a new key that named no source: it is known only now. */
export interface IssuedSecretOfKey {
  readonly workspace: string | null;
  readonly name: string;
  readonly key: string;
}

const NO_FIELDS: Fields = {};

/** Compares files with what there is, and makes what there is that of the files. */
export class Planning {
  readonly conflicts: PlanConflict[] = [];
  private readonly issues: IssueWithReason[] = [];
  private hasBegun = false;
  private readonly drafts: Draft[] = [];
  private readonly removals: Removal[] = [];
  /** What is known of objects that are gone, and in whose place new ones come. */
  private readonly replaced: ManagedObjectEntity[] = [];

  constructor(
    private readonly kinds: ConfiguredKinds,
    private readonly entries: readonly Entry[],
    private readonly owner: string,
    private readonly options: PlanOptions,
    private readonly inventory: Inventory,
    private readonly digestOf: SecretDigest,
  ) {}

  /**
   * Finds the objects of the entries, and what is to be deleted. Reads only.
   *
   * @param managed what files of any owner configure, of the sections that the files have
   */
  async compare(context: KindContext, managed: readonly ManagedObjectEntity[]): Promise<void> {
    const byId = new Map(managed.map((one) => [`${one.section} ${one.objectId}`, one]));
    const kept = new Set<string>();
    for (const entry of this.entries) {
      const draft = await this.draftOf(context, entry, byId);
      if (draft === undefined) continue;
      this.drafts.push(draft);
      if (draft.found === undefined) await this.noteReplaced(entry, managed);
      else kept.add(`${entry.kind.section} ${draft.found.id}`);
    }
    await this.refuseNamedTwice();
    if (this.options.prune) {
      const gone = managed.filter((one) => one.owner === this.owner && !kept.has(`${one.section} ${one.objectId}`));
      await this.addRemovals(context, gone);
    }
    this.requireNoIssues();
  }

  /** Whether there is nothing to write, not even that an object is as its file says again. */
  get isEmpty(): boolean {
    return this.removals.length === 0 && this.drafts.every(isKept);
  }

  /** What the changes take. */
  get requiredPermissions(): readonly Permission[] {
    const kinds = new Set([
      ...this.drafts.filter((draft) => !isKept(draft)).map(({ entry }) => entry.kind),
      ...this.removals.map(({ kind }) => kind),
    ]);
    return this.decidesIdentity ? PERMISSIONS : [...new Set([...kinds].map(({ permission }) => permission))];
  }

  /** Whether a change says who a person or a workload is. */
  get decidesIdentity(): boolean {
    return (
      this.removals.some(({ kind }) => kind.decidesIdentity) ||
      this.drafts.some(({ entry, action }) => action !== 'keep' && entry.kind.decidesIdentity)
    );
  }

  /** The sections in which something changes. */
  get changedSections(): ReadonlySet<string> {
    return new Set([
      ...this.drafts.filter(({ action }) => action !== 'keep').map(({ entry }) => entry.kind.section),
      ...this.removals.map(({ kind }) => kind.section),
    ]);
  }

  /**
   * Makes the objects those of the files, in the transaction of the caller.
   *
   * @throws BadRequestError with what the operations refuse, by the paths in the files
   * @throws ConfigurationChanged where an object is not what {@link compare} has read
   */
  async execute(context: KindContext): Promise<Outcome> {
    // After a deadlock it is done again, and what it had created is gone.
    if (this.hasBegun) this.inventory.forget();
    this.hasBegun = true;
    this.issues.length = 0;
    const issued: IssuedSecretOfKey[] = [];
    const done = new Map<Draft, Found>();
    for (const kind of this.kinds.all) {
      for (const draft of this.drafts) {
        if (draft.entry.kind !== kind) continue;
        const found = await this.attempt(draft.entry, () =>
          this.write(actingFor(context, draft.entry.file), draft, issued),
        );
        if (found !== undefined) done.set(draft, found);
      }
    }
    for (const [draft, { shown }] of done) {
      await this.attempt(draft.entry, () => this.writeFurther(actingFor(context, draft.entry.file), draft, shown!));
    }
    this.requireNoIssues();
    for (const kind of [...this.kinds.all].reverse()) {
      for (const removal of this.removals) if (removal.kind === kind) await this.remove(context, removal);
    }
    this.requireNoIssues();
    return this.outcomeOf(context, done, issued);
  }

  /** An id that follows from what the plan does and what it has read. */
  idOf(changes: readonly PlannedChange[]): string {
    const read = [
      ...this.drafts
        .filter(({ action }) => action !== 'keep')
        .map(({ found, tag }) => [found?.id ?? null, tag ?? null]),
      ...this.removals.map(({ managed, tag }) => [managed.objectId, tag ?? null]),
    ];
    const digest = createHash('sha256')
      .update(canonicalJson([this.owner, changes, read]))
      .digest('base64url');
    return `plan_${digest.slice(0, 32)}`;
  }

  private async draftOf(
    context: KindContext,
    entry: Entry,
    managed: ReadonlyMap<string, ManagedObjectEntity>,
  ): Promise<Draft | undefined> {
    const { kind } = entry;
    const found = await this.foundFor(entry);
    if (found === 'ambiguous') return undefined;
    const one = found && managed.get(`${kind.section} ${found.id}`);
    const digests = this.digestsOf(entry);
    if (found === undefined) {
      return {
        entry,
        action: 'create',
        found,
        managed: one,
        before: NO_FIELDS,
        tag: undefined,
        differing: [],
        digests,
        staysDrifted: false,
      };
    }
    if (one !== undefined && one.owner !== this.owner) {
      this.conflict(entry, 'other_owner', `${found.id} belongs to ${one.owner}`);
      return undefined;
    }
    if (one === undefined && !this.options.adopt && !kind.isImplicit(found.shown!)) {
      this.conflict(entry, 'not_managed', `${found.id} was made by other means: adopt it, or give yours another name`);
      return undefined;
    }
    const before = await fileFormOf(kind, found.shown!, context, furtherOf(entry));
    const all = await this.differingFields(context, entry, found, before, digests, one);
    const staysDrifted = this.options.isContinuous && isRevoked(entry, before);
    const differing = staysDrifted ? all.filter((field) => field !== 'disabled') : all;
    if (differing.length === 0 && entry.name === found.name) {
      const action = one === undefined ? 'adopt' : 'keep';
      return { entry, action, found, managed: one, before, tag: undefined, differing, digests, staysDrifted };
    }
    const { shown, tag } = await kind.tagged(context, found.id);
    return {
      entry,
      action: 'update',
      found: { ...found, shown },
      managed: one,
      before,
      tag,
      differing,
      digests,
      staysDrifted,
    };
  }

  /** Refuses what two entries name, and only one can have: each time that the files are applied the other one would lose it. */
  private async refuseNamedTwice(): Promise<void> {
    const holders = new Map<string, Entry>();
    for (const { entry, found } of this.drafts) {
      const workspaceId = await this.plannedWorkspaceId(entry, found);
      for (const [field, { isOfOne }] of Object.entries(entry.kind.further)) {
        if (isOfOne === undefined) continue;
        const ids = ((await this.plannedIds(entry, found, field)) ?? []) as readonly unknown[];
        for (const [index, id] of ids.entries()) {
          const place = JSON.stringify([entry.kind.section, field, id, isOfOne === 'everywhere' || workspaceId]);
          const holder = holders.get(place);
          if (holder === undefined) holders.set(place, entry);
          else if (holder !== entry) {
            const other = `${holder.kind.one} ${holder.name}`;
            this.issues.push(NAMED_TWICE.at(joinPath(entry.path, joinPath(field, index)), other));
          }
        }
      }
    }
  }

  private async noteReplaced({ kind, name }: Entry, managed: readonly ManagedObjectEntity[]): Promise<void> {
    for (const one of managed) {
      if (one.owner !== this.owner || one.section !== kind.section || one.name !== name || this.options.prune) continue;
      if ((await this.inventory.byId(kind.section, one.objectId)) === undefined) this.replaced.push(one);
    }
  }

  /** The object of an entry, by its name or its former one. */
  private async foundFor(entry: Entry): Promise<Found | 'ambiguous' | undefined> {
    const { kind, name, renamedFrom, workspace, path } = entry;
    const workspaceId = await this.workspaceIdOf(entry);
    if (workspaceId === undefined) {
      if (workspace === undefined)
        this.issues.push(UNKNOWN_REFERENCE.at(path, 'is in the default workspace, which there is none of'));
      else if (this.isMade('workspaces', workspace)) return undefined;
      else this.issues.push(UNKNOWN_REFERENCE.at(joinPath(path, 'workspace'), 'names no workspace'));
      return 'ambiguous';
    }
    const found = await this.inventory.named(kind.section, name, workspaceId);
    const former = renamedFrom === undefined ? [] : await this.inventory.named(kind.section, renamedFrom, workspaceId);
    const those = found.length > 0 ? found : former;
    if (those.length > 1) {
      const ids = those.map(({ id }) => id).join(' and ');
      this.issues.push(UNKNOWN_REFERENCE.at(path, `has a name that several objects have: ${ids}`));
      return 'ambiguous';
    }
    if (found.length > 0 && former.length > 0) {
      this.conflict(
        entry,
        'renamed_twice',
        `there are ${found[0]!.id} of the new name and ${former[0]!.id} of the former one`,
      );
      return 'ambiguous';
    }
    return those[0];
  }

  /** @returns undefined for a workspace that there is none of yet */
  private async workspaceIdOf({ kind, workspace }: Entry): Promise<string | null | undefined> {
    if (kind.workspace === 'never') return null;
    if (kind.workspace === 'none' && workspace === undefined) return null;
    return this.inventory.workspaceId(workspace);
  }

  /** Whether an entry makes an object of a name. */
  private isMade(section: string, name: string): boolean {
    return this.entries.some((entry) => entry.kind.section === section && entry.name === name);
  }

  /** The digests of the secrets of an entry, by their places. */
  private digestsOf({ kind, fields, path }: Entry): Record<string, string> {
    const digests: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (SOURCES_OF_NEW_SECRETS.has(name)) continue;
      for (const placed of secretsIn(value, [name])) {
        const source = secretNameOf(placed.reference);
        if (source === undefined) continue;
        const secret = this.options.secrets.get(source);
        if (secret === undefined) this.issues.push(SECRET_MISSING.at(`${path}.${placed.path.join('.')}`, source));
        else digests[placed.path.join('.')] = this.digestOf([kind.section, ...placed.path], secret);
      }
    }
    return digests;
  }

  private async differingFields(
    context: KindContext,
    { kind, fields }: Entry,
    found: Found,
    before: Fields,
    digests: Readonly<Record<string, string>>,
    managed: ManagedObjectEntity | undefined,
  ): Promise<string[]> {
    const differing: string[] = [];
    for (const [name, value] of Object.entries(fields)) {
      if (SOURCES_OF_NEW_SECRETS.has(name)) continue;
      const reference = kind.references[name];
      let isSame: boolean;
      if (reference !== undefined) {
        const present = kind.requestFieldsOf(found.shown!)[reference.wire] ?? null;
        isSame = isDeepStrictEqual(await this.idsMeant(reference.to, value, found.workspaceId), present);
      } else if (namesWithin(value, kind.namesWithin[name]).length > 0) {
        const further = kind.further[name];
        const present = further?.read(context, found.shown!) ?? kind.requestFieldsOf(found.shown!)[name];
        isSame = isSameValue(await this.withIdsMeant(kind, name, value, found.workspaceId), await present);
      } else isSame = hasSameSecrets(name, digests, managed) && isSameValue(value, before[name]);
      if (!isSame) differing.push(name);
    }
    return differing;
  }

  /** The value of a field with {@link idsMeant} in place of the names in it. */
  private withIdsMeant(
    kind: ConfiguredKind,
    field: string,
    value: unknown,
    workspaceId: string | null,
  ): Promise<unknown> {
    return withNamesTranslated(value, kind.namesWithin[field], ({ to, standing }) =>
      this.idsMeant(to, standing, workspaceId),
    );
  }

  /** The value of a field with ids in place of the names in it. @throws BadRequestError for names that mean nothing, or several objects */
  private withIds(kind: ConfiguredKind, field: string, value: unknown, workspaceId: string | null): Promise<unknown> {
    return withNamesTranslated(
      value,
      kind.namesWithin[field],
      ({ to, standing, path }) => this.inventory.requireMeant(to, standing as Reference, workspaceId, path),
      field,
    );
  }

  /** The ids that references stand for; one that means nothing, or several, stands as it is written. */
  private async idsMeant(to: string, value: unknown, workspaceId: string | null): Promise<unknown> {
    if (value === null) return null;
    if (Array.isArray(value))
      return Promise.all((value as unknown[]).map((one) => this.idsMeant(to, one, workspaceId)));
    const meant = await this.inventory.meant(to, value as Reference, workspaceId);
    return meant.length === 1 ? meant[0]!.id : value;
  }

  private async addRemovals(context: KindContext, gone: readonly ManagedObjectEntity[]): Promise<void> {
    const present: Gone[] = [];
    for (const managed of gone) {
      const kind = this.kinds.of(managed.section);
      if (kind === undefined) continue;
      const found = await this.inventory.byId(managed.section, managed.objectId);
      if (found === undefined) this.addRelease(kind, managed);
      else present.push({ kind, managed, found });
    }
    const planned = this.drafts.map(({ entry, found }) => ({
      kind: entry.kind,
      name: entry.name,
      id: found?.id,
      fields: entry.fields,
      idsIn: (field: string) => this.plannedIds(entry, found, field),
    }));
    const dependents = new Dependents(this.kinds, this.inventory, context, present, planned);
    for (const one of present) await this.addRemoval(context, one, dependents);
  }

  private addRelease(kind: ConfiguredKind, managed: ManagedObjectEntity): void {
    this.removals.push({ kind, managed, found: undefined, before: NO_FIELDS, tag: undefined, dependents: [] });
  }

  private async addRemoval(context: KindContext, gone: Gone, others: Dependents): Promise<void> {
    const { kind, managed, found } = gone;
    const where = { section: managed.section, workspace: await this.slugOf(found), name: found.name };
    if (!kind.isDeletable) {
      // With its workspace it goes nevertheless.
      if (others.goesWithWorkspace(found)) this.addRelease(kind, managed);
      else this.conflicts.push({ ...where, reason: 'not_deletable', detail: `the interface deletes no ${kind.one}` });
      return;
    }
    const [own, { shown, tag }] = await Promise.all([
      kind.dependents(context, found.shown!, others),
      kind.tagged(context, found.id),
    ]);
    const dependents = [...own, ...(await others.of(gone))];
    const before = await fileFormOf(kind, shown, context, new Set());
    this.removals.push({ kind, managed, found, before, tag, dependents });
    if (dependents.length > 0 && !this.options.cascade) {
      this.conflicts.push({ ...where, reason: 'has_dependents', detail: dependents.join('; ') });
    }
  }

  /** The value of a field of an entry, with ids in place of names; undefined where it has none. */
  private async plannedIds(entry: Entry, found: Found | undefined, field: string): Promise<unknown> {
    const { kind, fields } = entry;
    const value = fields[field];
    if (value === undefined) return undefined;
    const workspaceId = await this.plannedWorkspaceId(entry, found);
    const to = kind.references[field]?.to ?? kind.further[field]?.to;
    return to === undefined
      ? this.withIdsMeant(kind, field, value, workspaceId)
      : this.idsMeant(to, value, workspaceId);
  }

  /** The id of the workspace that an object is in, or will be in; null for none, and for one that there is none of yet. */
  private async plannedWorkspaceId(entry: Entry, found: Found | undefined): Promise<string | null> {
    return found === undefined ? ((await this.workspaceIdOf(entry)) ?? null) : found.workspaceId;
  }

  private async slugOf({ workspaceId }: Found): Promise<string | null> {
    if (workspaceId === null) return null;
    return (await this.inventory.byId('workspaces', workspaceId))?.name ?? null;
  }

  /** Creates or changes the object of a draft. */
  private async write(context: KindContext, draft: Draft, issued: IssuedSecretOfKey[]): Promise<Found> {
    const { entry, found, tag } = draft;
    const { kind } = entry;
    if (draft.action === 'create') return this.create(context, draft, issued);
    if (draft.action !== 'update') return found!;
    const input = await this.inputOf(entry, found!.workspaceId, draft.differing, found);
    if (entry.name !== found!.name) input[kind.identity] = entry.name;
    const isChangeable = new Set(kind.changeFields);
    const fixed = Object.keys(input).filter((name) => !isChangeable.has(name));
    if (fixed.length > 0) {
      throw BadRequestError.of(fixed.map((name) => FIELD_FIXED.at(name)));
    }
    if (Object.keys(input).length === 0) return found!;
    await kind.update(context, found!.id, input, Precondition.of(tag));
    const { shown } = await kind.tagged(context, found!.id);
    return this.inventory.put(kind, shown);
  }

  private async create(context: KindContext, { entry }: Draft, issued: IssuedSecretOfKey[]): Promise<Found> {
    const { kind } = entry;
    const workspaceId = await this.workspaceIdOf(entry);
    const input = await this.inputOf(entry, workspaceId ?? null, Object.keys(entry.fields));
    if (kind.workspace !== 'never' && workspaceId != null) input['workspace_id'] = workspaceId;
    const { created, later } = kind.inRequests(input);
    const source = (entry.fields['secret_from'] ?? entry.fields['secret_to']) as SecretReference | undefined;
    const sourceName = source && secretNameOf(source);
    const secret = sourceName === undefined ? undefined : this.options.secrets.get(sourceName);
    if (entry.fields['secret_from'] !== undefined && secret === undefined) {
      throw BadRequestError.of([SECRET_MISSING.at('secret_from', sourceName ?? 'a new key')]);
    }
    if (secret === undefined && kind.takesOwnSecret && this.options.isContinuous) {
      throw BadRequestError.of([SECRET_MISSING.at('secret_from', 'a new key')]);
    }
    const made = await kind.create(context, created, secret);
    const found = await this.inventory.put(kind, made.shown);
    if (made.issued !== undefined) {
      issued.push({ workspace: await this.slugOf(found), name: entry.name, key: made.issued });
    }
    const present = kind.requestFieldsOf(made.shown);
    const other = Object.entries(later).filter(([name, value]) => !isSameValue(value, present[name]));
    if (other.length === 0) return found;
    await kind.update(context, found.id, Object.fromEntries(other), Precondition.NONE);
    return this.inventory.put(kind, (await kind.tagged(context, found.id)).shown);
  }

  /** The body of a request with some fields of an entry. @param found the object that there is @throws BadRequestError for names that mean nothing, or several objects */
  private async inputOf(
    { kind, fields }: Entry,
    workspaceId: string | null,
    names: readonly string[],
    found?: Found,
  ): Promise<Record<string, unknown>> {
    const input: Record<string, unknown> = {};
    const issues: IssueWithReason[] = [];
    for (const name of names) {
      const value = fields[name];
      if (SOURCES_OF_NEW_SECRETS.has(name) || Object.hasOwn(kind.further, name)) continue;
      const reference = kind.references[name];
      if (reference === undefined) {
        const present = found === undefined ? undefined : (found.shown as Fields)[name];
        const sent = withSecrets(await this.withIds(kind, name, value, workspaceId), (secret, path) => {
          const source = secretNameOf(secret);
          if (source !== undefined) return this.options.secrets.get(source);
          // Its mask, sent back, keeps it.
          const mask = path.reduce((part: unknown, field) => (isObject(part) ? part[field] : undefined), present);
          if (found === undefined) issues.push(SECRET_MISSING.at([name, ...path].join('.'), 'a new object'));
          return mask;
        });
        if (sent !== undefined) input[name] = sent;
      } else if (value === null) input[reference.wire] = null;
      else if (reference.isList === true) {
        const { to, wire } = reference;
        input[wire] = await requireAll(
          (value as Reference[]).map((one, index) =>
            this.inventory.requireMeant(to, one, workspaceId, joinPath(name, index)),
          ),
        );
      } else {
        input[reference.wire] = await this.inventory.requireMeant(reference.to, value as Reference, workspaceId, name);
      }
    }
    if (issues.length > 0) throw BadRequestError.of(issues);
    return input;
  }

  private async writeFurther(context: KindContext, draft: Draft, shown: ShownObject): Promise<void> {
    const { kind, fields } = draft.entry;
    if (draft.action !== 'create' && draft.action !== 'update') return;
    for (const [name, field] of Object.entries(kind.further)) {
      if (!Object.hasOwn(fields, name)) continue;
      const workspaceId = kind.workspaceIdOf(shown);
      const present = await field.read(context, shown);
      if (isSameValue(await this.withIdsMeant(kind, name, fields[name], workspaceId), present)) continue;
      const wanted = await this.withIds(kind, name, fields[name], workspaceId);
      await insideField(name, field.write(context, shown, wanted, present));
    }
  }

  private async remove(context: KindContext, { kind, found, managed, tag, dependents }: Removal): Promise<void> {
    if (found === undefined) return;
    // It is only planned then, and the conflict says more than the refusal would.
    if (dependents.length > 0 && !this.options.cascade) return;
    try {
      await kind.delete(context, found.id, Precondition.of(tag));
    } catch (error) {
      if (error instanceof PreconditionFailed) throw new ConfigurationChanged();
      if (!(error instanceof DomainError)) throw error;
      const why = [error.explanation ?? error.reason, ...dependents].join('; ');
      this.issues.push(REFUSED_CHANGE.at(`${managed.section} ${managed.name}`, why));
    }
  }

  private async outcomeOf(
    context: KindContext,
    done: ReadonlyMap<Draft, Found>,
    issued: readonly IssuedSecretOfKey[],
  ): Promise<Outcome> {
    const changes: PlannedChange[] = [];
    const warnings: string[] = [];
    const owned: Outcome['owned'][number][] = [];
    const written: ChangedRule[] = [];
    let unchanged = 0;
    for (const [draft, found] of done) {
      const { entry, action, before, digests, managed } = draft;
      const { kind, file, name } = entry;
      const isWritten = action === 'create' || action === 'update';
      const after = isWritten ? await fileFormOf(kind, found.shown!, context, furtherOf(entry)) : before;
      const fields = isWritten ? fieldChanges(draft, after) : [];
      const isNoChange = action === 'update' && fields.length === 0;
      const shownAction = isNoChange ? (managed === undefined ? 'adopt' : 'keep') : action;
      if (shownAction === 'keep') unchanged += 1;
      else {
        const workspace = await this.slugOf(found);
        changes.push({ action: shownAction, section: kind.section, workspace, name, file, fields, dependents: [] });
        if (isWritten && !isNoChange) written.push({ section: kind.section, workspace, name, id: found.id });
      }
      if (shownAction !== 'keep' || !isRemembered(draft)) {
        const driftedAt = draft.staysDrifted ? (managed?.driftedAt ?? null) : null;
        owned.push({
          section: kind.section,
          objectId: found.id,
          name: found.name,
          secretDigests: digests,
          file,
          driftedAt,
        });
      }
      if (action === 'update') {
        warnings.push(...kind.warnings(before, after, found.shown!).map((text) => `${kind.one} ${name}: ${text}`));
      }
    }
    for (const { kind, managed, found, before, dependents } of this.removals) {
      changes.push({
        action: found === undefined ? 'release' : 'delete',
        section: kind.section,
        workspace: found === undefined ? null : await this.slugOf(found),
        name: managed.name,
        file: null,
        fields: Object.entries(before)
          .filter(([, value]) => value !== null)
          .map(([field, value]) => ({ field, before: value, after: null })),
        dependents,
      });
    }
    const released = [...this.removals.map(({ managed }) => managed), ...this.replaced];
    return { changes, warnings, unchanged, owned, released, written, issued };
  }

  /** Does the work for an entry, and remembers what it is refused for, by the path of the entry. */
  private async attempt<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PreconditionFailed) throw new ConfigurationChanged();
      if (!(error instanceof DomainError)) throw error;
      if (error instanceof BadRequestError) {
        this.issues.push(
          ...error.issues.map((issue) => ({
            ...issue,
            reason: error.reason,
            path: joinPath(entry.path, entry.kind.fileFieldOf(issue.path)),
          })),
        );
      } else this.issues.push(REFUSED_CHANGE.at(entry.path, error.explanation ?? error.reason));
      return undefined;
    }
  }

  private conflict({ kind, workspace, name }: Entry, reason: PlanConflict['reason'], detail: string): void {
    this.conflicts.push({ section: kind.section, workspace: workspace ?? null, name, reason, detail });
  }

  private requireNoIssues(): void {
    if (this.issues.length > 0) throw BadRequestError.of(this.issues);
  }
}

/** The further fields that an entry has. */
function furtherOf({ kind, fields }: Entry): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => Object.hasOwn(kind.further, name)));
}

/** What is another value now, among all that a file can have. @param after the object as a file has it */
function fieldChanges({ entry, before, digests, managed, action }: Draft, after: Fields): FieldChange[] {
  const isGiven = (field: string): boolean => Object.hasOwn(entry.fields, field) || field === 'workspace';
  const values = Object.entries(after)
    .filter(([field, value]) =>
      action === 'create' ? isGiven(field) && value !== null : !isDeepStrictEqual(value, before[field]),
    )
    .map(([field, value]) => ({ field, before: before[field] ?? null, after: value }));
  const secrets = Object.entries(digests)
    .filter(([place, digest]) => managed?.secretDigests[place] !== digest)
    .map(([place, digest]) => ({ field: place, before: managed?.secretDigests[place] ?? null, after: digest }));
  return [...values, ...secrets];
}

/** The context of an object of a file: the audit trail tells the file. */
function actingFor(context: KindContext, file: string): KindContext {
  const { caller } = context;
  return caller.files === undefined ? context : { ...context, caller: { ...caller, files: { ...caller.files, file } } };
}

/** Whether a key was taken out of use that its file has in use. */
function isRevoked({ kind, fields }: Entry, before: Fields): boolean {
  return kind.section === 'keys' && before['disabled'] === true && fields['disabled'] === false;
}

/** Fields that say where the secret of a new key comes from, or goes to. */
const SOURCES_OF_NEW_SECRETS = new Set(['secret_from', 'secret_to']);

/** Whether there is nothing to write of an entry, not even that its object is as its file says again. */
function isKept(draft: Draft): boolean {
  return draft.action === 'keep' && isRemembered(draft);
}

/** Whether what is known of an object says what its file says. */
function isRemembered({ entry, managed, digests, staysDrifted }: Draft): boolean {
  if (managed === undefined) return false;
  const { driftedAt, file, name, secretDigests } = managed;
  return (
    (driftedAt === null || staysDrifted) &&
    file === entry.file &&
    name === entry.name &&
    isDeepStrictEqual(digests, secretDigests)
  );
}

function hasSameSecrets(
  name: string,
  digests: Readonly<Record<string, string>>,
  managed: ManagedObjectEntity | undefined,
): boolean {
  return Object.entries(digests)
    .filter(([place]) => place === name || place.startsWith(`${name}.`))
    .every(([place, digest]) => managed?.secretDigests[place] === digest);
}

/**
 * Whether a value of a file is that of an object. What a file leaves out of an object is not compared, nor are secrets, whose digests are;
 * times are compared as such.
 */
function isSameValue(wanted: unknown, present: unknown): boolean {
  if (secretsIn(wanted).length > 0 && !isObject(present)) return true;
  if (isObject(wanted) && isObject(present)) {
    return Object.entries(wanted).every(([name, value]) =>
      secretsIn(value).some(({ path }) => path.length === 0) ? true : isSameValue(value, present[name]),
    );
  }
  if ((wanted ?? null) === null) return (present ?? null) === null;
  if (typeof wanted === 'string' && typeof present === 'string' && TIME.test(wanted)) {
    return Date.parse(wanted) === Date.parse(present);
  }
  return isDeepStrictEqual(wanted, present);
}

const TIME = /^\d{4}-\d\d-\d\dT/;
