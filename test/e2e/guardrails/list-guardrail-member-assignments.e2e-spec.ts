import { describeGuardrailAssignmentList } from './assignment-tests.js';
import { MEMBERS } from './assignments.js';

describeGuardrailAssignmentList(MEMBERS);
