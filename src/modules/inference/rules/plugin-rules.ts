import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';
import { MIDDLE_OUT, PLUGINS } from '../pipeline/request/plugins.js';

type Body = Readonly<Record<string, unknown>>;

const KNOWN: ReadonlySet<unknown> = new Set(PLUGINS);

/**
 * A plugin that the gateway does not have is an issue unless it is switched off: an answer without a search or a moderation that was
 * asked for would look like one with it (docs/interface/inference.md#plugins).
 */
export function pluginRules({ plugins, transforms }: Body): IssueWithReason[] {
  return [
    ...(Array.isArray(plugins) ? (plugins as unknown[]).flatMap(pluginIssues) : []),
    ...transformIssues(transforms),
  ];
}

function pluginIssues(plugin: unknown, index: number): IssueWithReason[] {
  const path = joinPath('plugins', index);
  if (!isObject(plugin)) return [];
  const { id, enabled, engine } = plugin;
  if (typeof id !== 'string') return [{ path: joinPath(path, 'id'), message: 'must be string' }];
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    return [{ path: joinPath(path, 'enabled'), message: 'must be boolean' }];
  }
  if (enabled === false) return [];
  if (!KNOWN.has(id)) {
    return [
      { path: joinPath(path, 'id'), message: `is not a plugin of this gateway, which has ${PLUGINS.join(' and ')}` },
    ];
  }
  const isOtherEngine = id === 'context-compression' && engine !== undefined && engine !== MIDDLE_OUT;
  return isOtherEngine ? [{ path: joinPath(path, 'engine'), message: `must be ${MIDDLE_OUT}` }] : [];
}

function transformIssues(transforms: unknown): IssueWithReason[] {
  if (transforms === undefined || transforms === null) return [];
  const isKnown = Array.isArray(transforms) && transforms.every((name) => name === MIDDLE_OUT);
  return isKnown ? [] : [{ path: 'transforms', message: `must be a list with ${MIDDLE_OUT}, or an empty one` }];
}
