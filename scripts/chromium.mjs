import { existsSync } from 'node:fs';

/** Named in messages of what is skipped without a browser. */
export const INSTALL_CHROMIUM = 'apt-get install chromium-headless-shell';

// The shell comes first: a page in it takes a third of the CPU time of one in the whole browser.
const PATHS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Path of the browser for tests: that of the variable CHROMIUM, or one at a usual path; undefined
 * if there is none.
 */
export const CHROMIUM = PATHS.find((path) => path !== undefined && existsSync(path));
