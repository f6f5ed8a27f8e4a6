import type { Fields } from '../../modules/configuration/kinds/configured-kind.js';
import { type Budget, budgetOf, ratesOf } from './budgets.js';
import { type Deployment, slugOf, unusedName } from './deployments.js';
import type { Settings } from './settings.js';

/** What LiteLLM tells of teams and keys that is not theirs, or said by another field. */
const TOLD_BESIDES = [
  ...[
    'spend',
    'max_budget',
    'budget_duration',
    'budget_reset_at',
    'created_at',
    'updated_at',
    'created_by',
    'updated_by',
  ],
  ...[
    'token',
    'token_id',
    'key_name',
    'last_refreshed_at',
    'last_active',
    'rotation_count',
    'litellm_budget_table',
    'litellm_model_table',
  ],
  ...[
    'team_id',
    'team_alias',
    'models',
    'model_id',
    'keys',
    'model_spend',
    'budget_id',
    'expires',
    'metadata',
    'org_id',
    'organization_id',
  ],
];

/** Words for models that are no names: all that a team or the proxy has. */
const ALL_MODELS = new Set(['all-proxy-models', 'all-team-models', '*']);

/** Lists of LiteLLM's management plane. */
export interface Accounts {
  readonly teams: readonly Settings[];
  readonly keys: readonly Settings[];
  readonly budgets: readonly Settings[];
}

/** What becomes of them, by the lists of a file. */
export interface ImportedAccounts {
  readonly workspaces: Fields[];
  readonly keys: Fields[];
  readonly guardrails: Fields[];
  readonly defaultGuardrails: Fields[];
  readonly limits: Fields[];
}

interface Team {
  readonly workspace: string;
  readonly isRefused: boolean;
}

/** Makes workspaces of teams, and keys of keys. */
export class AccountsImport {
  readonly imported: ImportedAccounts = { workspaces: [], keys: [], guardrails: [], defaultGuardrails: [], limits: [] };
  private readonly teams = new Map<string, Team>();
  private readonly slugs = new Set<string>(['default']);
  private readonly keyNames = new Map<string, Set<string>>();
  private readonly budgets = new Map<string, Settings>();

  constructor(private readonly deployments: readonly Deployment[]) {}

  add({ teams, keys, budgets }: Accounts): void {
    for (const budget of budgets) {
      const id = budget.text('budget_id');
      if (id !== undefined) this.budgets.set(id, budget);
    }
    for (const team of teams) this.addTeam(team);
    for (const [index, key] of keys.entries()) this.addKey(key, index);
    for (const budget of budgets) {
      budget.ignore(['max_budget', 'budget_duration', 'rpm_limit', 'tpm_limit', ...TOLD_BESIDES]);
      budget.leaveOutTheRest();
    }
  }

  /** The budget that a key or a team has by itself, or by the name of one. */
  private budgetOf(settings: Settings): Budget | undefined {
    const id = settings.text('budget_id');
    const named = id === undefined ? undefined : this.budgets.get(id);
    if (id !== undefined && named === undefined)
      settings.leaveOut('budget_id', `no budget is ${id}: --budgets names a file with it`);
    return (
      budgetOf(settings, 'max_budget', 'budget_duration') ?? (named && budgetOf(named, 'max_budget', 'budget_duration'))
    );
  }

  private ratesOf(settings: Settings): Fields | undefined {
    const named = this.budgets.get(settings.text('budget_id') ?? '');
    return ratesOf(settings) ?? (named && ratesOf(named));
  }

