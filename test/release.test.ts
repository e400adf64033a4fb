import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

interface Release {
  readonly version: string;
  readonly changelog: string;
  readonly changes: string;
  readonly tags: readonly string[];
  readonly registry: string;
  readonly env: Readonly<Record<string, string>>;
}

/** By address, because the scripts are JavaScript without declarations. */
const { changelogVersions, releaseProblems } = (await import(
  /* @vite-ignore */ join(ROOT, 'scripts/release-problems.mjs')
)) as {
  changelogVersions(text: string): { version: string; date?: string; entries: number }[];
  releaseProblems(release: Release): string[];
};

describe('CHANGELOG.md', () => {
  const versions = changelogVersions(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));

  it('starts with the version of the packages', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'));
    expect(versions[0]?.version).toBe(version);
  });

  it('has a date and entries for each version but the unreleased one, the newest first', () => {
    for (const { version, date, entries } of versions.slice(1))
      expect([version, date, entries > 0]).toEqual([version, expect.any(String), true]);
    const numbers = versions.map(({ version }) => version.split(/[.-]/).slice(0, 3).map(Number));
    const descending = [...numbers].sort((a, b) => b[0]! - a[0]! || b[1]! - a[1]! || b[2]! - a[2]!);
    expect(numbers).toEqual(descending);
  });
});

describe('a release', () => {
  const ready: Release = {
    version: '0.2.0',
    changelog:
      '# Changelog\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- This.\n\n## 0.1.0 (2026-11-01)\n\n- That.\n- More.\n',
    changes: '',
    tags: ['v0.2.0', ''],
    registry: 'https://registry.npmjs.org/',
    env: { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ci.example' },
  };

  it('reads the versions of the changelog', () => {
    expect(changelogVersions(ready.changelog)).toEqual([
      { version: '0.2.0', date: '2026-12-01', entries: 1 },
      { version: '0.1.0', date: '2026-11-01', entries: 2 },
    ]);
  });

  it('goes ahead when nothing is missing', () => {
    expect(releaseProblems(ready)).toEqual([]);
    expect(releaseProblems({ ...ready, registry: 'http://127.0.0.1:4873/', env: {} })).toEqual([]);
  });

  it.each<[string, Partial<Release>, RegExp]>([
    [
      'a version that the changelog does not have',
      { version: '0.3.0', tags: ['v0.3.0'] },
      /starts with 0\.2\.0; add a section "## 0\.3\.0/,
    ],
    ['a changelog without versions', { changelog: '' }, /starts with no version/],
    ['an unreleased version', { changelog: '## 0.2.0 (unreleased)\n\n- This.\n' }, /write the date/],
    ['a version without entries', { changelog: '## 0.2.0 (2026-12-01)\n' }, /no entries for 0\.2\.0/],
    ['changes that are not committed', { changes: ' M README.md\n' }, /not committed:\n M README\.md$/],
    ['a commit without the tag', { tags: ['v0.1.0'] }, /git tag v0\.2\.0/],
    ['a machine that cannot attest provenance', { env: {} }, /GitHub Actions with "id-token: write"/],
  ])('is refused for %s', (_, change, message) => {
    expect(releaseProblems({ ...ready, ...change })).toEqual([expect.stringMatching(message)]);
  });
});
