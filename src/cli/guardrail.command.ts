import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { parsedIfJson } from '../http/input/json-bounds.js';
import { validateDto } from '../http/validation/validate.js';
import { rulesOf } from '../http/validation/rules.js';
import { invocationDirectory } from '../bootstrap/load-environment.js';
import { UsageError } from '../bootstrap/usage-error.js';
import type {
  EvaluatedAdmission,
  EvaluatedLimit,
} from '../modules/inference/evaluation/dto/evaluated-admission.dto.js';
import type { EvaluatedAnswer } from '../modules/inference/evaluation/dto/evaluated-answer.dto.js';
import type { EvaluatedContent } from '../modules/inference/evaluation/dto/evaluated-content.dto.js';
import { EvaluateGuardrailRequest } from '../modules/inference/evaluation/dto/evaluate-guardrail-request.dto.js';
import { EvaluationService } from '../modules/inference/evaluation/evaluation.service.js';
import type { GuardrailEvaluation } from '../modules/inference/evaluation/dto/guardrail-evaluation.dto.js';
import { onOrganization } from './interface/either-way.js';
import { type OrganizationOptions, withOrganization } from './organization-option.js';
import { printResult } from './output.js';

interface EvaluateOptions extends OrganizationOptions {
  readonly request: string;
  readonly answer?: string;
  readonly operation?: string;
  readonly key?: string;
  readonly member?: string;
  readonly workspace?: string;
}

/** `gatehouse guardrail`: tries guardrails before they are assigned (docs/interface/guardrails.md#trying-a-guardrail). */
export function guardrailCommand(): Command {
  return new Command('guardrail').addCommand(evaluateCommand());
}

function evaluateCommand(): Command {
  return withOrganization(new Command('evaluate'))
    .description('show how a request would be decided if a guardrail were assigned; sends nothing')
    .argument('<id>', 'the id of the guardrail')
    .requiredOption('--request <file>', 'the body of the request as JSON; - reads it from standard input')
    .option('--answer <file>', 'an answer of a model as JSON, to see what filters of answers make of it; - as above')
    .option('--operation <path>', 'the operation of the request: embeddings, images, ... (default: chat/completions)')
    .option('--key <hash>', 'as if the guardrail were assigned to this key')
    .option('--member <user>', 'as if it were assigned to this member, with a new key of theirs')
    .option('--workspace <id>', 'the workspace of the new key (default: the default workspace)')
    .action(async (id: string, { organization, ...options }: EvaluateOptions) => {
      if (options.request === '-' && options.answer === '-') {
        throw new UsageError('Standard input is either the request or the answer.');
      }
      const input = inputOf(
        await jsonOf('request', options.request),
        options.answer === undefined ? undefined : await jsonOf('answer', options.answer),
        options,
      );
      const evaluation = await evaluated(id, input, organization);
      printResult(options, evaluation, ...describe(evaluation));
    });
}

/** @throws UsageError for what the administrator can put right */
async function evaluated(
  id: string,
  input: EvaluateGuardrailRequest,
  organization: string | undefined,
): Promise<GuardrailEvaluation> {
  return onOrganization(organization, {
    byInterface: async (server) => (await server.call('evaluateGuardrail', { path: { id }, body: input })).data,
    byDatabase: async (context, organizationId) => {
      const { signal } = new AbortController();
      return (await context.get(EvaluationService).evaluate(organizationId, id, input, signal)).data;
    },
  });
}

/** What a file has. @param name of it, in errors @throws UsageError for one that cannot be read, and is no JSON */
async function jsonOf(name: string, file: string): Promise<unknown> {
  const content = parsedIfJson(await contentOf(name, file));
  if (content === undefined) throw new UsageError(`The ${name} is not JSON.`);
  return content;
}

async function contentOf(name: string, file: string): Promise<string> {
  if (file === '-') return (await buffer(process.stdin)).toString('utf8');
  try {
    return await readFile(path.resolve(invocationDirectory(), file), 'utf8');
  } catch (error) {
    throw new UsageError(`The ${name} cannot be read: ${(error as Error).message}.`);
  }
}

