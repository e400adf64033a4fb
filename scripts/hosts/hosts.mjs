import { BROWSERS } from './browsers.mjs';
import { BUNDLERS } from './bundlers.mjs';
import { FRAMEWORKS } from './frameworks.mjs';
import { NODE_HOSTS } from './node.mjs';
import { RUNTIMES } from './runtimes.mjs';
import { TEST_RUNNERS } from './test-runners.mjs';

/**
 * Every host and bundler that `npm run hosts` checks, in the order of `docs/reference/hosts.md`:
 * - `name`: its row in the table; the command accepts any prefix of it;
 * - `ci`: whether `.ci/run` checks it: what the lock file installs already, or what installs in
 *   seconds;
 * - `install`: the npm packages it needs in addition to ours;
 * - `version`: the package whose version the table shows, or a function that returns the version;
 * - `runtime`: whether it runs JavaScript itself, in place of the Node that runs the command;
 * - `does`: what is run there; `settings`: what users must configure, if anything;
 * - `run`: runs it in a workshop and returns the output of each program;
 * - `done`: a text or pattern that each output must contain; by default {@link DONE} of the round.
 */
export const HOSTS = [...NODE_HOSTS, ...TEST_RUNNERS, ...FRAMEWORKS, ...BUNDLERS, ...RUNTIMES, ...BROWSERS];
