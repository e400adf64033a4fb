/**
 * Runs each query of its argument, a JSON array, on Comunica over three triples, and prints a JSON
 * array of what they answered: rows of strings, or an error's code. The signal of a query that
 * begins with `# abort` fires while it is evaluated. Nothing here listens to unhandled rejections:
 * one ends the process.
 */
import { comunicaEngine } from '@rdf-worlds/comunica';
import { WorldsEngine, WorldsError } from '@rdf-worlds/core';

const engine = await WorldsEngine.open({ sparql: comunicaEngine(), textIndex: null });
await engine.createWorld({ slug: 'w' });
const data = '@prefix : <urn:> . :a :p "ant" , "bee" . :b :p "cat" .';
await engine.import({ source: 'w', data, contentType: 'text/turtle' });
// The first query loads Comunica, which an aborted one would not wait for.
await engine.ask({ query: 'ASK {}', sources: ['w'] });

async function answer(query: string): Promise<string[][] | string> {
  const abort = new AbortController();
  try {
    const asked = engine.select({ query, sources: ['w'], signal: abort.signal });
    if (query.startsWith('# abort')) setTimeout(() => abort.abort(), 100);
    const result = await asked;
    const { variables } = result;
    const rows = await result.array();
    return rows.map((row) => variables.map((name) => row.get(name)?.value ?? '-')).sort();
  } catch (error) {
    if (error instanceof WorldsError) return error.code;
    throw error;
  }
}

const answers: (string[][] | string)[] = [];
for (const query of JSON.parse(process.argv[2]) as string[]) {
  answers.push(await answer(query));
  // A rejection that nobody handles is told at the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
}
await engine.close();
process.stdout.write(JSON.stringify(answers));
