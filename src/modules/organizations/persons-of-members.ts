import type { ListView } from '../../persistence/page-statement.js';

/**
 * How lists of rows that refer to members are searched and sorted: by what is known of the person, by the organization, or else by the
 * deployment. The first parameter of the statement is the organization, and `item` has the `user_id`.
 */
export const VIEW_BY_PERSON: Omit<ListView, 'last'> = {
  searched: [ofPerson('name'), ofPerson('email')],
  sorts: { name: `lower(${ofPerson('name')})`, email: `lower(${ofPerson('email')})` },
};

function ofPerson(column: 'name' | 'email'): string {
  return `(SELECT coalesce(person.${column}, u.${column}) FROM organization_members person
      LEFT JOIN users u ON u.id = person.user_id WHERE person.organization_id = $1 AND person.user_id = item.user_id)`;
}
