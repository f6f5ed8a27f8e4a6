import { describeBulkAssign } from './assignment-tests.js';
import { MEMBERS } from './assignments.js';

describeBulkAssign(MEMBERS);
