import { BooleanField, EnumField, NumberField, TextField, TimestampField } from '../../../http/schema/fields.js';
import { LIMIT_RESETS, type LimitReset } from '../limit-reset.js';

/** What every description of a key says: its limit, and what it has spent. Amounts are in US dollars, periods in UTC. */
export class KeyUsage {
  @TextField({ description: 'The key, masked.', example: 'sk-gate-v1-9f8...c21' })
  label: string;

  @NumberField({ description: 'The spending limit; null for none.', example: 25, nullable: true })
  limit: number | null;

  @NumberField({
    description: 'What is left of the limit until it starts anew, never less than 0; null without a limit.',
    example: 25,
    nullable: true,
  })
  limit_remaining: number | null;

  @EnumField(LIMIT_RESETS, {
    description: 'How often the limit starts anew: at midnight, on Monday, on the first of the month. Null for never.',
    example: 'monthly',
    nullable: true,
  })
  limit_reset: LimitReset | null;

  @BooleanField({
    description: "Whether spend through the caller's own provider keys counts toward the limit.",
    example: false,
  })
  include_byok_in_limit: boolean;

  @NumberField({ description: 'What the key has spent altogether.', example: 0 })
  usage: number;

  @NumberField({ description: 'What it has spent today.', example: 0 })
  usage_daily: number;

  @NumberField({ description: 'What it has spent this week, from Monday on.', example: 0 })
  usage_weekly: number;

  @NumberField({ description: 'What it has spent this month.', example: 0 })
  usage_monthly: number;

  @NumberField({ description: "What it has spent altogether through the caller's own provider keys.", example: 0 })
  byok_usage: number;

  @NumberField({ description: 'The same, today.', example: 0 })
  byok_usage_daily: number;

  @NumberField({ description: 'The same, this week.', example: 0 })
  byok_usage_weekly: number;

  @NumberField({ description: 'The same, this month.', example: 0 })
  byok_usage_monthly: number;

  @TimestampField({ description: 'When the key expires; null for never.', nullable: true })
  expires_at: string | null;

  @TextField({
    description: 'The user who owns the key.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  creator_user_id: string | null;
}
