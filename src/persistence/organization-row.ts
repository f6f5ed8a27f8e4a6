import { PrimaryColumn } from 'typeorm';

/** The primary key of most entities: rows of an organization, by their ids. */
export abstract class OrganizationRow {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;
}
