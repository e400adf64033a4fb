import { programBundles } from '../../../test/program-bundles.ts';

export const setup = programBundles('packages/http/', {
  'memory-server-child': 'test/black-box/memory-server-child.ts',
});
