import { argument, type Command, UsageError } from '../command.ts';

type Commands = Readonly<Record<string, Command>>;

/** Words that may follow a command. */
const wordsOf = ({ options, subcommands = [] }: Command): string =>
  [...subcommands, ...[...Object.keys(options), 'url', 'index', 'json', 'help'].map((name) => `--${name}`)].join(' ');

const bash = (commands: Commands): string => `_strata() {
  local words
  case "\${COMP_CWORD}:\${COMP_WORDS[1]}" in
    1:*) words="${Object.keys(commands).join(' ')}" ;;
${Object.entries(commands)
  .map(([name, command]) => `    *:${name}) words="${wordsOf(command)}" ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _strata strata`;

const fish = (commands: Commands): string =>
  Object.entries(commands)
    .flatMap(([name, command]) => [
      `complete -c strata -n __fish_use_subcommand -a ${name} -d '${command.summary}'`,
      `complete -c strata -n '__fish_seen_subcommand_from ${name}' -a '${wordsOf(command)}'`,
    ])
    .join('\n');

const powershell = (
  commands: Commands,
): string => `Register-ArgumentCompleter -Native -CommandName strata -ScriptBlock {
  param($word, $line, $cursor)
  $words = @{
${Object.entries(commands)
  .map(([name, command]) => `    '${name}' = '${wordsOf(command)}'`)
  .join('\n')}
  }
  $typed = @($line.CommandElements | ForEach-Object { "$_" })
  $isFirst = $typed.Count -lt 2 -or ($typed.Count -eq 2 -and $word -ne '')
  $found = if ($isFirst) { $words.Keys | Sort-Object } else { "$($words[$typed[1]])" -split ' ' }
  $found | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`;

export const completion = (commands: () => Commands): Command => ({
  usage: 'completion bash|zsh|fish|powershell',
  summary: 'prints a completion script for a shell',
  options: {},
  subcommands: ['bash', 'zsh', 'fish', 'powershell'],
  run: async (call) => {
    const shell = argument(call, 0, 'The shell');
    const scripts: Readonly<Record<string, string>> = {
      bash: bash(commands()),
      zsh: `autoload -Uz bashcompinit && bashcompinit\n${bash(commands())}`,
      fish: fish(commands()),
      powershell: powershell(commands()),
    };
    const script = scripts[shell];
    if (script === undefined)
      throw new UsageError(`There is no completion for "${shell}". Give bash, zsh, fish or powershell.`);
    process.stdout.write(`${script}\n`);
  },
});
