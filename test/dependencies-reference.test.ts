import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`);
const manifests = ['.', ...packages, 'packages/bench/peers'].map(
  (folder) =>
    JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies' | 'optionalDependencies',
      Record<string, string> | undefined
    >,
);

it('docs/dependencies.md gives a reason for every dependency, and for no other', () => {
  const used = manifests
    .flatMap((each) => [each.dependencies, each.devDependencies, each.optionalDependencies])
    .flatMap((each) => Object.keys(each ?? {}))
    .filter((name) => !name.startsWith('@rdf-worlds/'));
  const listed = [...readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)].map(
    (row) => row[1]!,
  );
  expect(listed.sort()).toEqual([...new Set(used)].sort());
});
