import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { stringify } from 'yaml';
import { invocationDirectory } from '../bootstrap/load-environment.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { type Issue, joinPath } from '../http/errors/issue.js';
import type { ConfigurationFiles } from '../modules/configuration/files/configuration-files.js';
import { filesOfCaller } from './configuration/files-of-caller.js';
import { documentOf } from './litellm/litellm-import.js';
import { ModelNames } from './litellm/model-names.js';
import { Findings, Settings } from './litellm/settings.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface LitellmOptions extends JsonOption {
  readonly out?: string;
  readonly owner: string;
  readonly model: ReadonlyMap<string, string>;
  readonly teams?: string;
  readonly keys?: string;
  readonly budgets?: string;
}

/** Lists that LiteLLM has in its database, and that a file may have as well. */
const LISTS = ['teams', 'keys', 'budgets'] as const;

/** `gatehouse import`: makes a configuration file of what other gateways have. */
export function importCommand(): Command {
  return new Command('import').addCommand(litellmCommand());
}

function litellmCommand(): Command {
  return withJson(new Command('litellm'))
    .description(
      'make a configuration file of a LiteLLM proxy (docs/how-to/from-litellm.md); what has no place is listed',
    )
    .argument('<file>', 'its configuration, as config.yaml')
    .option('--out <file>', 'write to a new file (default: standard output)')
    .option('--owner <owner>', 'the owner of the objects', 'litellm')
    .option(
      '--model <name=author/slug>',
      'which model of the catalog a model_name, or a model, of LiteLLM is; may be repeated',
      namedModel,
      new Map<string, string>(),
    )
    .option('--teams <file>', 'what GET /team/list answers')
    .option('--keys <file>', 'what GET /key/list?return_full_object=true answers')
    .option('--budgets <file>', 'what GET /budget/list answers')
    .action(async (file: string, options: LitellmOptions) => {
      const findings = new Findings();
      const files = await filesOfCaller([
        file,
        ...LISTS.flatMap((list) => (options[list] === undefined ? [] : [options[list]])),
      ]);
      const document = documentOf(inputOf(files, file, options, findings), await ModelNames.read());
      if (findings.wrong.length > 0) throw new UsageError(files.explain(findings.wrong));
      await finish(document, files, findings, options);
    });
}

function inputOf(
  files: ConfigurationFiles,
  file: string,
  options: LitellmOptions,
  findings: Findings,
): Parameters<typeof documentOf>[0] {
  const read = files.files;
  for (const { name, documents } of read) {
    if (documents.length !== 1) throw new UsageError(`${name}: must have one document.`);
  }
  if (read[0]?.name !== file) throw new UsageError(`${file}: there is no document.`);
  const config = Settings.at('files[0].documents[0]', read[0].documents[0], findings);
  const accounts = {
    teams: [...config.mappings('teams')],
    keys: [...config.mappings('keys')],
    budgets: [...config.mappings('budgets')],
  };
  const others = LISTS.filter((list) => options[list] !== undefined);
  for (const [index, list] of others.entries()) {
    const other = read[index + 1];
    if (other === undefined || other.name !== options[list])
      throw new UsageError(`${options[list]}: there is no document.`);
    accounts[list].push(...listed(`files[${index + 1}].documents[0]`, list, other.documents[0], findings));
  }
  return { config, accounts, models: options.model, owner: options.owner };
}

/** The items of an answer of LiteLLM: a list, or one in a field of its name, or in `data`. */
function listed(place: string, list: string, document: unknown, findings: Findings): readonly Settings[] {
  if (Array.isArray(document)) {
    return (document as unknown[]).map((item, index) => Settings.at(joinPath(place, index), item, findings));
  }
  const answer = Settings.at(place, document, findings);
  const name = [list, 'data'].find((one) => answer.value(one) !== undefined);
  if (name !== undefined) return answer.mappings(name);
  findings.wrong.push({ path: place, message: `must be a list, or have one as ${list}` });
  return [];
}

/** Writes the file, and lists what is not in it. */
async function finish(
  document: object,
  files: ConfigurationFiles,
  findings: Findings,
  { out, ...options }: LitellmOptions,
): Promise<void> {
  const text = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  if (out !== undefined) await writeNew(out, text);
  const [leftOut, toDo] = [findings.leftOut, findings.toDo].map((issues) => issues.map((one) => placed(files, one)));
  if (options.json === true) {
    const written = out === undefined ? { document } : { out };
    printResult(options, { ...written, left_out: leftOut, to_do: toDo });
    return;
  }
  if (out === undefined) process.stdout.write(text);
  const lines = [
    ...titled('Without a place:', leftOut),
    ...titled('To do:', toDo),
    `${leftOut!.length} without a place, ${toDo!.length} to do. Next: gatehouse validate -f ${out ?? 'FILE'}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Something of a file of LiteLLM, with what is to be known of it. */
interface Placed {
  readonly file: string;
  readonly line: number;
  readonly path: string;
  readonly reason: string;
}

function titled(title: string, placed: readonly Placed[] = []): string[] {
  const lines = placed.map(({ file, line, path: at, reason }) => `${file}:${line}: ${at}: ${reason}`);
  return lines.length === 0 ? [] : [title, ...lines];
}

function placed(files: ConfigurationFiles, { path: at, message: reason }: Issue): Placed {
  const [, file = '', line, inFile = ''] =
    /^(.*?):(\d+):(?: (.*))?$/s.exec(files.explain([{ path: at, message: '' }])) ?? [];
  return { file, line: Number(line), path: inFile, reason };
}

/** @throws UsageError for one that exists, or cannot be written */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(path.resolve(invocationDirectory(), file), text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}

function namedModel(text: string, before: ReadonlyMap<string, string>): Map<string, string> {
  const [, name, id] = /^(.+)=([^/\s=]+\/[^/\s=]+)$/.exec(text) ?? [];
  if (name === undefined || id === undefined) {
    throw new InvalidArgumentError('Its form is NAME=AUTHOR/SLUG, as gpt-4=openai/gpt-5.5.');
  }
  return new Map([...before, [name, id]]);
}
