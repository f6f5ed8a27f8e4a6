import type {
  ConfigurationPlan,
  FieldChange,
  PlanImpact,
  PlannedChange,
} from '../../modules/configuration/plan/configuration-plan.js';
import type { PlanReplay } from '../../modules/configuration/plan/recorded-traffic.js';

const SIGNS = { create: '+', update: '~', adopt: '=', delete: '-', release: '-' } as const;

/** The longest value that is shown, in characters; the whole is in the output for programs. */
const MOST_CHARACTERS = 200;

/** A plan in words, one on each line. */
export function describePlan(plan: ConfigurationPlan): string[] {
  const { changes, conflicts, warnings, impact, replay, unchanged, missing_permissions: missing } = plan;
  return [
    ...changes.flatMap(describeChange),
    ...conflicts.map((one) => `! ${objectOf(one)}: ${one.reason}: ${one.detail}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(impact === null ? [] : describeImpact(impact)),
    ...(replay === null ? [] : describeReplay(replay)),
    ...(missing.length === 0 ? [] : [`Missing permissions: ${missing.join(', ')}`]),
    `${changes.length} changes, ${conflicts.length} conflicts, ${unchanged} unchanged (owner ${plan.owner}, ${plan.id})`,
  ];
}

function describeChange(change: PlannedChange): string[] {
  const { action, fields, dependents, file } = change;
  return [
    `${SIGNS[action]} ${action} ${objectOf(change)}${file === null ? '' : ` (${file})`}`,
    ...fields.map((field) => `    ${describeField(field, action === 'create')}`),
    ...dependents.map((dependent) => `    loses it: ${dependent}`),
  ];
}

function describeField({ field, before, after }: FieldChange, isNew: boolean): string {
  return isNew ? `${field}: ${shown(after)}` : `${field}: ${shown(before)} -> ${shown(after)}`;
}

function describeImpact({ keys_checked: checked, keys_losing_models: losing, keys }: PlanImpact): string[] {
  return [
    `Impact: ${losing} of ${checked} keys lose models`,
    ...keys.map(({ name, hash, models, model_count: count }) => {
      const more = count > models.length ? ` and ${count - models.length} more` : '';
      return `    ${name} (${hash.slice(0, 12)}): ${models.join(', ')}${more}`;
    }),
  ];
}

function describeReplay({ from, is_complete: isComplete, changes }: PlanReplay): string[] {
  return [
    `Replay of the requests since ${from}${isComplete ? '' : ', of which only the first were looked at'}:`,
    ...changes.flatMap((change) => [
      `    ${objectOf(change)}: ${outcomesOf(change)}`,
      ...change.keys.map(({ name, count }) => `        ${count} of ${name ?? 'a deleted key'}`),
      ...change.not_tried.map((sentence) => `        ${sentence}`),
    ]),
  ];
}

function outcomesOf(change: PlanReplay['changes'][number]): string {
  const { read_count: read, refused_count: refused, undecided_count: unknown } = change;
  const { excluded_count: excluded, redacted_count: redacted } = change;
  return [
    `${refused} of ${read} refused`,
    ...(excluded === 0 ? [] : [`${excluded} with fewer models or providers`]),
    ...(redacted === 0 ? [] : [`${redacted} redacted`]),
    `${unknown} unknown`,
  ].join(', ');
}

function objectOf({ section, workspace, name }: Pick<PlannedChange, 'section' | 'workspace' | 'name'>): string {
  return `${section} ${workspace === null ? '' : `${workspace}/`}${name}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}...`;
}
