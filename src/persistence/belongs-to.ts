import { ForeignKey } from 'typeorm';

/**
 * A foreign key of rows of an organization to rows of the same organization. A row is deleted with the one that it refers to.
 *
 * @param name the name of the constraint
 * @param entity the class of the rows that are referred to
 * @param property the property that refers to them
 * @param referenced the property that it refers to
 */
export function BelongsTo(name: string, entity: string, property: string, referenced = 'id'): ClassDecorator {
  const options = { name, onDelete: 'CASCADE' } as const;
  return ForeignKey(entity, ['organizationId', property], ['organizationId', referenced], options);
}

/** The foreign key of rows to their organization, with which they are deleted. @param name the name of the constraint */
export function BelongsToOrganization(name: string): ClassDecorator {
  return ForeignKey('OrganizationEntity', ['organizationId'], ['id'], { name, onDelete: 'CASCADE' });
}
