import { programBundles } from '../../../test/program-bundles.ts';

const CHILDREN = ['comunica', 'durable', 'first-answer', 'http-server', 'load-memory', 'shared', 'worlds'];

export const setup = programBundles(
  'packages/bench/',
  Object.fromEntries(CHILDREN.map((name) => [`${name}-child`, `src/${name}-child.ts`])),
);
