import type { ContractCase } from './contract-case.ts';
import { appendCases } from './storage/append-cases.ts';
import { checkpointCases } from './storage/checkpoint-cases.ts';
import { claimCases } from './storage/claim-cases.ts';
import { generationCases } from './storage/generation-cases.ts';
import { lifecycleCases } from './storage/lifecycle-cases.ts';
import { namespaceCases } from './storage/namespace-cases.ts';
import { readCases } from './storage/read-cases.ts';
import { reservationCases } from './storage/reservation-cases.ts';
import { salvageCases } from './storage/salvage-cases.ts';
import { type MakeStoragePlace, StorageProbe } from './storage/storage-probe.ts';

/**
 * The contract of a `Storage`. Every case has its own place, with one storage open over it at a
 * time. Machine failures, above all power cuts, are not covered: a driver that declares itself
 * durable must test them itself.
 */
export function storageContract(makePlace: MakeStoragePlace): readonly ContractCase[] {
  const cases: ContractCase[] = [];
  const it = (name: string, test: (probe: StorageProbe) => Promise<void>, options?: { open: boolean }): void => {
    cases.push({ name, run: () => StorageProbe.run(makePlace, test, options) });
  };
  lifecycleCases(it);
  appendCases(it);
  readCases(it);
  checkpointCases(it);
  claimCases(it);
  generationCases(it);
  namespaceCases(it);
  reservationCases(it);
  salvageCases(it);
  return cases;
}
