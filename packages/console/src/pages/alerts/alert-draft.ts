import type { Schema } from '../../api/types';
import { partsOf } from '../../components/lines';
import { type Alert, type AlertKind, KINDS, scopeOf, type ScopeField } from './alert-words';

/** An alert as its form has it. */
export interface AlertDraft {
  readonly name: string;
  readonly kind: AlertKind;
  /** Empty for all of its kind. */
  readonly scope: ScopeField | '';
  /** What the scope is about: an id or a hash. */
  readonly subject: string;
  /** Divided by commas; empty for the default. */
  readonly thresholds: string;
  readonly daysBefore: string;
  readonly enabled: boolean;
  /** Empty for none. */
  readonly destination: string;
  readonly emails: readonly string[];
}

/** An alert that nobody has filled in. */
export const NEW_ALERT: AlertDraft = {
  name: '',
  kind: 'budget',
  scope: '',
  subject: '',
  thresholds: '',
  daysBefore: '',
  enabled: true,
  destination: '',
  emails: [],
};

/** The draft of an alert as it is. */
export function draftOf(alert: Alert): AlertDraft {
  const scope = scopeOf(alert);
  return {
    name: alert.name,
    kind: alert.kind,
    scope: scope?.field ?? '',
    subject: scope?.id ?? '',
    thresholds: (alert.thresholds ?? []).join(', '),
    daysBefore: (alert.days_before ?? []).join(', '),
    enabled: alert.enabled,
    destination: alert.destination_id ?? '',
    emails: alert.recipients.map(({ email }) => email),
  };
}

/** A draft of another kind, without a scope that alerts of that kind do not have. */
export function ofKind(draft: AlertDraft, kind: AlertKind): AlertDraft {
  const { scope } = draft;
  const isKept = scope !== '' && KINDS[kind].scopes.includes(scope);
  return { ...draft, kind, ...(!isKept && { scope: '', subject: '' }) };
}

/** What the form of an alert that exists changes, as the interface takes it. */
export function toChanges(draft: AlertDraft): Schema<'UpdateAlertRequest'> & { name: string } {
  const { kind, destination } = draft;
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    ...(kind === 'budget' && { thresholds: numbersOf(draft.thresholds) }),
    ...(kind === 'key_expiry' && { days_before: numbersOf(draft.daysBefore) }),
    destination_id: destination.trim() === '' ? null : destination.trim(),
    emails: [...draft.emails],
  };
}

/** The form of a new alert as the interface takes it. */
export function toRequest(draft: AlertDraft): Schema<'CreateAlertRequest'> {
  const { kind, scope, subject } = draft;
  return { ...toChanges(draft), kind, ...(scope !== '' && { [scope]: subject.trim() }) };
}

/** Null for the default. What is no number the service says itself. */
function numbersOf(text: string): number[] | null {
  const parts = partsOf(text);
  return parts.length === 0 ? null : parts.map(Number);
}
