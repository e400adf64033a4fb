import { mediaTypeOfFile, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { EXAMPLE_PREFIXES, EXAMPLE_WORLDS } from './example-worlds.ts';
import { plainEditor, type QueryEditor } from './query-editor.ts';
import { showHits, showResult } from './result-view.ts';
import { fragmentOf, queryOfFragment } from './shared-query.ts';

const byId = <Element extends HTMLElement>(id: string) => document.getElementById(id) as Element;
const worldList = byId<HTMLUListElement>('worlds');
const examples = byId<HTMLSelectElement>('example');
const words = byId<HTMLInputElement>('words');
const file = byId<HTMLInputElement>('file');
const runButton = byId<HTMLButtonElement>('run');
const stopButton = byId<HTMLButtonElement>('stop');
const status = byId('status');
const result = byId('result');
const editorOptions = { label: 'Query or update', onRun: () => void runQuery(), onChange: () => share() };
let editor: QueryEditor = plainEditor(byId('editor'), editorOptions);

const engine = await WorldsEngine.open();
/** Of the request that runs; a newer one aborts it. */
let running: AbortController | undefined;
/** Number of imports and updates. */
let changes = 0;

function sources(): string[] {
  return [...worldList.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value);
}

/** Writes the query into the address of the page, so that the address can be sent to others. */
function share(): void {
  history.replaceState(null, '', fragmentOf({ text: editor.text, worlds: sources() }) ?? location.pathname);
}

/** Replaces the editor by that of the console, with the same text. */
async function loadConsoleEditor(): Promise<void> {
  const { consoleEditor } = await import('./console-editor.ts');
  const { text, hasFocus } = editor;
  const prefixes = new Map(Object.entries(EXAMPLE_PREFIXES));
  editor = consoleEditor(byId('editor'), text, { ...editorOptions, engine, sources, changes: () => changes, prefixes });
  if (hasFocus) editor.focus();
}

/** Adds or updates the row of a world, chosen or not. */
async function showWorld(slug: string, label: string, isChosen: boolean): Promise<void> {
  const counting = await engine.select({ sources: [slug], query: 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }' });
  const [{ n }] = await counting.objects();
  const present = [...worldList.children].find((row) => (row as HTMLElement).dataset['slug'] === slug);
  const row = (present as HTMLElement | undefined) ?? document.createElement('li');
  row.dataset['slug'] = slug;
  const box = document.createElement('input');
  Object.assign(box, { type: 'checkbox', value: slug, checked: isChosen });
  const name = document.createElement('label');
  name.append(box, ` ${label} `, Object.assign(document.createElement('small'), { textContent: `${n} triples` }));
  row.replaceChildren(name);
  if (!present) worldList.append(row);
}

/** Runs work as the only request, and shows what it returns or why it failed. */
async function run(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  running?.abort();
  const own = new AbortController();
  running = own;
  stopButton.hidden = false;
  status.textContent = 'Running.';
  const start = performance.now();
  try {
    const outcome = await work(own.signal);
    if (running === own) status.textContent = `${outcome}, ${(performance.now() - start).toFixed(1)} ms.`;
  } catch (error) {
    if (running !== own) return;
    result.replaceChildren();
    const message = error instanceof Error ? error.message : String(error);
    status.textContent = error instanceof WorldsError ? `${error.code}: ${message}` : message;
    if (error instanceof WorldsError && error.code === 'INVALID_SPARQL') editor.mark(error.location);
  } finally {
    if (running === own) {
      running = undefined;
      stopButton.hidden = true;
    }
  }
}

function runQuery(): Promise<void> {
  editor.mark(undefined);
  return run(async (signal) => {
    const answer = await engine.query({ sources: sources(), query: editor.text, signal });
    if (answer.type === 'update') changes++;
    return showResult(result, answer);
  });
}

function runSearch(): Promise<void> {
  return run(async (signal) => {
    if (words.value.trim() === '') {
      result.replaceChildren();
      return 'Nothing to search for';
    }
    return showHits(result, await engine.search({ sources: sources(), query: words.value, limit: 20, signal }));
  });
}

async function importFile(chosen: File): Promise<void> {
  const slug =
    chosen.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'file';
  await run(async (signal) => {
    await engine.createWorld({ slug, label: chosen.name, ifExists: 'return' });
    const contentType = mediaTypeOfFile(chosen.name.replace(/\.gz$/, ''));
    changes++;
    const { inserted } = await engine.import({ source: slug, data: chosen, contentType, signal });
    await showWorld(slug, chosen.name, true);
    editor.text = 'SELECT * { ?s ?p ?o } LIMIT 100';
    return `${inserted.toLocaleString('en')} quads imported`;
  });
}

/** Checks the worlds that a query reads, and no others. */
function choose(slugs: readonly string[]): void {
  for (const box of worldList.querySelectorAll('input')) box.checked = slugs.includes(box.value);
}

const queries = EXAMPLE_WORLDS.flatMap(({ slug, queries }) =>
  queries.map((query) => ({ ...query, slugs: [slug, ...(query.alsoIn ?? [])] })),
);
for (const [index, { title }] of queries.entries()) examples.add(new Option(title, String(index)));
examples.addEventListener('change', () => {
  const { text, slugs } = queries[Number(examples.value)];
  editor.text = text;
  choose(slugs);
  void runQuery();
});
runButton.addEventListener('click', () => void runQuery());
stopButton.addEventListener('click', () => running?.abort());
worldList.addEventListener('change', share);
words.addEventListener('input', () => void runSearch());
file.addEventListener('change', () => {
  const [chosen] = file.files ?? [];
  if (chosen) void importFile(chosen);
});

for (const { slug, label, turtle } of EXAMPLE_WORLDS) {
  await engine.createWorld({ slug, label });
  await engine.import({ source: slug, contentType: 'text/turtle', data: turtle() });
  await showWorld(slug, label, slug === EXAMPLE_WORLDS[0].slug);
}
words.placeholder = EXAMPLE_WORLDS[0].words;
const shared = queryOfFragment(location.hash);
editor.text = shared?.text ?? queries[0].text;
if (shared) choose(shared.worlds);
// An address is somebody else's text: it is shown, and runs when the reader says so.
if (shared) status.textContent = 'This query came with the address. Read it, then run it.';
else await runQuery();
document.documentElement.dataset['ready'] = 'true';
await loadConsoleEditor();
document.documentElement.dataset['editor'] = 'true';
