/**
 * `@rdf-worlds/testkit`: the contracts of plug-ins as test cases, and naive models to compare with.
 *
 * @module @rdf-worlds/testkit
 */
export { type ContractCase, registerContract } from './contract-case.ts';
export {
  NaiveDataset,
  type NaiveDatasetOptions,
  type NaiveQuad,
  type NaiveWorld,
  naiveDataset,
} from './naive-dataset.ts';
export { NaiveTermSource } from './naive-term-source.ts';
export { NaiveUpdateView } from './naive-update-view.ts';
export { type MadeQuadSource, type MakeQuadSource, quadSourceContract } from './quad-source-contract.ts';
export { HOSTILE_STRINGS, type RandomQuadsOptions, randomQuads } from './random-quads.ts';
export { SeededRandom } from './seeded-random.ts';
export {
  type SimulatedTurnCounts,
  type SimulationOptions,
  type SimulationReport,
  simulate,
} from './simulation/simulate.ts';
export { simulationFailure } from './simulation/simulation-failure.ts';
export type { SimulationFaults } from './simulation/simulation-faults.ts';
export type { SimulationCheck, SimulationViolation } from './simulation/simulation-oracle.ts';
export type { OperationKind, SimulationWorkload } from './simulation/simulation-workload.ts';
export { sparqlEngineContract } from './sparql-engine-contract.ts';
export type { MakeStoragePlace, StoragePlace } from './storage/storage-probe.ts';
export { storageContract } from './storage-contract.ts';
export { quadKey, termKey } from './term-key.ts';
export { textIndexContract } from './text-index-contract.ts';
export { type VectorIndexContractOptions, vectorIndexContract } from './vector-index-contract.ts';
export { type MadeWorlds, type MakeWorlds, worldsContract } from './worlds-contract.ts';
