import { statement } from '../../persistence/statement.js';

/** Which edition of the catalog is in force. The gateway reads it within a statement of its own. */
export const CATALOG_EDITION = statement<{ edition: string }>('catalog_edition', 'SELECT edition FROM catalog_edition');
