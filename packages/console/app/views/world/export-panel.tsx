import { dataFactory } from '@rdf-worlds/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EXPORT_FORMATS, TRIPLE_FORMATS } from '../../rdf/formats.ts';
import { prefixesFor } from '../../rdf/prefixes.ts';
import { type Counted, vocabularyOf } from '../../rdf/vocabulary.ts';
import { client } from '../../session/service.ts';
import { t } from '../../texts.ts';
import { saveFile } from '../../ui/download.ts';
import { ErrorNote, isAborted } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { byteSize, count } from '../../ui/numbers.ts';
import { visibleText } from '../../ui/visible.tsx';

interface ExportProps {
  readonly world: string;
  /** The largest named graphs of the world, and how many there are. */
  readonly graphs: { readonly items: readonly Counted[]; readonly total: number };
}

const SAMPLE = 'SELECT ?s ?o { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } LIMIT 2000';

/**
 * Prefixes for the namespaces of a world: of its classes and predicates, and of a sample of its
 * entities. The prefixes that the console learned from other worlds stay out of the file.
 */
async function prefixesOf(world: string, signal: AbortSignal): Promise<Record<string, string>> {
  const { classes, predicates } = await vocabularyOf([world]);
  const iris = [...classes, ...predicates].map(({ iri }) => iri);
  for await (const row of await client.select({ sources: [world], query: SAMPLE, signal })) {
    for (const term of [row.get('s'), row.get('o')]) if (term?.termType === 'NamedNode') iris.push(term.value);
  }
  return Object.fromEntries(prefixesFor(iris));
}

/** Downloads a world, or one of its graphs, in any format. */
export function ExportPanel({ world, graphs }: ExportProps) {
  const [mediaType, setMediaType] = useState('application/trig');
  const [graph, setGraph] = useState('');
  const [isOrdered, setOrdered] = useState(false);
  const [bytes, setBytes] = useState<number | undefined>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const format = EXPORT_FORMATS.find((each) => each.mediaType === mediaType)!;
  const losesGraphs = TRIPLE_FORMATS.has(mediaType) && graph === '' && graphs.total > 0;
  const download = async () => {
    const controller = (running.current = new AbortController());
    setError(undefined);
    setBytes(0);
    try {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let length = 0;
      const chunks = client.exportStream({
        source: world,
        contentType: mediaType,
        graph: graph === '' ? undefined : graph === 'default' ? dataFactory.defaultGraph() : graph,
        canonicalOrder: isOrdered || undefined,
        prefixes: /turtle|trig|n3/.test(mediaType) ? await prefixesOf(world, controller.signal) : undefined,
        signal: controller.signal,
      });
      for await (const chunk of chunks) {
        parts.push(chunk as Uint8Array<ArrayBuffer>);
        length += chunk.length;
        setBytes(length);
      }
      saveFile(`${world.replace('/', '-')}${format.extension}`, mediaType, parts);
    } catch (failure) {
      if (!isAborted(failure)) setError(failure);
    } finally {
      setBytes(undefined);
    }
  };
  return (
    <div class="stack export" style={{ maxWidth: '520px' }}>
      <label class="field">
        <span>{t.export.format}</span>
        <select class="select" value={mediaType} onChange={(event) => setMediaType(event.currentTarget.value)}>
          {EXPORT_FORMATS.map((each) => (
            <option key={each.mediaType} value={each.mediaType}>
              {each.name} ({each.extension})
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t.export.graph}</span>
        <select class="select" value={graph} onChange={(event) => setGraph(event.currentTarget.value)}>
          <option value="">{t.export.all}</option>
          <option value="default">{t.export.default}</option>
          {graphs.items.map(({ iri: name }) => (
            <option key={name} value={name}>
              {visibleText(name, 100)}
            </option>
          ))}
        </select>
        {graphs.items.length < graphs.total && (
          <small>{t.export.largest(count(graphs.items.length), count(graphs.total))}</small>
        )}
        {losesGraphs && <small>{t.export.losesGraphs(format.name)}</small>}
      </label>
      <label class="check">
        <input type="checkbox" checked={isOrdered} onChange={(event) => setOrdered(event.currentTarget.checked)} />
        <span>{t.export.ordered}</span>
      </label>
      {error !== undefined && <ErrorNote error={error} />}
      <div class="row">
        <button type="button" class="button primary" disabled={bytes !== undefined} onClick={download}>
          <Icon name="download" />
          {t.export.download}
        </button>
        {bytes !== undefined && (
          <>
            <span class="muted number" role="status">
              {t.export.received(byteSize(bytes))}
            </span>
            <button type="button" class="button small" onClick={() => running.current?.abort()}>
              {t.cancel}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
