import { programBundles } from '../../../test/program-bundles.ts';

/** The command, whose row `mcp` is the server over stdio. */
export const setup = programBundles('packages/cli/', { main: 'src/main.ts' });
