import { programBundles } from '../../../test/program-bundles.ts';

export const setup = programBundles('packages/comunica/', { 'query-process': 'test/query-process.ts' });
