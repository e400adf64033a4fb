import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as application from '@rdf-worlds/core';
import * as embedders from '@rdf-worlds/core/embedders';
import * as internal from '@rdf-worlds/core/internal';
import * as plugin from '@rdf-worlds/core/plugin';
import * as remote from '@rdf-worlds/core/remote';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

/** The entries of core, each with the page that documents it. */
const ENTRIES = [
  { file: 'index', page: 'core', values: application },
  { file: 'plugin', page: 'core-plugin', values: plugin },
  { file: 'embedders', page: 'core-embedders', values: embedders },
  { file: 'internal', page: 'core-internal', values: internal },
  { file: 'remote', page: 'core-remote', values: remote },
];

/** Repeats names of the other entries, because it must not load them. */
const REPEATS = 'remote';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The names in the first column of the tables under a `value` heading. */
function documentedValues(page: string): string[] {
  const [, ...tables] = read(`docs/reference/${page}.md`).split(/^\| value \|.*$/m);
  return tables.flatMap((table) =>
    [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    ),
  );
}

/** The names that an entry exports, values and types, except those of `export *`. */
const exportedNames = (file: string) =>
  [...read(`packages/core/src/${file}.ts`).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter(Boolean),
  );

describe('the entries of core', () => {
  it.each(ENTRIES)('$page.md documents every value of $file.ts', ({ page, values }) => {
    expect(documentedValues(page).sort()).toEqual(Object.keys(values).sort());
  });

  it('export every name once', () => {
    const names = ENTRIES.filter(({ file }) => file !== REPEATS).flatMap(({ file }) => exportedNames(file));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('keep the entry for applications small', () => {
    expect(Object.keys(application).length).toBeLessThanOrEqual(45);
  });
});
