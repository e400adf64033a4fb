import { expect, it } from 'vitest';
import { packageVersion } from '../src/package-version.ts';

it.each(['oxigraph', 'n3', '@comunica/query-sparql-rdfjs'])('%s has a version', (name) => {
  expect(packageVersion(name)).toMatch(/^\d+\.\d+\.\d+/);
});

it('a missing package has no version', () => {
  expect(() => packageVersion('no-such-package-anywhere')).toThrow('no-such-package-anywhere');
});
