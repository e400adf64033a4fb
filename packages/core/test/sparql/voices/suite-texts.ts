import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VoicedText } from './voices.ts';

const CHECKOUT = fileURLToPath(new URL('../../../../..', import.meta.url));

/**
 * All queries and updates of the SPARQL suites of the W3C, or undefined if the suites are absent.
 * `RDF_WORLDS_W3C` names a folder with the suites or their archive. Default: the archive in the
 * shared folder next to the checkout. The archive of the 1.2 suites is read from the same folder,
 * if it exists.
 */
export function suiteTexts(): VoicedText[] | undefined {
  const shared = process.env['RDF_WORLDS_SHARED'] || join(CHECKOUT, '..', 'shared');
  const place = resolve(process.env['RDF_WORLDS_W3C'] || join(shared, 'w3c', 'w3c-suites.tgz'));
  if (!existsSync(place)) return undefined;
  if (statSync(place).isDirectory()) return textsBelow(join(place, 'rdf-tests', 'sparql'));
  const unpacked = mkdtempSync(join(tmpdir(), 'rdf-worlds-voices-'));
  try {
    const sparql = join(unpacked, 'suites', 'rdf-tests');
    execFileSync('tar', ['-xzf', place, '-C', unpacked, 'suites/rdf-tests/sparql']);
    const second = join(dirname(place), 'w3c-12.tgz');
    mkdirSync(sparql, { recursive: true });
    if (existsSync(second)) execFileSync('tar', ['-xzf', second, '-C', sparql, 'sparql']);
    return textsBelow(join(sparql, 'sparql'));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function textsBelow(folder: string): VoicedText[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.r[qu]$/.test(entry.name))
    .map(({ parentPath, name }) => {
      const file = relative(folder, join(parentPath, name)).replaceAll('\\', '/');
      return { name: file, text: readFileSync(join(folder, file), 'utf8'), isSparql11: !file.startsWith('sparql12/') };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
