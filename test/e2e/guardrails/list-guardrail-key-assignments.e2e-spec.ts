import { describeGuardrailAssignmentList } from './assignment-tests.js';
import { KEYS } from './assignments.js';

describeGuardrailAssignmentList(KEYS);
