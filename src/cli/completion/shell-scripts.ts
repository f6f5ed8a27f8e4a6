import type { CompletedCommand, CompletedOption, CompletedValue, OfferedWord } from './completed-commands.js';

/** Shells with a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** The script that makes a shell offer the words of commands; it needs no further call of the command. */
export const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Text that bash, zsh and fish take as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Patterns of `case`. */
function patterns(words: readonly string[]): string {
  return words.map(quoted).join(' | ');
}

/** The paths of commands below the first one, which words lead to. */
function subcommandPaths([, ...commands]: readonly CompletedCommand[]): string[] {
  return commands.map(({ path }) => path);
}

/** Options behind which a value stands, by their command. */
function valuedOptions(
  commands: readonly CompletedCommand[],
): { readonly places: readonly string[]; readonly value: CompletedValue }[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined ? [] : [{ places: flags.map((flag) => `${path} ${flag}`), value }],
    ),
  );
}

function wordsOf({ commands, options, arguments: { words } }: CompletedCommand): OfferedWord[] {
  return [
    ...commands,
    ...words.map((word) => ({ word, description: '' })),
    ...options.flatMap(({ flags, description }) => flags.map((word) => ({ word, description }))),
  ];
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const values = valuedOptions(commands).map(({ places, value: { words, isFile } }) =>
    [`    ${patterns(places)})`, `offered=${quoted(words.join(' '))}`, ...(isFile ? ['files=1'] : []), ';;'].join(' '),
  );
  const lists = commands.map((command) => {
    const words = wordsOf(command).map(({ word }) => word);
    const files = command.arguments.isFile ? ' files=1' : '';
    return `    ${quoted(command.path)}) offered=${quoted(words.join(' '))}${files} ;;`;
  });
  return `# Completion of gatehouse in bash: source <(gatehouse completion bash)
_gatehouse() {
  local word='' last=\${COMP_WORDS[COMP_CWORD]} path=gatehouse offered='' files=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${patterns(subcommandPaths(commands))}) path="$path $word" ;;
    esac
  done
  case "$path $word" in
${values.join('\n')}
    *) case "$path" in
${lists.join('\n')}
    esac ;;
  esac
  COMPREPLY=()
  while read -r word; do
    [[ -n $word ]] && COMPREPLY+=("$word")
  done < <(compgen -W "$offered" -- "$last"; [[ -z $files ]] || compgen -f -- "$last")
  [[ -z $files ]] || compopt -o filenames 2> /dev/null
}
complete -F _gatehouse gatehouse
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = (words: readonly OfferedWord[]): string =>
    words
      .map(({ word, description }) =>
        quoted(`${word.replaceAll(':', String.raw`\:`)}${description && `:${description}`}`),
      )
      .join(' ');
  const values = valuedOptions(commands).map(({ places, value: { words, isFile } }) => {
    const offered = described(words.map((word) => ({ word, description: '' })));
    return `    ${patterns(places)}) offered=(${offered})${isFile ? ' files=1' : ''} ;;`;
  });
  const lists = commands.map((command) => {
    const files = command.arguments.isFile ? ' files=1' : '';
    return `    ${quoted(command.path)}) offered=(${described(wordsOf(command))})${files} ;;`;
  });
  return `#compdef gatehouse
# Completion of gatehouse in zsh: source <(gatehouse completion zsh), or a file _gatehouse in a directory of fpath.
_gatehouse() {
  local word='' at=gatehouse files=''
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${patterns(subcommandPaths(commands))}) at="$at $word" ;;
    esac
  done
  case "$at $word" in
${values.join('\n')}
    *) case "$at" in
${lists.join('\n')}
    esac ;;
  esac
  if (( $#offered )) _describe -t words gatehouse offered
  if [[ -n $files ]] _files
  return 0
}
if [[ $funcstack[1] = _gatehouse ]]; then _gatehouse "$@"; else compdef _gatehouse gatehouse; fi
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, commands: below, options, arguments: { words, isFile } }) => {
    const complete = `complete -c gatehouse -n ${quoted(`test (__gatehouse_at) = '${path}'`)}`;
    return [
      ...below.map(({ word, description }) => `${complete} -a ${quoted(word)} -d ${quoted(description)}`),
      ...(words.length === 0 ? [] : [`${complete} -a ${quoted(words.join(' '))}`]),
      ...(isFile ? [`${complete} -F`] : []),
      ...options.map((option) => `${complete} ${fishOption(option)}`),
    ];
  });
  return `# Completion of gatehouse in fish: gatehouse completion fish | source
function __gatehouse_at
  set -l at gatehouse
  for word in (commandline -opc)
    switch "$at $word"
      case ${subcommandPaths(commands).map(quoted).join(' ')}
        set at "$at $word"
    end
  end
  echo $at
end
complete -c gatehouse -f
${lines.join('\n')}
`;
}

function fishOption({ flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const offered = value === undefined || value.words.length === 0 ? [] : [`-a ${quoted(value.words.join(' '))}`];
  const kind = value === undefined ? [] : [value.isFile ? '-r -F' : '-x'];
  return [...names, ...kind, ...offered, `-d ${quoted(description)}`].join(' ');
}
