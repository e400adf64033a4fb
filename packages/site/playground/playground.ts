import { mediaTypeOfFile, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { EXAMPLE_WORLDS } from './example-worlds.ts';
import { plainEditor } from './query-editor.ts';
import { showHits, showResult } from './result-view.ts';

const byId = <Element extends HTMLElement>(id: string) => document.getElementById(id) as Element;
const worldList = byId<HTMLUListElement>('worlds');
const examples = byId<HTMLSelectElement>('example');
const words = byId<HTMLInputElement>('words');
const file = byId<HTMLInputElement>('file');
const runButton = byId<HTMLButtonElement>('run');
const stopButton = byId<HTMLButtonElement>('stop');
const status = byId('status');
const result = byId('result');
const editor = plainEditor(byId('editor'), { label: 'Query or update', onRun: () => void runQuery() });

const engine = await WorldsEngine.open();
/** Of the request that runs; a newer one aborts it. */
let running: AbortController | undefined;

function sources(): string[] {
  return [...worldList.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value);
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
    return showResult(result, await engine.query({ sources: sources(), query: editor.text, signal }));
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
    const { inserted } = await engine.import({ source: slug, data: chosen, contentType, signal });
    await showWorld(slug, chosen.name, true);
    editor.text = 'SELECT * { ?s ?p ?o } LIMIT 100';
    return `${inserted.toLocaleString('en')} quads imported`;
  });
}

/** The worlds of which an example tells; the others are not queried. */
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
editor.text = queries[0].text;
await runQuery();
document.documentElement.dataset['ready'] = 'true';
