import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Parser, type Term } from 'n3';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';

const SPARQL_11 = 'rdf-tests/sparql/sparql11';
const MANIFEST = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const QUERY = 'http://www.w3.org/2001/sw/DataAccess/tests/test-query#query';
const REQUEST = 'http://www.w3.org/2009/sparql/tests/test-update#request';
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/** Tests whose texts must be refused; the texts of all others must be taken. */
const NEGATIVE = /^Negative(Update)?SyntaxTest/;
const WITH_TEXT =
  /^(QueryEvaluationTest|UpdateEvaluationTest|CSVResultFormatTest|(Positive|Negative)(Update)?SyntaxTest11)$/;

let unpacked: string | undefined;
afterAll(() => unpacked && rmSync(unpacked, { recursive: true, force: true }));

/**
 * The folder of the SPARQL 1.1 suite: `RDF_WORLDS_W3C` (a suites folder or the archive), else the
 * archive in the shared folder beside the checkout.
 */
function suiteFolder(): string | undefined {
  const checkout = fileURLToPath(new URL('../../../../..', import.meta.url));
  const shared = process.env['RDF_WORLDS_SHARED'] || join(checkout, '..', 'shared');
  const place = resolve(process.env['RDF_WORLDS_W3C'] || join(shared, 'w3c', 'w3c-suites.tgz'));
  if (!existsSync(place)) return undefined;
  if (statSync(place).isDirectory()) return join(place, SPARQL_11);
  unpacked = mkdtempSync(join(tmpdir(), 'rdf-worlds-sparql11-'));
  execFileSync('tar', ['-xzf', place, '-C', unpacked, `suites/${SPARQL_11}`]);
  return join(unpacked, 'suites', SPARQL_11);
}

interface SyntaxTest {
  readonly name: string;
  readonly isNegative: boolean;
  readonly file: string;
}

function testsOf(folder: string): SyntaxTest[] {
  const path = join(folder, 'manifest.ttl');
  if (!existsSync(path)) return [];
  const quads = new Parser({ baseIRI: pathToFileURL(path).href }).parse(readFileSync(path, 'utf8'));
  const value = (subject: Term, predicate: string) =>
    quads.find((quad) => quad.subject.equals(subject) && quad.predicate.value === predicate)?.object;
  return quads.flatMap(({ subject, predicate, object }) => {
    const type = object.value.slice(MANIFEST.length);
    if (predicate.value !== TYPE || !object.value.startsWith(MANIFEST) || !WITH_TEXT.test(type)) return [];
    const action = value(subject, `${MANIFEST}action`)!;
    const file = action.termType === 'BlankNode' ? (value(action, QUERY) ?? value(action, REQUEST))! : action;
    return [
      { name: subject.value.replace(/^.*\/(?=[^/]+\/[^/]+$)/, ''), isNegative: NEGATIVE.test(type), file: file.value },
    ];
  });
}

const folder = suiteFolder();

describe('the W3C suite of SPARQL 1.1', () => {
  if (!folder) {
    it.skip('is missing next to the checkout: set RDF_WORLDS_W3C to the unpacked suites or their archive', () => {});
    return;
  }
  const tests = readdirSync(folder).flatMap((name) => testsOf(join(folder, name)));

  it('is whole', () => {
    expect(tests.filter(({ isNegative }) => isNegative).length).toBeGreaterThanOrEqual(61);
    expect(tests.length).toBeGreaterThanOrEqual(570);
  });

  it.each(tests.map((test) => [test.name, test] as const))('%s', (_, { isNegative, file }) => {
    const text = readFileSync(fileURLToPath(file), 'utf8');
    const prepare = () => prepareOperation(text, { baseIri: file });
    if (!isNegative) return void prepare();
    expect(prepare).toThrow(
      expect.objectContaining({
        code: 'INVALID_SPARQL',
        location: expect.objectContaining({ line: expect.any(Number) }),
      }),
    );
  });
});
