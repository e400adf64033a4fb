import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands.ts';
import { completionScript } from '../src/completion-script.ts';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
folder.write('data.ttl', '');
folder.write('two words.nq', '');
mkdirSync(folder.at('worlds-here'));

const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): string[] {
  const script = `${completionScript('bash', 'rdf-worlds', COMMANDS)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rdf_worlds; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const answer = execFileSync('bash', ['-uc', script, 'bash', 'rdf-worlds', ...words], { cwd: folder.at('') });
  return answer.toString().split('\n').filter(Boolean);
}

// Of systems without one of these shells the others are tested: nothing but the shell itself can
// tell what its script does.
describe.skipIf(!isThere('bash'))('the script for bash', () => {
  it('completes commands', () => {
    expect(offered('')).toEqual([...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))]);
    expect(offered('exp')).toEqual(['export', 'explain']);
    expect(offered('worlds', '')).toEqual(['list', 'create', 'get', 'update', 'delete']);
    expect(offered('worlds', 'l')).toEqual(['list']);
  });

  it('completes options and their values', () => {
    expect(offered('query', '--w')).toEqual(['--world', '--wide', '--worlds-memory-bytes']);
    expect(offered('worlds', 'list', '--wi')).toEqual(['--wide']);
    expect(offered('worlds', 'list', '--format', '')).toEqual(['table', 'json']);
    expect(offered('query', '--format', 'cs')).toEqual(['csv']);
    expect(offered('export', '--data', 'wor')).toEqual(['worlds-here']);
    expect(offered('query', '--world', '')).toEqual([]);
  });

  it('completes files, also those with spaces', () => {
    expect(offered('import', 't')).toEqual(['two words.nq']);
    expect(offered('query', '--load', 'da')).toEqual(['data.ttl']);
    expect(offered('query', 'da')).toEqual([]);
    expect(offered('completion', 'z')).toEqual(['zsh']);
  });
});

describe.each(['zsh', 'fish'])('the script for %s', (shell) => {
  it.skipIf(!isThere(shell))('is taken by it', () => {
    const path = folder.write(`script.${shell}`, completionScript(shell, 'rdf-worlds', COMMANDS));
    expect(spawnSync(shell, ['-n', path]).stderr.toString()).toBe('');
  });

  it('knows every command and option', () => {
    const script = completionScript(shell, 'rdf-worlds', COMMANDS);
    for (const { name, options } of COMMANDS) {
      for (const word of name.split(' ')) expect(script).toContain(word);
      for (const { long } of options) expect(script).toContain(shell === 'fish' ? ` -l ${long!.slice(2)}` : long);
    }
  });
});

describe.skipIf(!isThere('fish'))('the script for fish', () => {
  it('completes commands, options and values', () => {
    const path = folder.write('rdf-worlds.fish', completionScript('fish', 'rdf-worlds', COMMANDS));
    const complete = (line: string) =>
      execFileSync('fish', ['-c', `source '${path}'; complete -C '${line}'`], { cwd: folder.at('') })
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((entry) => entry.split('\t')[0]);
    expect(complete('rdf-worlds exp')).toEqual(['explain', 'export']);
    expect(complete('rdf-worlds worlds l')).toEqual(['list']);
    expect(complete('rdf-worlds query --wi')).toEqual(['--wide']);
    expect(complete('rdf-worlds worlds list --format j')).toEqual(['json']);
    expect(complete('rdf-worlds import da')).toEqual(['data.ttl']);
  });
});

it('is for shells that are known', async () => {
  expect((await callCommand(['completion', 'bash'])).stdout).toContain(
    'complete -o filenames -F _rdf_worlds rdf-worlds',
  );
  const { code, stderr } = await callCommand(['completion', 'tcsh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('use one of bash, zsh, fish')]);
});
