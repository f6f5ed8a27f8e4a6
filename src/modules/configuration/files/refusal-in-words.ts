import type { Issue } from '../../../http/errors/issue.js';
import type { ConfigurationFiles } from './configuration-files.js';

/**
 * Why files are refused, in words: one reason on each line, with file and line where they are known.
 *
 * @param metadata of the error
 * @returns an empty text where it says no more than the error does
 */
export function refusalInWords(
  metadata: Readonly<Record<string, unknown>>,
  files: ConfigurationFiles | undefined,
): string {
  const {
    issues = [],
    conflicts = [],
    required = [],
  } = metadata as {
    issues?: readonly Issue[];
    conflicts?: readonly { section: string; name: string; reason: string; detail: string }[];
    required?: readonly string[];
  };
  return [
    ...(issues.length === 0
      ? []
      : [files?.explain(issues) ?? issues.map((one) => `${one.path} ${one.message}`).join('\n')]),
    ...conflicts.map(({ section, name, reason, detail }) => `${section} ${name}: ${reason}: ${detail}`),
    ...(required.length === 0 ? [] : [`It takes these permissions: ${required.join(', ')}.`]),
  ].join('\n');
}
