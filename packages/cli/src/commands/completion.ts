import type { Command } from '../command.ts';
import { writeText } from '../output.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The command that prints completion scripts for system shells.
 *
 * @param commands the table of all commands, including this one
 */
export const completion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print the script that lets bash, zsh or fish complete command lines.',
  operand: '<SHELL>',
  options: [],
  notes: [
    'bash: source <(rdf-worlds completion bash)   in ~/.bashrc',
    'zsh:  source <(rdf-worlds completion zsh)    in ~/.zshrc, after compinit',
    'fish: rdf-worlds completion fish > ~/.config/fish/completions/rdf-worlds.fish',
  ],
  async run(given) {
    const [shell] = given.operands;
    const { COMPLETED_SHELLS, completionScript } = await import('../completion-script.ts');
    if (!COMPLETED_SHELLS.includes(shell)) {
      throw new UsageError(
        `completion: ${JSON.stringify(shell)} is not a supported shell; use one of ${COMPLETED_SHELLS.join(', ')}.`,
      );
    }
    await writeText(completionScript(shell, 'rdf-worlds', commands()));
  },
});
