import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';

/** The options of each provider are an object (docs/interface/audio.md#options-of-a-provider). */
export function optionRules({ provider: preferences }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const options = isObject(preferences) ? preferences['options'] : undefined;
  if (!isObject(options)) return [];
  return Object.entries(options)
    .filter(([, fields]) => !isObject(fields))
    .map(([slug]) => ({ path: joinPath('provider.options', slug.toWellFormed()), message: 'must be object' }));
}
