import type { ComponentType } from 'preact';
import { t } from './texts.ts';
import type { IconName } from './ui/icon.tsx';

/** A view: a folder of `views/`, loaded when it is first visited. */
export interface RouteRow {
  /** The first segment of its address: `#/worlds`. */
  readonly name: string;
  readonly title: string;
  /** Its picture in the navigation; views without one are reached from others. */
  readonly icon?: IconName;
  /** The entry of the navigation that is current in this view. */
  readonly below?: string;
  readonly load: () => Promise<{ readonly View: ComponentType }>;
}

/** All views. To add one, add a folder and a row. The first is the start page. */
export const ROUTES: readonly RouteRow[] = [
  { name: 'worlds', title: t.nav.worlds, icon: 'worlds', load: () => import('./views/worlds/worlds-view.tsx') },
  { name: 'world', title: t.nav.world, below: 'worlds', load: () => import('./views/world/world-view.tsx') },
  { name: 'sparql', title: t.nav.sparql, icon: 'sparql', load: () => import('./views/sparql/sparql-view.tsx') },
  { name: 'search', title: t.nav.search, icon: 'search', load: () => import('./views/search/search-view.tsx') },
  { name: 'entity', title: t.nav.entity, below: 'search', load: () => import('./views/entity/entity-view.tsx') },
  { name: 'schema', title: t.nav.schema, icon: 'schema', load: () => import('./views/schema/schema-view.tsx') },
  { name: 'live', title: t.nav.live, icon: 'live', load: () => import('./views/live/live-view.tsx') },
];
