import { programBundles } from '../../../test/program-bundles.ts';

export const setup = programBundles('packages/http/', {
  'memory-server-child': 'test/black-box/memory-server-child.ts',
  'hostile-server-child': 'test/hostile/hostile-server-child.ts',
  'victim-child': 'test/hostile/victim-child.ts',
});
