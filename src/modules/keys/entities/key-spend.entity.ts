import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * What a key has spent on a day. Triggers add each change to the key's row in `key_spend_totals`, which is what answers read.
 */
@Entity({ name: 'key_spend' })
@Check('ck_key_spend_amounts', 'amount_usd >= 0 AND byok_amount_usd >= 0')
@ForeignKey('ApiKeyEntity', ['organizationId', 'keyId'], ['organizationId', 'id'], {
  name: 'fk_key_spend_key',
  onDelete: 'CASCADE',
})
export class KeySpendEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_key_spend' })
  organizationId: string;

  @PrimaryColumn({ name: 'key_id', type: 'uuid', primaryKeyConstraintName: 'pk_key_spend' })
  keyId: string;

  /** In UTC. */
  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'pk_key_spend' })
  day: string;

  /** US dollars, spent through the gateway's own provider keys. */
  @Column({ name: 'amount_usd', type: 'numeric' })
  amountUsd: string;

  /** US dollars, spent through the caller's own provider keys. */
  @Column({ name: 'byok_amount_usd', type: 'numeric' })
  byokAmountUsd: string;
}
