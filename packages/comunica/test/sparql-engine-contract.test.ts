import { registerContract, sparqlEngineContract } from '@rdf-worlds/testkit';
import { describe, it } from 'vitest';
import { comunicaEngine } from '../src/index.ts';

describe('the contract of a SPARQL engine', () => {
  registerContract(
    sparqlEngineContract(() => comunicaEngine()),
    it,
  );
});
