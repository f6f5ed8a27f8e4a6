export { ALLOWED_LABELS_FIELD, allowedLabelsIssues, LABELS_FIELD, labelsIssues } from './label-fields.js';
export {
  type AllowedLabels,
  isLabelName,
  type Labels,
  LABELS_HEADER,
  labelsOfRequest,
  LONGEST_LABEL,
} from './labels.js';
