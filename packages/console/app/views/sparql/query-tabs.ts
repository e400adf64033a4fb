import { signal } from '@preact/signals';
import { forEachPrincipal, own } from '../../session/own.ts';
import { t } from '../../texts.ts';
import type { QueryRun } from './query-run.ts';

/** A text in the editor, with its last run. Texts stay over reloads, results do not. */
export interface QueryTab {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const KEY = 'queries';
const MAX_KEPT = 500_000;
export const EXAMPLE = 'SELECT ?s ?p ?o\nWHERE {\n  ?s ?p ?o\n}\nLIMIT 100\n';

export const tabs = signal<readonly QueryTab[]>([]);
export const currentId = signal('');
/** The last run of each tab. */
export const runs = signal<ReadonlyMap<string, QueryRun>>(new Map());

forEachPrincipal(() => {
  for (const run of runs.value.values()) run.stop();
  runs.value = new Map();
  tabs.value = remembered();
  currentId.value = own.get(`${KEY}.current`) ?? tabs.value[0]!.id;
});

function remembered(): readonly QueryTab[] {
  try {
    const found = JSON.parse(own.get(KEY) ?? '[]') as QueryTab[];
    const valid = found.filter(({ id, title, text }) => [id, title, text].every((field) => typeof field === 'string'));
    if (valid.length > 0) return valid;
  } catch (error) {
    console.warn('The queries of the last visit cannot be read.', error);
  }
  return [{ id: 'first', title: t.sparql.query(1), text: EXAMPLE }];
}

export function currentTab(): QueryTab {
  return tabs.value.find(({ id }) => id === currentId.value) ?? tabs.value[0]!;
}

export function openTab(text: string, title?: string): void {
  const numbers = tabs.value.map((tab) => Number(/\d+$/.exec(tab.title)?.[0] ?? 0));
  const tab = { id: newId(), title: title ?? t.sparql.query(Math.max(0, ...numbers) + 1), text };
  save([...tabs.value, tab]);
  select(tab.id);
}

/** `crypto.randomUUID` does not exist on plain HTTP beyond the loopback. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

export function closeTab(id: string): void {
  const at = tabs.value.findIndex((tab) => tab.id === id);
  const left = tabs.value.filter((tab) => tab.id !== id);
  runs.value.get(id)?.stop();
  save(left.length > 0 ? left : [{ id: newId(), title: t.sparql.query(1), text: EXAMPLE }]);
  if (id === currentId.value) select(tabs.value[Math.max(0, at - 1)]!.id);
}

export function changeTab(id: string, change: Partial<Pick<QueryTab, 'title' | 'text'>>): void {
  save(tabs.value.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)));
}

export function select(id: string): void {
  currentId.value = id;
  own.set(`${KEY}.current`, id);
}

export function keepRun(id: string, run: QueryRun): void {
  runs.value.get(id)?.stop();
  runs.value = new Map(runs.value).set(id, run);
}

function save(all: readonly QueryTab[]): void {
  tabs.value = all;
  const text = JSON.stringify(all);
  if (text.length <= MAX_KEPT) own.set(KEY, text);
}
