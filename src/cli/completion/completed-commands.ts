import type { Argument, Command, Option } from 'commander';

/** A word that a shell offers. */
export interface OfferedWord {
  readonly word: string;
  readonly description: string;
}

/** An option with what stands behind it. */
export interface CompletedOption {
  /** As `--file` and `-f`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly value: CompletedValue | undefined;
}

/** What a value may be: some words, files, or something that a shell does not know. */
export interface CompletedValue {
  readonly words: readonly string[];
  readonly isFile: boolean;
}

/** A command, with what may stand behind it. */
export interface CompletedCommand {
  /** All words of it, as `gatehouse member add`. */
  readonly path: string;
  readonly commands: readonly OfferedWord[];
  readonly options: readonly CompletedOption[];
  readonly arguments: CompletedValue;
}

/** A command and all below it, from the table that parses words. */
export function completedCommands(command: Command, before = ''): CompletedCommand[] {
  const path = `${before} ${command.name()}`.trimStart();
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const given = command.registeredArguments;
  return [
    {
      path,
      commands: commands.map((one) => ({ word: one.name(), description: one.description() })),
      options: help.visibleOptions(command).map(completedOption),
      arguments: {
        words: given.flatMap(({ argChoices: choices }) => choices ?? []),
        isFile: given.some((one) => isOfFiles(one)),
      },
    },
    ...commands.flatMap((one) => completedCommands(one, path)),
  ];
}

function completedOption({ long, short, description, flags, argChoices: choices }: Option): CompletedOption {
  const placeholder = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  return {
    flags: [long, short].filter((flag) => typeof flag === 'string'),
    description,
    value:
      placeholder === undefined
        ? undefined
        : { words: choices ?? [], isFile: placeholder === 'file' || long === '--file' },
  };
}

function isOfFiles(argument: Argument): boolean {
  return /^files?$/.test(argument.name());
}