/** @throws UsageError that names what is wrong with the request or the answer */
function inputOf(
  request: unknown,
  answer: unknown,
  { operation, key, member, workspace }: EvaluateOptions,
): EvaluateGuardrailRequest {
  const input = {
    request,
    ...(answer !== undefined && { answer }),
    ...(operation !== undefined && { operation }),
    ...(key !== undefined && { api_key_hash: key }),
    ...(member !== undefined && { user_id: member }),
    ...(workspace !== undefined && { workspace_id: workspace }),
  };
  const issues = [
    ...validateDto(EvaluateGuardrailRequest, input),
    ...rulesOf(EvaluateGuardrailRequest).flatMap((rule) => rule(input)),
  ];
  if (issues.length > 0) {
    throw new UsageError(issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join('\n'));
  }
  return input as EvaluateGuardrailRequest;
}

/** The steps in words, one on each line. */
function describe(evaluation: GuardrailEvaluation): string[] {
  const { preset, models, guardrails, content, candidates, admission, answer } = evaluation;
  return [
    `Guardrails: ${listed(guardrails.map(({ name, applies_through: through }) => `${name} (${through.join(', ')})`))}`,
    ...(preset === null ? [] : [`Preset: ${preset.slug}, version ${preset.version}`]),
    `Models: ${listed(models.map(({ model }) => model))}`,
    ...(content === null ? [] : describeContent(content)),
    `Endpoints: ${listed(candidates.map(({ model, endpoint }) => `${model} at ${endpoint}`))}`,
    ...evaluation.excluded_endpoints.map(
      ({ model, endpoint, reason }) => `Left out: ${model} at ${endpoint}, ${reason}`,
    ),
    ...(admission === null ? [] : describeAdmission(admission)),
    outcomeOf(evaluation),
    ...(answer === undefined ? [] : describeAnswer(answer)),
  ];
}

function describeContent({ matches, omitted_matches: omitted, analyzer }: EvaluatedContent): string[] {
  return [
    ...matches.map(({ path: place, offset, length, filter, action }) => {
      const part = offset === null ? '' : `, ${length} characters from ${offset}`;
      return `Match: ${filter} (${action}) in ${place}${part}`;
    }),
    ...(omitted === 0 ? [] : [`Match: ${omitted} more`]),
    ...(analyzer === 'not_needed' ? [] : [`Analyzer: ${analyzer}`]),
  ];
}

function describeAnswer({ filters, outcome, reason, message, holds_whole_text: isHeld }: EvaluatedAnswer): string[] {
  return [
    ...filters.map(({ filter, action, count, place }) => `Answer: ${filter} (${action}) in ${place}, ${count} times`),
    ...(isHeld ? ['Answer: a filter has to see a text to its end'] : []),
    `Answer: ${outcome}${reason === null ? '' : ` with ${reason}: ${message}`}`,
  ];
}

function describeAdmission({ worst_case: worst, limits, capped_max_tokens: capped }: EvaluatedAdmission): string[] {
  const { model, endpoint, prompt_tokens: prompt, answer_tokens: answer, cost_usd: cost } = worst;
  return [
    `Worst case: ${prompt} tokens and an answer of ${answer} for ${dollars(cost)}, ${model} at ${endpoint}`,
    ...limits.map(describeLimit),
    ...(capped === null ? [] : [`Longest answer: capped to ${capped} tokens`]),
  ];
}

function describeLimit(limit: EvaluatedLimit): string {
  const { subject, guardrail_id: guardrail, holder, interval, effect, capped_max_tokens: capped } = limit;
  const whose = guardrail === null ? subject : `${subject} ${guardrail} of the ${holder}`;
  const [total, spent, reserved, remaining] = [
    limit.limit_usd,
    limit.spent_usd,
    limit.reserved_usd,
    limit.remaining_usd,
  ].map(dollars);
  const amounts = `${remaining} left of ${total} (${spent} spent, ${reserved} reserved)`;
  const effects = { none: 'enough', caps: `caps the answer to ${capped} tokens`, refuses: 'refuses the request' };
  return `Limit: ${whose}, ${interval}, ${amounts}, ${effects[effect]}`;
}

/** Up to a trillionth of a dollar, because tokens cost little. */
function dollars(amount: number): string {
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 12 });
}

function outcomeOf({ outcome, refused_at: step, status, reason, message }: GuardrailEvaluation): string {
  return outcome === 'admitted'
    ? 'Outcome: admitted'
    : `Outcome: refused (${step}) with ${status} ${reason}: ${message}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
