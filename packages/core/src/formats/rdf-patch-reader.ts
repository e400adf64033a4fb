import type { PatchSink, QuadSink } from '../contracts/quad-sink.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { LineParser, type LineSyntax } from './line-parser.ts';
import type { ReadOptions } from './rdf-format.ts';
import { readLines } from './read-lines.ts';

/**
 * Reads RDF Patch (https://jena.apache.org/documentation/rdf-patch/): rows of N-Quads after `A` for
 * added and `D` for deleted quads, headers, prefix changes, and transactions. Strict: a transaction
 * without an end is INVALID_RDF. Throws INVALID_ARGUMENT if the sink does not accept changes.
 */
export async function readRdfPatch(
  chunks: AsyncIterable<Uint8Array>,
  sink: QuadSink,
  options: ReadOptions,
): Promise<void> {
  const { patch } = sink;
  if (!patch) {
    throw new WorldsError('INVALID_ARGUMENT', 'An RDF Patch is a list of changes and cannot be read as a dataset.');
  }
  const rows = new PatchRows(patch);
  const parser = new LineParser(patch, true, options.limits, rows);
  await readLines(chunks, parser, options);
  rows.end(parser);
}

class PatchRows implements LineSyntax {
  private readonly sink: PatchSink;
  private isInTransaction = false;

  constructor(sink: PatchSink) {
    this.sink = sink;
  }

  line(parser: LineParser): void {
    const code = parser.word();
    switch (code) {
      case 'A':
      case 'D':
        this.sink.removes = code === 'D';
        parser.statement();
        return;
      case 'TX':
        if (this.isInTransaction) parser.fail('a transaction begins inside another one');
        this.isInTransaction = true;
        this.sink.begin();
        break;
      case 'TC':
      case 'TA':
        if (!this.isInTransaction) parser.fail(`${code} ends a transaction, but none has begun`);
        this.isInTransaction = false;
        if (code === 'TA') this.sink.abort();
        break;
      case 'H':
        // Several patches may follow one another, each with a header.
        if (this.isInTransaction) parser.fail('a header must precede the transactions');
        name(parser);
        parser.skipTerm();
        break;
      case 'PA':
      case 'PD':
        this.sink.ignorePrefix();
        name(parser);
        if (code === 'PA') parser.skipTerm();
        break;
      default:
        parser.fail('expected a row of RDF Patch, which begins with A, D, TX, TC, TA, PA, PD or H');
    }
    parser.dot();
  }

  end(parser: LineParser): void {
    if (!this.isInTransaction) return;
    throw new WorldsError('INVALID_RDF', 'The patch ends within a transaction; expected TC or TA.', {
      location: parser.lineLocation(),
    });
  }
}

/**
 * "`word` is a string in quotes, or an unquoted string (no spaces, starts with a letter, same as a
 * prefix without the colon)."
 */
function name(parser: LineParser): void {
  if (parser.isAtString) parser.skipTerm();
  else if (!/^[A-Za-z]/.test(parser.word())) parser.fail('expected a name, which begins with a letter, or a string');
}
