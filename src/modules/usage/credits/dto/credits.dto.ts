import { DataOf } from '../../../../http/openapi/response-envelopes.js';
import { NumberField } from '../../../../http/validation/fields.js';

/** What may be spent, and what was. Gatehouse sells no credits: one is a US dollar at list price. */
export class Credits {
  @NumberField({
    description: 'The sum of the lifetime budgets of all workspaces in US dollars; 0 if no workspace has one.',
    example: 1000,
    minimum: 0,
  })
  total_credits: number;

  @NumberField({
    description:
      "What all keys, including deleted ones, have ever spent in US dollars through the gateway's provider keys. Spend through the organization's own provider keys is not included.",
    example: 412.375,
    minimum: 0,
  })
  total_usage: number;
}

/** The answer to getCredits. */
export class CreditsResponse extends DataOf(Credits) {}
