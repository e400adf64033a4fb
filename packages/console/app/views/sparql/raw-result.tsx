import { useState } from 'preact/hooks';
import { EXPORT_FORMATS, ROW_FORMATS } from '../../rdf/formats.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { Visible } from '../../ui/visible.tsx';
import { resultIn } from './download-result.ts';
import type { QueryRun } from './query-run.ts';

/** More than anybody reads; the download has all. */
const MAX_BYTES = 200_000;

/** The beginning of the answer as the server sends it. */
export function RawResult({ run }: { run: QueryRun }) {
  const isQuads = run.state.value.answer === 'quads';
  const formats = isQuads ? EXPORT_FORMATS.filter(({ mediaType }) => mediaType !== 'application/trig') : ROW_FORMATS;
  const [mediaType, setMediaType] = useState(isQuads ? 'text/turtle' : 'application/sparql-results+json');
  const { value, error, isLoading } = useLoaded((signal) => beginning(run, mediaType, signal), [run, mediaType]);
  return (
    <div class="raw">
      <div class="row">
        <label class="row">
          <span class="muted">{t.sparql.format}</span>
          <select class="select plain" value={mediaType} onChange={(event) => setMediaType(event.currentTarget.value)}>
            {formats.map((format) => (
              <option key={format.mediaType} value={format.mediaType}>
                {format.name}
              </option>
            ))}
          </select>
        </label>
        {isLoading && <Spinner />}
        {value?.isCut && <span class="muted">{t.sparql.cut(byteSize(MAX_BYTES))}</span>}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      {value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre tabIndex={0}>
          <Visible text={value.text} />
        </pre>
      )}
    </div>
  );
}

async function beginning(run: QueryRun, mediaType: string, signal: AbortSignal) {
  const response = await resultIn(run, mediaType, signal);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    length += value.length;
    text += decoder.decode(value, { stream: true });
    if (length < MAX_BYTES) continue;
    await reader.cancel();
    return { text: text.slice(0, MAX_BYTES), isCut: true };
  }
}
