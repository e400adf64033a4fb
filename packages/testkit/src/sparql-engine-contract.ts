import type { SparqlEngine } from '@rdf-worlds/core/plugin';
import type { ContractCase } from './contract-case.ts';
import { bindingCases } from './sparql/binding-cases.ts';
import { datasetCases } from './sparql/dataset-cases.ts';
import { EngineProbe } from './sparql/engine-probe.ts';
import { limitCases } from './sparql/limit-cases.ts';
import { preparationCases } from './sparql/preparation-cases.ts';
import { queryFormCases } from './sparql/query-form-cases.ts';
import { randomCases } from './sparql/random-cases.ts';
import { refusalCases } from './sparql/refusal-cases.ts';
import { updateCases } from './sparql/update-cases.ts';

/**
 * The contract of every {@link SparqlEngine}, as test cases over the naive model: what a prepared
 * text says of itself, query forms, datasets, bindings, refusals, updates, cancellation and limits.
 * Does not repeat the W3C suites. `make` is called once per case and must return an engine that
 * refuses every SERVICE.
 */
export function sparqlEngineContract(make: () => SparqlEngine): readonly ContractCase[] {
  return [
    ...preparationCases,
    ...queryFormCases,
    ...datasetCases,
    ...bindingCases,
    ...refusalCases,
    ...updateCases,
    ...limitCases,
    ...randomCases,
  ].map(({ name, run }) => ({ name, run: () => run(new EngineProbe(make())) }));
}
