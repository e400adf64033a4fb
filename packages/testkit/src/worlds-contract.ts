import type { Worlds } from '@rdf-worlds/core';
import type { ContractCase } from './contract-case.ts';
import { consistencyCases } from './worlds/consistency-cases.ts';
import { dataCases } from './worlds/data-cases.ts';
import { importCases } from './worlds/import-cases.ts';
import { pastCases } from './worlds/past-cases.ts';
import { queryCases } from './worlds/query-cases.ts';
import { recordCases } from './worlds/record-cases.ts';
import { refusalCases } from './worlds/refusal-cases.ts';
import { searchCases } from './worlds/search-cases.ts';
import { termCases } from './worlds/term-cases.ts';
import { timeCases } from './worlds/time-cases.ts';
import { WorldsProbe } from './worlds/worlds-probe.ts';

/** Worlds without any world, and what ends them. */
export interface MadeWorlds {
  readonly worlds: Worlds;
  /** Releases what the worlds need. Called after `worlds.close()`. */
  readonly dispose?: (() => Promise<void>) | undefined;
}

/**
 * Makes worlds whose caller may do everything in all namespaces, and that keep a history of at
 * least ten revisions.
 */
export type MakeWorlds = () => Promise<MadeWorlds>;

/**
 * The contract of every {@link Worlds}, as test cases: records, imports of every kind of input,
 * terms in results, streams, updates, search, conditions, and the code of every error. An engine in
 * the process and a client of a server pass the same cases. `make` is called once per case.
 */
export function worldsContract(make: MakeWorlds): readonly ContractCase[] {
  return [
    ...recordCases,
    ...importCases,
    ...dataCases,
    ...queryCases,
    ...termCases,
    ...searchCases,
    ...pastCases,
    ...timeCases,
    ...consistencyCases,
    ...refusalCases,
  ].map(({ name, run }) => ({
    name,
    async run() {
      const { worlds, dispose } = await make();
      try {
        await run(new WorldsProbe(worlds));
      } finally {
        await worlds.close();
        await dispose?.();
      }
    },
  }));
}
