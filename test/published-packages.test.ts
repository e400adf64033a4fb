import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fences } from './documents.ts';
import { ROOT } from './source-imports.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** The one place that says where the repository is; the packages and their READMEs follow it. */
const repository: { type: string; url: string } = JSON.parse(read('package.json')).repository;
const web = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

const published = readdirSync(join(ROOT, 'packages'))
  .map((folder) => ({ folder, manifest: JSON.parse(read(`packages/${folder}/package.json`)) }))
  .filter(({ manifest }) => !manifest.private);

describe.each(published)('$manifest.name', ({ folder, manifest }) => {
  const readme = `packages/${folder}/README.md`;

  it('says on npm what it is, where it comes from and how it is published', () => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/\S/),
      license: 'MIT',
      homepage: `${web}/tree/main/packages/${folder}#readme`,
      bugs: `${web}/issues`,
      repository: { ...repository, directory: `packages/${folder}` },
      publishConfig: { access: 'public', provenance: true },
      engines: { node: expect.any(String) },
    });
    expect(manifest.keywords).toContain('rdf');
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length);
  });

  it('has the version of all packages, and asks for that version of the others', () => {
    const version = JSON.parse(read('packages/core/package.json')).version;
    expect(manifest.version).toBe(version);
    const names = published.map((each) => each.manifest.name);
    for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }))
      if (names.includes(name)) expect([name, range]).toEqual([name, version]);
  });

  it('has a README that says first how to install it', () => {
    const [install] = fences(readme, 'sh');
    expect(install?.code.split(/\s+/)).toEqual(expect.arrayContaining(['npm', 'install', manifest.name]));
    const others = ['ts', 'typescript', 'js'].flatMap((language) => fences(readme, language));
    for (const { line } of others) expect(line).toBeGreaterThan(install!.line);
  });

  // npm shows READMEs away from the repository, where relative links lead nowhere.
  it('has a README without relative links, whose links into the repository lead to files', () => {
    const links = [...read(readme).matchAll(/\]\(([^)\s]+)\)/g)].map((link) => link[1]!);
    expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
    const files = links
      .filter((link) => link.startsWith(`${web}/`))
      .map((link) => /^\/(?:blob|tree)\/main\/([^#]+)/.exec(link.slice(web.length))?.[1]);
    expect(files.filter((file) => file === undefined || !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

it('no other address of the repository is written down anywhere that readers look', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...published.map(({ folder }) => `packages/${folder}/README.md`),
  ];
  const foreign = documents.flatMap((file) =>
    [...read(file).matchAll(/https:\/\/github\.com\/[\w-]*worlds[\w-]*\/[\w-]+/g)]
      .map((match) => match[0])
      .filter((address) => address !== web)
      .map((address) => `${file}: ${address}`),
  );
  expect(foreign).toEqual([]);
});
