import type { VariableReader } from './variable-reader.js';

/** What models of prompt injections call them; `LABEL_1` is the second label of a model that names none. */
const ATTACK_LABELS = ['INJECTION', 'JAILBREAK', 'MALICIOUS', 'LABEL_1'];

interface ClassifierDecision {
  /** The labels that stand for prompt injections, in capital letters. */
  readonly contentClassifierLabels: ReadonlySet<string>;
  /** The score that they have together from which on a text is one, from 0 to 1. */
  readonly contentClassifierThreshold: number;
}

/** Reads CONTENT_CLASSIFIER_LABELS and CONTENT_CLASSIFIER_THRESHOLD. */
export function classifierDecisionOf(reader: VariableReader): ClassifierDecision {
  const labels = reader.list('CONTENT_CLASSIFIER_LABELS', ATTACK_LABELS);
  const text = reader.text('CONTENT_CLASSIFIER_THRESHOLD', '0.8');
  const threshold = /^(?:0?\.\d{1,6}|1(?:\.0{1,6})?)$/.test(text) ? Number(text) : 0;
  if (threshold === 0) reader.issue('CONTENT_CLASSIFIER_THRESHOLD', 'must be a number above 0, and 1 at most');
  return {
    contentClassifierLabels: new Set(labels.map((label) => label.toUpperCase())),
    contentClassifierThreshold: threshold,
  };
}
