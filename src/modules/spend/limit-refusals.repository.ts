import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';

/** An SQL expression for the name of a limit of an organization, the same in every window. @param row of `LIMITS_OF_ORGANIZATION` */
export function limitName(row: string): string {
  return `concat_ws('/', ${row}.subject, ${row}.guardrail_id, CASE ${row}.subject WHEN 'guardrail' THEN ${row}.holder END,
    ${row}.holder_id, ${row}."interval")`;
}

/** Writes down that a limit refuses, where an alert may be about it. A later window is not replaced by an earlier one. */
export const NOTE_REFUSAL = statement<never, [organizationId: string, limitName: string, firstDay: string]>(
  'limit_refusal_note',
  `INSERT INTO limit_refusals (organization_id, limit_name, first_day, refused_at)
    SELECT $1, $2, $3::date, now()
    WHERE EXISTS (SELECT FROM alerts a WHERE a.organization_id = $1 AND a.kind = 'budget' AND a.enabled)
    ON CONFLICT (organization_id, limit_name) DO UPDATE
      SET first_day = greatest(limit_refusals.first_day, EXCLUDED.first_day), refused_at = EXCLUDED.refused_at`,
);

/** When limits have last refused a request. */
@Injectable()
export class LimitRefusalsRepository {
  constructor(private readonly statements: Statements) {}

  /** @param name as {@link limitName} gives it @param firstDay of the window, as YYYY-MM-DD */
  async note(organizationId: string, name: string, firstDay: string): Promise<void> {
    await this.statements.write(NOTE_REFUSAL, [organizationId, name, firstDay]);
  }
}
