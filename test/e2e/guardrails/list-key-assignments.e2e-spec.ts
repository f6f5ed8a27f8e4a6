import { describeAssignmentList } from './assignment-list-tests.js';
import { KEYS } from './assignments.js';

describeAssignmentList(KEYS, {
  key_name: expect.stringMatching(/^Key \d+$/) as unknown,
  key_label: expect.stringMatching(/^sk-gate-v2-.*\.\.\./) as unknown,
});
