import { existsSync } from 'node:fs';

/** `apt-get install chromium`, or a browser of your own in this variable. */
const PATHS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, if there is one. */
export const CHROMIUM = PATHS.find((path) => path !== undefined && existsSync(path));
