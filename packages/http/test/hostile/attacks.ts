import type { Attack } from './attack.ts';
import { AGENTS } from './attacks/agents.ts';
import { BODIES } from './attacks/bodies.ts';
import { CANONICAL } from './attacks/canonical.ts';
import { CONNECTIONS } from './attacks/connections.ts';
import { DOCUMENTS } from './attacks/documents.ts';
import { EXPORTS_AND_PATCHES } from './attacks/exports.ts';
import { FEEDS } from './attacks/feeds.ts';
import { FOLLOWERS } from './attacks/followers.ts';
import { FRAMES } from './attacks/frames.ts';
import { HEADERS_AND_PATHS } from './attacks/headers.ts';
import { MCP_ATTACKS } from './attacks/mcp.ts';
import { PAGES } from './attacks/pages.ts';
import { PARAMETERS } from './attacks/parameters.ts';
import { QUERIES } from './attacks/queries.ts';
import { SEARCHES } from './attacks/searches.ts';
import { SLOW_FEEDS } from './attacks/slow-feeds.ts';
import { UPDATES } from './attacks/updates.ts';
import { WORLDS } from './attacks/worlds.ts';

/** Attacks that are written by hand; adding one is adding a row to its table. */
export const WRITTEN_ATTACKS: readonly Attack[] = [
  ...QUERIES,
  ...UPDATES,
  ...DOCUMENTS,
  ...BODIES,
  ...SEARCHES,
  ...FEEDS,
  ...WORLDS,
  ...EXPORTS_AND_PATCHES,
  ...CANONICAL,
  ...FRAMES,
  ...SLOW_FEEDS,
  ...AGENTS,
  ...FOLLOWERS,
  ...MCP_ATTACKS,
  ...PAGES,
  ...HEADERS_AND_PATHS,
  ...CONNECTIONS,
];

/** Every attack, those on all parameters too. */
export const ATTACKS: readonly Attack[] = [...WRITTEN_ATTACKS, ...PARAMETERS];
