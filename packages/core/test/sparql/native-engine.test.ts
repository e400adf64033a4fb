import { registerContract, sparqlEngineContract } from '@rdf-worlds/testkit';
import { describe, it } from 'vitest';
import { type NativeEngineOptions, nativeEngine } from '../../src/index.ts';

describe.each<[string, NativeEngineOptions]>([
  ['as it comes', {}],
  ['in batches of one row', { batchRows: 1 }],
  ['in batches of three rows', { batchRows: 3 }],
  ['with the optimizer off', { optimize: false }],
])('the native engine keeps the contract of SparqlEngine: %s', (_, options) => {
  registerContract(
    sparqlEngineContract(() => nativeEngine(options)),
    it,
  );
});
