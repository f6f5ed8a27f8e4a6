import { describeGuardrailAssignmentList } from './assignment-list-tests.js';
import { KEYS } from './assignments.js';

describeGuardrailAssignmentList(KEYS);
