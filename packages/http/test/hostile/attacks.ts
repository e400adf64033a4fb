import type { Attack } from './attack.ts';
import { BODIES } from './attacks/bodies.ts';
import { CONNECTIONS } from './attacks/connections.ts';
import { DOCUMENTS } from './attacks/documents.ts';
import { FEEDS } from './attacks/feeds.ts';
import { HEADERS_AND_PATHS } from './attacks/headers.ts';
import { QUERIES } from './attacks/queries.ts';
import { SEARCHES } from './attacks/searches.ts';
import { UPDATES } from './attacks/updates.ts';
import { WORLDS } from './attacks/worlds.ts';

/** Every attack; adding one is adding a row to its table. */
export const ATTACKS: readonly Attack[] = [
  ...QUERIES,
  ...UPDATES,
  ...DOCUMENTS,
  ...BODIES,
  ...SEARCHES,
  ...FEEDS,
  ...WORLDS,
  ...HEADERS_AND_PATHS,
  ...CONNECTIONS,
];
