import type { RdfDirection } from '@rdf-worlds/core';
import { expectedQuads, expectIsomorphic } from './dataset-comparison.ts';
import type { ManifestEntry } from './manifest-entry.ts';
import { Mismatch } from './mismatch.ts';
import { expectRejection, type TestBench } from './test-bench.ts';
import { inputFile, type TestRunner } from './test-runner.ts';

const JSON_LD = 'application/ld+json';
/** What the manifests' own paths are relative to. */
const TESTS = 'https://w3c.github.io/json-ld-api/tests/';

/**
 * The option `base` is the engine's `baseIri`, `expandContext` its `context`, `rdfDirection` has
 * the same name; the other options have no counterpart and are in the tables of skips and known
 * failures.
 */
async function importDocument(entry: ManifestEntry, bench: TestBench, world: string): Promise<void> {
  const base = entry.options.get('base');
  const expandContext = entry.options.get('expandContext');
  const context =
    typeof expandContext === 'string'
      ? JSON.parse(await bench.files.text(new URL(expandContext, TESTS).href))
      : undefined;
  const baseIri = typeof base === 'string' ? base : undefined;
  await bench.import(world, inputFile(entry, 'action'), { baseIri, context, rdfDirection: rdfDirectionOf(entry) });
}

function rdfDirectionOf(entry: ManifestEntry): RdfDirection | undefined {
  return entry.options.get('rdfDirection') as RdfDirection | undefined;
}

export const toRdfSyntax: TestRunner = async (entry, bench) => {
  await importDocument(entry, bench, await bench.world());
};

/**
 * The document is refused as INVALID_RDF; which of the JSON-LD error codes it was is not told apart
 * by the engine.
 */
export const toRdfNegative: TestRunner = async (entry, bench) => {
  await expectRejection(importDocument(entry, bench, await bench.world()), 'INVALID_RDF');
};

export const toRdfEvaluation: TestRunner = async (entry, bench) => {
  const world = await bench.world();
  await importDocument(entry, bench, world);
  expectIsomorphic(await bench.quads(world), await expectedQuads(inputFile(entry, 'result'), bench.files));
};

/**
 * The N-Quads are exported as JSON-LD, and that document is the same dataset when it is read again
 * (see README, "fromRdf").
 */
export const fromRdfRoundTrip: TestRunner = async (entry, bench) => {
  const source = inputFile(entry, 'action');
  const world = await bench.world();
  await bench.import(world, source);
  const options = { contentType: JSON_LD, rdfDirection: rdfDirectionOf(entry) };
  const exported = await bench.engine.export({ source: world, ...options });
  const again = await bench.world();
  await bench.engine.import({ source: again, data: exported, baseIri: source, ...options });
  expectIsomorphic(await bench.quads(again), await expectedQuads(source, bench.files));
};

/** What JSON-LD cannot say is refused by the export, not written wrongly. */
export const fromRdfNegative: TestRunner = async (entry, bench) => {
  const world = await bench.world();
  await bench.import(world, inputFile(entry, 'action'));
  const exported = await bench.engine.export({ source: world, contentType: JSON_LD }).catch(() => undefined);
  if (exported) throw new Mismatch(`exported, and has to be refused (${entry.options.get('expectErrorCode')})`);
};
