import { plainBytes } from './plain-bytes.ts';

/** A line of a document, or the part of it around a column. */
export interface ShownLine {
  readonly line: number;
  readonly text: string;
  /** Index in `text` of what is wrong; undefined for the other lines. */
  readonly mark: number | undefined;
}

const RADIUS = 2;
const MAX_SHOWN = 240;
/** Longer lines are not read to their end. */
const MAX_LINE = 1 << 20;

/**
 * Returns the lines around a location of a document, which may be in gzip. The column counts bytes,
 * from 1.
 */
export async function linesAround(
  document: Blob,
  { line, column }: { line: number; column: number },
): Promise<ShownLine[]> {
  const found: ShownLine[] = [];
  let at = 1;
  let text = '';
  const end = () => {
    if (Math.abs(at - line) <= RADIUS) found.push(at === line ? marked(at, text, column) : cut(at, text, 0));
    at++;
    text = '';
  };
  for await (const piece of textOf(document)) {
    let start = 0;
    for (;;) {
      const newline = piece.indexOf('\n', start);
      if (at >= line - RADIUS && text.length < MAX_LINE) text += piece.slice(start, newline < 0 ? undefined : newline);
      if (newline < 0) break;
      end();
      start = newline + 1;
      if (at > line + RADIUS) return found;
    }
  }
  end();
  return found;
}

async function* textOf(document: Blob): AsyncGenerator<string> {
  const bytes = await plainBytes(document);
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function marked(line: number, text: string, column: number): ShownLine {
  const before = new TextEncoder().encode(text).subarray(0, Math.max(0, column - 1));
  const at = Math.min(new TextDecoder().decode(before).length, text.length);
  const start = Math.max(0, at - MAX_SHOWN / 2);
  const shown = cut(line, text, start);
  return { ...shown, mark: at - start + (start > 0 ? 1 : 0) };
}

function cut(line: number, text: string, start: number): ShownLine {
  const part = text.slice(start, start + MAX_SHOWN).replace(/\r$/, '');
  return { line, text: `${start > 0 ? '…' : ''}${part}${start + MAX_SHOWN < text.length ? '…' : ''}`, mark: undefined };
}
