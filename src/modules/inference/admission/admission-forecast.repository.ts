import { Injectable } from '@nestjs/common';
import { Statements } from '../../../persistence/statements.js';
import {
  type Supposition,
  supposingStatement,
  suppositionValues,
} from '../../guardrails/effective-policy/supposed-assignment.js';
import { ADMISSION_STATE, admissionStateValues, type Spender } from '../../spend/admission-state.repository.js';
import { OpenLimits } from '../../spend/open-limits.js';

/** What decides about the admission of a request of one key, if another guardrail were assigned. */
export const ADMISSION_STATE_SUPPOSED = supposingStatement('spend_admission_state_supposed', ADMISSION_STATE, {
  id: '($2::uuid[])[1]',
  parameters: 5,
});

/** Reads what is left of limits under a supposition. Nothing is locked: what is read may be otherwise a moment later. */
@Injectable()
export class AdmissionForecastRepository {
  constructor(private readonly statements: Statements) {}

  /** The limits of one spender. */
  async limitsOf(organizationId: string, spender: Spender, supposition: Supposition): Promise<OpenLimits> {
    const state = await this.statements.first(ADMISSION_STATE_SUPPOSED, [
      ...admissionStateValues(organizationId, [spender]),
      ...suppositionValues(organizationId, spender.keyId, supposition),
    ]);
    return new OpenLimits(state?.limits ?? [], state?.reserved ?? []);
  }
}
