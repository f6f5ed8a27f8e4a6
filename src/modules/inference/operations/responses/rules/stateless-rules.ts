import type { IssueWithReason } from '../../../../../http/errors/issue.js';

type Body = Readonly<Record<string, unknown>>;

/** Fields that say no with false as well as with null. */
const SWITCHES: ReadonlySet<string> = new Set(['store', 'background']);

/** What would have to be stored, by field (docs/interface/responses.md#stateless). */
const STORED: Readonly<Record<string, string>> = {
  store: 'must be false: answers are not stored',
  background: 'must be false: answers are not stored',
  previous_response_id: 'must be null: answers are not stored, send the whole conversation as input',
  conversation: 'must be null: conversations are not stored, send the whole conversation as input',
  prompt: 'must be null: prompts are not stored, use a preset',
};

/** Refuses requests that need something stored from an earlier request, because nothing is. */
export function statelessRules(body: Body): IssueWithReason[] {
  return Object.entries(STORED)
    .filter(([field]) => Object.hasOwn(body, field) && body[field] !== null)
    .filter(([field]) => !(SWITCHES.has(field) && body[field] === false))
    .map(([path, message]) => ({ path, message }));
}
