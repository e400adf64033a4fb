import type { Format } from '../../rdf/formats.ts';
import { client } from '../../session/service.ts';
import { saveFile } from '../../ui/download.ts';
import type { QueryRun } from './query-run.ts';

/** Asks for the result of a query again, in a format. */
export function resultIn(run: QueryRun, mediaType: string, signal?: AbortSignal): Promise<Response> {
  const [first = ''] = run.worlds;
  const [namespace = '', slug = ''] = first.split('/');
  const path =
    run.worlds.length === 1
      ? `/namespaces/${namespace}/worlds/${slug}/sparql`
      : `/namespaces/${namespace}/worlds/sparql`;
  return client.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: mediaType },
    body: JSON.stringify({ query: run.text, ...(run.worlds.length > 1 && { sources: run.worlds }) }),
    isIdempotent: true,
    signal,
  });
}

/** Saves the result of a query as a file. */
export async function downloadResult(run: QueryRun, { mediaType, extension }: Format): Promise<void> {
  const response = await resultIn(run, mediaType);
  saveFile(`result${extension}`, mediaType, [await response.blob()]);
}
