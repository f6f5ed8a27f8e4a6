import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { GenerationNotFound } from '../generations.errors.js';
import { GenerationsService } from '../generations.service.js';
import type { SubmitGenerationFeedbackRequest, SubmitGenerationFeedbackResponse } from './generation-feedback.dto.js';
import { GenerationFeedbackRepository } from './generation-feedback.repository.js';

/** What people say of generations (docs/interface/generations.md#feedback). */
@Injectable()
export class GenerationFeedbackService {
  constructor(
    private readonly generations: GenerationsService,
    private readonly repository: GenerationFeedbackRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Stores what is wrong with a generation, for those who see its record. Each category is said once: again, it replaces what was said.
   * The trail has the category alone, because what is in it stays when a person is erased.
   *
   * @throws GenerationNotFound
   */
  async submit(
    caller: ManagementPrincipal,
    { generation_id: id, category, comment }: SubmitGenerationFeedbackRequest,
  ): Promise<SubmitGenerationFeedbackResponse> {
    const { organizationId } = caller;
    await this.generations.get(caller, { id });
    await this.statements.transaction(async (tx) => {
      if (!(await this.repository.add(tx, organizationId, id, category, comment ?? null)))
        throw new GenerationNotFound();
      const event = { action: 'generation.submit_feedback', targetId: id, changes: created({ category }) };
      await this.audit.record(tx, organizationId, caller, event);
    });
    return { data: { success: true } };
  }
}