  private addTeam(team: Settings): void {
    const id = team.text('team_id');
    const name = team.text('team_alias') ?? id;
    if (name === undefined) {
      team.findings.wrong.push({ path: team.path, message: 'must have a team_id or a team_alias' });
      return;
    }
    const slug = unusedName(slugOf(name, 46) || 'team', this.slugs, '-');
    this.slugs.add(slug);
    const models = this.modelsOf(team, team.texts('models'));
    if (id !== undefined) this.teams.set(id, { workspace: slug, isRefused: models === null });
    const rates = this.ratesOf(team);
    const budget = this.budgetOf(team);
    if (team.flag('blocked')) team.leaveOut('blocked', 'a workspace is not blocked: its keys are not imported');
    this.imported.workspaces.push({ slug, name: name.slice(0, 100), ...(rates && { rate_limits: rates }) });
    if (budget !== undefined) {
      this.imported.limits.push({ name: `Budget of ${name}`.slice(0, 100), workspace: slug, ...usd(budget) });
    }
    const concurrent = team.number('max_parallel_requests');
    if (concurrent !== undefined) {
      const limit = { workspace: slug, measure: 'concurrent', amount: Math.floor(concurrent) };
      this.imported.limits.push({ name: `Requests of ${name} at once`.slice(0, 100), ...limit });
    }
    if (models !== undefined && models !== null)
      this.imported.defaultGuardrails.push({ workspace: slug, allowed_models: models });
    team.ignore(TOLD_BESIDES);
    team.leaveOutTheRest();
  }

  private addKey(key: Settings, index: number): void {
    const teamId = key.text('team_id');
    const team = teamId === undefined ? undefined : this.teams.get(teamId);
    const wanted = key.text('key_alias') ?? key.text('key_name') ?? `Key ${index + 1}`;
    const models = this.modelsOf(key, key.texts('models'));
    const expires = this.expiryOf(key);
    const budget = this.budgetOf(key);
    const rates = this.ratesOf(key);
    key.ignore(TOLD_BESIDES);
    if (key.value('key') !== undefined) key.leaveOut('key', 'a key gets a new secret, which apply prints');
    const refusal =
      teamId !== undefined && team === undefined
        ? `no team is ${teamId}: --teams names a file with it`
        : key.flag('blocked')
          ? 'what is blocked is not imported'
          : expires === null
            ? 'it has expired'
            : models === null || team?.isRefused === true
              ? 'none of its models is imported'
              : undefined;
    if (refusal !== undefined) {
      key.findings.leftOut.push({ path: key.path, message: refusal });
      return;
    }
    const place = team?.workspace ?? '';
    const taken = this.keyNames.get(place) ?? new Set();
    const name = unusedName(wanted.slice(0, 250) || `Key ${index + 1}`, taken, ' ');
    this.keyNames.set(place, taken.add(name));
    const workspace = team === undefined ? {} : { workspace: team.workspace };
    this.imported.keys.push({
      name,
      ...workspace,
      ...(budget && { limit: budget.amount, limit_reset: budget.window, include_byok_in_limit: true }),
      ...(rates && { rate_limits: rates }),
      ...(expires && { expires_at: expires }),
    });
    if (models !== undefined && models !== null) {
      const guardrail = { name: `Models of ${name}`.slice(0, 200), ...workspace, allowed_models: models };
      this.imported.guardrails.push({ ...guardrail, assigned_keys: [name] });
    }
    key.leaveOutTheRest();
  }

  /** The models of the catalog that some names of LiteLLM mean. @returns undefined for all, null for none */
  private modelsOf(settings: Settings, names: readonly string[]): readonly string[] | undefined | null {
    if (names.length === 0 || names.some((name) => ALL_MODELS.has(name))) return undefined;
    const models = new Set<string>();
    const unknown: string[] = [];
    for (const name of names) {
      const found = this.deployments.filter(
        ({ group, accessGroups, model }) =>
          model !== undefined && (group === name || accessGroups.some((one) => one === name)),
      );
      if (found.length === 0) unknown.push(name);
      for (const { model } of found) models.add(model!);
    }
    if (unknown.length > 0) settings.leaveOut('models', `no model is imported by the name ${unknown.join(', ')}`);
    return models.size === 0 ? null : [...models];
  }

  /** @returns undefined for never, null for a time that is over */
  private expiryOf(key: Settings): string | undefined | null {
    const text = key.text('expires');
    if (text === undefined) return undefined;
    // LiteLLM's times are in UTC.
    const time = new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
    if (Number.isNaN(time.getTime())) {
      key.findings.wrong.push({ path: key.pathOf('expires'), message: 'must be a time' });
      return undefined;
    }
    return time.getTime() <= Date.now() ? null : time.toISOString();
  }
}

/** The fields of a limit of US dollars. What own keys of providers cost counts, because all are such. */
export function usd({ amount, window }: Budget): Fields {
  return { measure: 'usd', amount, window: window ?? 'lifetime', include_byok: true };
}
