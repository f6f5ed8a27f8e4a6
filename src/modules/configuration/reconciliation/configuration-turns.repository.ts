import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';

/** Takes or keeps the turn, unless another process has it. */
export const TAKE_CONFIGURATION_TURN = statement<
  never,
  [organizationId: string, processId: string, leaseSeconds: number]
>(
  'configuration_turn_take',
  `UPDATE configuration_turns SET process_id = $2, lease_until = now() + make_interval(secs => $3)
    WHERE organization_id = $1 AND (process_id = $2 OR lease_until <= now())`,
);

/** Takes the first turn of all. */
export const BEGIN_CONFIGURATION_TURNS = statement<
  never,
  [organizationId: string, processId: string, leaseSeconds: number]
>(
  'configuration_turn_begin',
  `INSERT INTO configuration_turns (organization_id, process_id, lease_until)
    VALUES ($1, $2, now() + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
);

/** Lets another process have the turn. */
export const END_CONFIGURATION_TURN = statement<never, [organizationId: string, processId: string]>(
  'configuration_turn_end',
  'UPDATE configuration_turns SET lease_until = now() WHERE organization_id = $1 AND process_id = $2',
);

/** Notes that what there is is that of the files. */
export const NOTE_RECONCILED = statement<never, [organizationId: string]>(
  'configuration_reconciled',
  'UPDATE configuration_turns SET reconciled_at = now() WHERE organization_id = $1',
);

/** When that was last so, in seconds since 1970. */
export const RECONCILED_AT = statement<{ seconds: number | null }, [organizationId: string]>(
  'configuration_reconciled_at',
  'SELECT extract(epoch FROM reconciled_at)::float8 AS seconds FROM configuration_turns WHERE organization_id = $1',
);

/** How many objects of all organizations have drifted. */
export const DRIFTED_OBJECTS = statement<{ count: number }>(
  'managed_objects_drifted',
  'SELECT count(*)::int AS count FROM managed_objects WHERE drifted_at IS NOT NULL',
);

/** Whose turn it is to apply the files of CONFIG_DIR, and how that goes. */
@Injectable()
export class ConfigurationTurnsRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns whether the process has the turn, for as long as it says */
  async take(organizationId: string, processId: string, leaseSeconds: number): Promise<boolean> {
    const values = [organizationId, processId, leaseSeconds] as const;
    if ((await this.statements.write(TAKE_CONFIGURATION_TURN, [...values])) > 0) return true;
    return (await this.statements.write(BEGIN_CONFIGURATION_TURNS, [...values])) > 0;
  }

  async end(organizationId: string, processId: string): Promise<void> {
    await this.statements.write(END_CONFIGURATION_TURN, [organizationId, processId]);
  }

  async noteReconciled(organizationId: string): Promise<void> {
    await this.statements.write(NOTE_RECONCILED, [organizationId]);
  }

  /** In seconds since 1970; 0 for never. */
  async reconciledAt(organizationId: string): Promise<number> {
    return (await this.statements.first(RECONCILED_AT, [organizationId]))?.seconds ?? 0;
  }

  async drifted(): Promise<number> {
    return (await this.statements.first(DRIFTED_OBJECTS, []))!.count;
  }
}
