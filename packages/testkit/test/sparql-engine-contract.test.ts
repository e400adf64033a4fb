import type { SparqlEngine } from '@rdf-worlds/core/plugin';
import { describe, expect, it } from 'vitest';
import { sparqlEngineContract } from '../src/index.ts';

// That the contract can be kept is tested where there is an engine: in the packages of the engines.
describe('the contract of a SPARQL engine', () => {
  it('has cases with names of their own', () => {
    const names = sparqlEngineContract(() => ({ name: 'none', prepare: () => Promise.reject(new Error('no')) })).map(
      (each) => each.name,
    );
    expect(names.length).toBeGreaterThan(200);
    expect(new Set(names).size).toBe(names.length);
  });

  const BROKEN: Readonly<Record<string, SparqlEngine['prepare']>> = {
    'fails without a code': () => Promise.reject(new Error('no')),
    'takes everything for an empty SELECT': async () => ({
      type: 'query',
      form: 'select',
      evaluate: async () => ({ type: 'bindings', variables: [], batches: (async function* () {})() }),
    }),
    'takes everything for an update that does nothing': async () => ({
      type: 'update',
      execute: async () => undefined,
    }),
  };

  for (const [name, prepare] of Object.entries(BROKEN)) {
    it(`is not kept by an engine that ${name}`, async () => {
      const cases = sparqlEngineContract(() => ({ name, prepare }));
      const results = await Promise.allSettled(cases.map((each) => each.run()));
      const kept = cases.filter((_, index) => results[index].status === 'fulfilled').map((each) => each.name);
      // An engine that does nothing is right where nothing is to be done, but nowhere else.
      expect(kept.length).toBeLessThan(cases.length / 10);
      if (name === 'fails without a code') expect(kept).toEqual([]);
    });
  }
});
