import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

interface Host {
  readonly name: string;
  readonly ci?: boolean;
  readonly install: readonly string[];
  readonly does: string;
  readonly settings?: string;
}

/** By address, because the scripts are JavaScript without declarations. */
const script = (file: string) => import(/* @vite-ignore */ join(ROOT, 'scripts/hosts', file));
const { HOSTS } = (await script('hosts.mjs')) as { HOSTS: readonly Host[] };
const { tableRows } = (await script('table.mjs')) as { tableRows(): readonly Record<string, string>[] };

/** What CI installs in addition to the lock file. */
const RUNTIMES = ['Bun', 'Deno'];

describe('docs/reference/hosts.md', () => {
  const rows = tableRows();

  it('has a row for each host that npm run hosts checks, in its order and words', () => {
    const said = rows.map(({ name, does, settings }) => ({ name, does, settings }));
    expect(said).toEqual(HOSTS.map(({ name, does, settings = 'nothing' }) => ({ name, does, settings })));
  });

  it.each(rows)('$name passed, or was not checked for a reason', ({ result, version, on }) => {
    expect(result).toMatch(/^(passed$|not checked here: .)/);
    if (result === 'passed')
      expect([version, on]).toEqual([expect.stringMatching(/^\d+\./), expect.stringMatching(/./)]);
  });

  it.each(HOSTS.filter(({ ci, name }) => ci && !RUNTIMES.includes(name)))(
    '$name in CI needs only what the lock file has',
    ({ install }) => {
      const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
      for (const specifier of install) {
        const [, name, major] = /^(.+)@\^(\d+)/.exec(specifier)!;
        expect(locked[`node_modules/${name}`]?.version).toMatch(new RegExp(`^${major}\\.`));
      }
    },
  );
});
