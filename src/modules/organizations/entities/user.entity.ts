import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person, who may belong to several organizations. */
@Entity({ name: 'users' })
export class UserEntity {
  /** `user_...` */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_users' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  email: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
