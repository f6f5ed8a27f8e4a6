import { describeGuardrailAssignmentList } from './assignment-list-tests.js';
import { MEMBERS } from './assignments.js';

describeGuardrailAssignmentList(MEMBERS);
