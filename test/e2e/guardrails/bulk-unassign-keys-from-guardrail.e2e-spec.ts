import { describeBulkUnassign } from './assignment-tests.js';
import { KEYS } from './assignments.js';

describeBulkUnassign(KEYS);
