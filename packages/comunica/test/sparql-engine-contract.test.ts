import { registerContract, sparqlEngineContract } from '@rdf-worlds/testkit';
import { describe, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';
import { comunicaEngine } from '../src/index.ts';

describe('the contract of a SPARQL engine', () => {
  registerContract(
    inTurn(
      sparqlEngineContract(() => comunicaEngine()),
      3,
    ),
    it,
  );
});
