import { WorldsError } from '@rdf-worlds/core';
import type { ManifestEntry } from './manifest-entry.ts';
import { expectRejection, type TestBench } from './test-bench.ts';
import { inputFile, type TestRunner } from './test-runner.ts';

/**
 * What the engine refuses to *run*, or may not know (an extension function): then a well-formed
 * request is UNSUPPORTED, not INVALID_SPARQL.
 */
const MAY_BE_UNSUPPORTED = /\b(?:LOAD|SERVICE)\b|(?:>|\w*:\w+)\s*\(/i;
const NEEDS_GRAPH = /\b(?:CLEAR|DROP|ADD|MOVE|COPY)\b/i;

/** The request is understood: over an empty world it runs. */
export const sparqlPositiveSyntax: TestRunner = async (entry, bench) => {
  const text = await bench.files.text(inputFile(entry, 'action'));
  try {
    await run(entry, bench);
  } catch (error) {
    if (error instanceof WorldsError && isUnderstood(error.code, text)) return;
    throw error;
  }
};

/**
 * Errors of running a well-formed request over an empty world: no network, no extension functions,
 * and no graph to CLEAR or DROP (SPARQL 1.1 Update 3.2).
 */
function isUnderstood(code: string, text: string): boolean {
  return (code === 'UNSUPPORTED' && MAY_BE_UNSUPPORTED.test(text)) || (code === 'NOT_FOUND' && NEEDS_GRAPH.test(text));
}

export const sparqlNegativeSyntax: TestRunner = async (entry, bench) => {
  await expectRejection(run(entry, bench), 'INVALID_SPARQL');
};

async function run(entry: ManifestEntry, bench: TestBench): Promise<void> {
  const file = inputFile(entry, 'action');
  await bench.engine.sparql({
    query: await bench.files.text(file),
    sources: [await bench.world()],
    baseIri: file,
  });
}
