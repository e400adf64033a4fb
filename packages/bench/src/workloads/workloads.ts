import type { NamedQuery } from '../sparql/named-query.ts';
import { commerceDataset } from './commerce-data.ts';
import { COMMERCE_QUERIES } from './commerce-queries.ts';
import type { Dataset } from './entity.ts';
import { sensorsDataset } from './sensors-data.ts';
import { SENSORS_QUERIES } from './sensors-queries.ts';
import { socialDataset } from './social-data.ts';
import { SOCIAL_QUERIES } from './social-queries.ts';

export interface GeneratedWorkload {
  /**
   * The same seed and scale give the same data on every machine; scale 1 is about 900,000 triples.
   */
  dataset(settings: { readonly seed: number; readonly scale: number }): Dataset;
  readonly queries: readonly NamedQuery[];
}

/** Generated workloads by their word in `--workload`. To add one, add a row. */
export const GENERATED_WORKLOADS = {
  commerce: { dataset: commerceDataset, queries: COMMERCE_QUERIES },
  sensors: { dataset: sensorsDataset, queries: SENSORS_QUERIES },
  social: { dataset: socialDataset, queries: SOCIAL_QUERIES },
} as const satisfies Readonly<Record<string, GeneratedWorkload>>;

export type WorkloadName = keyof typeof GENERATED_WORKLOADS;
export const WORKLOAD_NAMES = Object.keys(GENERATED_WORKLOADS) as WorkloadName[];
