import { describeAssignmentList } from './assignment-list-tests.js';
import { MEMBERS } from './assignments.js';

describeAssignmentList(MEMBERS, {});
