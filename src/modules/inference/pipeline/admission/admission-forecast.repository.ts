import { Injectable } from '@nestjs/common';
import { Statements } from '../../../../persistence/statements.js';
import {
  type HypotheticalAssignment,
  hypotheticalStatement,
  hypotheticalValues,
} from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { ADMISSION_STATE, admissionStateValues, type Spender } from '../../../spend/admission-state.repository.js';
import { type BlockRow, BLOCKS, blocksValues } from '../../../spend/blocks/blocks.repository.js';
import { COUNTER_STATES, counterStatesValues } from '../../../limits/limit-counters.js';
import type { RequestedCounter } from '../../../spend/counted-decision.js';
import { CounterPlaces, OpenCounters } from '../../../spend/open-counters.js';
import { OpenLimits } from '../../../spend/open-limits.js';

/** What decides about the admission of a request of one key, if another guardrail were assigned. */
export const ADMISSION_STATE_HYPOTHETICAL = hypotheticalStatement(
  'spend_admission_state_hypothetical',
  ADMISSION_STATE,
  {
    id: '($2::uuid[])[1]',
    parameters: 5,
  },
);

/** Reads what is left of limits, with a hypothetical assignment. Nothing is locked: the next request may find less. */
@Injectable()
export class AdmissionForecastRepository {
  constructor(private readonly statements: Statements) {}

  async limitsOf(organizationId: string, spender: Spender, hypothetical: HypotheticalAssignment): Promise<OpenLimits> {
    const state = await this.statements.first(ADMISSION_STATE_HYPOTHETICAL, [
      ...admissionStateValues(organizationId, [spender]),
      ...hypotheticalValues(organizationId, spender.keyId, hypothetical),
    ]);
    const open = new OpenLimits(state?.limits ?? [], state?.reserved ?? []);
    for (const block of await this.blocksOf(organizationId, [spender])) open.giveBack(block);
    return open;
  }

  /** @param asked at least one */
  async countersOf(organizationId: string, keyId: string, asked: readonly RequestedCounter[]): Promise<OpenCounters> {
    const places = new CounterPlaces(asked.map(({ counter }) => ({ counter, keyId })));
    const values = counterStatesValues(organizationId, places.places, places.keyIds);
    const state = (await this.statements.first(COUNTER_STATES, values))!;
    const open = new OpenCounters(places, state.counters, state.populations ?? []);
    for (const { holds } of await this.blocksOf(organizationId, [])) open.giveBack(holds ?? []);
    return open;
  }

  /** What blocks hold is left to every request that needs it. */
  private async blocksOf(organizationId: string, spenders: readonly Spender[]): Promise<BlockRow[]> {
    return this.statements.rows(BLOCKS, blocksValues(organizationId, spenders));
  }
}
