import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import type { Transaction } from '../../../persistence/statements.js';
import { timeOfGeneration } from '../generation-time.js';
import type { FeedbackCategory } from './generation-feedback.dto.js';

/** Adds feedback of a category to a record, in place of what it had of that category. */
export const ADD_FEEDBACK = statement<
  never,
  [organizationId: string, id: string, createdAt: Date, category: FeedbackCategory, comment: string | null]
>(
  'generation_feedback_add',
  `UPDATE generations SET details = jsonb_set(details, '{feedback}', coalesce(details -> 'feedback', '{}') ||
      jsonb_build_object($4::text, jsonb_build_object('comment', $5::text, 'createdAt', statement_timestamp())))
    WHERE organization_id = $1 AND id = $2 AND created_at = $3`,
);

/** Feedback, which belongs to the rows of records: it is kept, removed and erased with them. */
@Injectable()
export class GenerationFeedbackRepository {
  /** @param id of a record that was found for the caller @returns whether it is still there */
  async add(
    tx: Transaction,
    organizationId: string,
    id: string,
    category: FeedbackCategory,
    comment: string | null,
  ): Promise<boolean> {
    const createdAt = timeOfGeneration(id)!;
    return (await tx.write(ADD_FEEDBACK, [organizationId, id, createdAt, category, comment])) > 0;
  }
}
