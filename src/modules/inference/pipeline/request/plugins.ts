/** The steps of processing that the gateway has, by the ids of the public interface (docs/interface/inference.md#plugins). */
export const PLUGINS = ['context-compression', 'response-healing'] as const;

export type PluginId = (typeof PLUGINS)[number];

/** What a plugin did to a request, for the metadata of its routing. */
export interface PluginStage {
  readonly id: PluginId;
  /** What was done, in one line and without content of the conversation. */
  readonly summary: string;
  readonly data: Readonly<Record<string, number>>;
}

/** The earlier name of context compression, in `transforms`. */
export const MIDDLE_OUT = 'middle-out';

/** The fields of a body that ask for plugins. */
interface PluginFields {
  readonly plugins?: readonly Readonly<Record<string, unknown>>[] | null;
  readonly transforms?: unknown;
}

/** Whether a well-formed body asks for a plugin. */
export function asksFor({ plugins, transforms }: PluginFields, plugin: PluginId): boolean {
  const named = plugins?.findLast(({ id }) => id === plugin);
  if (named !== undefined) return named['enabled'] !== false;
  return plugin === 'context-compression' && Array.isArray(transforms) && transforms.includes(MIDDLE_OUT);
}
