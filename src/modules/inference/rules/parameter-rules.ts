import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { codePointsOf, isObject } from '../../../http/validation/constraints.js';
import { objectRules } from './object-rules.js';
import { pluginRules } from './plugin-rules.js';
import { preferenceRules } from './preference-rules.js';

type Body = Readonly<Record<string, unknown>>;

const MAXIMUM_STOPS = 4;

const MAXIMUM_BIAS = 100;

const METADATA = { entries: 16, name: 64, value: 512 } as const;

/** What fields by themselves cannot say (docs/interface/inference.md#parameters). */
export function parameterRules(body: Body): IssueWithReason[] {
  return [
    ...stopIssues(body.stop),
    ...biasIssues(body.logit_bias),
    ...metadataIssues(body.metadata),
    ...effortIssues(body),
    ...objectRules(body),
    ...pluginRules(body),
    ...preferenceRules(body),
  ];
}

function stopIssues(stop: unknown): IssueWithReason[] {
  const isList = Array.isArray(stop) && stop.length <= MAXIMUM_STOPS && stop.every((text) => typeof text === 'string');
  if (stop === undefined || stop === null || typeof stop === 'string' || isList) return [];
  return [{ path: 'stop', message: `must be a text, or a list of at most ${MAXIMUM_STOPS} texts` }];
}

function biasIssues(bias: unknown): IssueWithReason[] {
  if (!isObject(bias)) return [];
  return Object.entries(bias)
    .filter(([, value]) => typeof value !== 'number' || !(Math.abs(value) <= MAXIMUM_BIAS))
    .map(([token]) => ({
      path: joinPath('logit_bias', token),
      message: `must be a number from -${MAXIMUM_BIAS} to ${MAXIMUM_BIAS}`,
    }));
}

function metadataIssues(metadata: unknown): IssueWithReason[] {
  if (!isObject(metadata)) return [];
  const entries = Object.entries(metadata);
  if (entries.length > METADATA.entries) {
    return [{ path: 'metadata', message: `must not have more than ${METADATA.entries} entries` }];
  }
  return entries.flatMap(([name, value]) => {
    const path = joinPath('metadata', name);
    if (!hasAtMost(name, METADATA.name) || /[[\]]/.test(name)) {
      return [{ path, message: `must have a name of at most ${METADATA.name} characters, without brackets` }];
    }
    const isText = typeof value === 'string' && hasAtMost(value, METADATA.value);
    return isText ? [] : [{ path, message: `must be a text of at most ${METADATA.value} characters` }];
  });
}

/** A text of more than twice as many code units has too many characters, and need not be counted. */
function hasAtMost(text: string, characters: number): boolean {
  return text.length <= 2 * characters && codePointsOf(text) <= characters;
}

function effortIssues({ reasoning_effort: effort, reasoning }: Body): IssueWithReason[] {
  if (!isObject(reasoning) || typeof effort !== 'string' || typeof reasoning.effort !== 'string') return [];
  return effort === reasoning.effort ? [] : [{ path: 'reasoning_effort', message: 'contradicts reasoning.effort' }];
}
