import { withNamesTranslated } from '../document/names-within.js';
import type { ConfiguredKind, Fields, KindContext, ShownObject } from '../kinds/configured-kind.js';

/**
 * An object as a file has it: names in place of ids, and no secrets.
 *
 * @param further the further fields to read; undefined for all
 */
export async function fileFormOf(
  kind: ConfiguredKind,
  shown: ShownObject,
  context: KindContext,
  further?: ReadonlySet<string>,
): Promise<Fields> {
  const { inventory } = context;
  const has = kind.requestFieldsOf(shown);
  const workspaceId = kind.workspaceIdOf(shown);
  const form: Record<string, unknown> = {};
  const named = (name: string, value: unknown): Promise<unknown> =>
    withNamesTranslated(value, kind.namesWithin[name], ({ to, standing: id }) =>
      inventory.referenceTo(to, id as string, workspaceId),
    );
  if (kind.identity in has) form[kind.identity] = has[kind.identity];
  const workspace = workspaceId === null ? undefined : await inventory.workspaceSlug(workspaceId);
  if (workspace !== undefined) form['workspace'] = workspace;
  for (const name of kind.fields) {
    if (has[name] !== undefined) form[name] = await named(name, has[name]);
  }
  for (const [name, { to, wire, isList = false }] of Object.entries(kind.references)) {
    const ids = has[wire] ?? null;
    if (ids === null) form[name] = null;
    else if (isList) {
      form[name] = await Promise.all((ids as string[]).map((id) => inventory.referenceTo(to, id, workspaceId)));
    } else form[name] = await inventory.referenceTo(to, ids as string, workspaceId);
  }
  for (const [name, field] of Object.entries(kind.further)) {
    if (further?.has(name) !== false) form[name] = await named(name, await field.read(context, shown));
  }
  return form;
}
