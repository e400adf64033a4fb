import { programBundles } from '../../../test/program-bundles.ts';

export const setup = programBundles('packages/storage-postgres/', {
  'crash-process': 'test/crash-process.ts',
  'counter-process': 'test/counter-process.ts',
});
