import { programBundles } from '../../../test/program-bundles.ts';

export const setup = programBundles('packages/cli/', { main: 'src/main.ts' });
