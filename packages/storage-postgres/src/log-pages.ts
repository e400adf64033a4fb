import { crc32 } from 'node:zlib';
import type { Head } from '@rdf-worlds/core/plugin';
import type { Row } from './database.ts';
import { type NamespaceRow, namespaceColumns, namespaceRow } from './namespace-row.ts';
import type { NamespaceView } from './namespace-view.ts';
import { corrupt } from './postgres-errors.ts';
import { MEDIUM } from './postgres-store.ts';
import { decodeBatch } from './record-batch.ts';

/** The records of one append. */
export interface StoredBatch {
  /** Position before the first record. */
  readonly start: number;
  /** Position after the last record. */
  readonly end: number;
  readonly records: readonly { readonly id: string; readonly data: Uint8Array }[];
}

const FIRST_PAGE_ROWS = 16;
const LARGEST_PAGE_ROWS = 2048;
const PAGE_BYTES = 2 ** 21;

const COLUMNS = `position AS batch_end, records, byte_length, checksum, encode(data, 'base64') AS data, blob`;

/**
 * Reads the row of a namespace, and the first page of its log after a head, with one statement:
 * both are of one moment. The page is empty if the head is of another incarnation.
 */
export async function firstPage({ store, key, where }: NamespaceView, after: Head): Promise<FirstPage> {
  const { namespaces, records } = store.tables;
  const rows = await store.run(
    `Reading the log of ${where}`,
    `SELECT ${namespaceColumns('n.')}, page.*
     FROM ${namespaces} AS n LEFT JOIN LATERAL (
       SELECT ${COLUMNS} FROM ${records} AS r
       WHERE r.incarnation = n.incarnation AND (r.incarnation = $2 OR $2 = '')
         AND r.position > $3 AND r.position <= n.position
       ORDER BY r.position LIMIT ${FIRST_PAGE_ROWS}
     ) AS page ON true
     WHERE n.namespace = $1 ORDER BY page.batch_end`,
    [key, after.incarnation, after.position],
    { weight: MEDIUM },
  );
  if (rows.length === 0) return { row: undefined, page: [] };
  return { row: namespaceRow(rows[0]), page: rows.filter((row) => row.batch_end !== null) };
}

/** What one statement reads of a log; see {@link firstPage}. */
export interface FirstPage {
  /** Undefined if the namespace was never written to. */
  readonly row: NamespaceRow | undefined;
  readonly page: readonly Row[];
}

/**
 * Yields the appends of an incarnation that end after position `start` and up to `end`. They are
 * read in pages whose number of rows follows their size, after the first, which the caller has
 * read. Ends early where a row is missing; throws CORRUPT for one that is not as it was written.
 */
export async function* logPages(
  { store, blobs, where, calls }: NamespaceView,
  incarnation: string,
  { start, end, page }: { readonly start: number; readonly end: number; readonly page: readonly Row[] },
): AsyncGenerator<StoredBatch> {
  const what = `Reading the log of ${where}`;
  const statement = `SELECT ${COLUMNS} FROM ${store.tables.records}
    WHERE incarnation = $1 AND position > $2 AND position <= $3 ORDER BY position LIMIT $4`;
  const read = (after: number) =>
    calls.counted(() => store.run(what, statement, [incarnation, after, end, limit], { weight: MEDIUM }));
  let limit = FIRST_PAGE_ROWS;
  for (let position = start; position < end; ) {
    const rows = position === start ? page : await read(position);
    calls.check();
    if (rows.length === 0) return;
    let bytes = 0;
    for (const row of rows) {
      const batch = { start: Number(row.batch_end) - Number(row.records), end: Number(row.batch_end) };
      if (batch.start > position) return;
      const data = await contentOf(row);
      if (!data) return;
      const records = decodeBatch(data);
      if (records?.length !== Number(row.records)) throw damaged(row);
      yield { ...batch, records };
      position = batch.end;
      bytes += data.byteLength;
    }
    limit = nextLimit(limit, bytes);
  }

  async function contentOf(row: Row): Promise<Uint8Array | undefined> {
    const byteLength = Number(row.byte_length);
    if (row.blob !== null) {
      const blob = { blob: String(row.blob), byteLength };
      const read = await calls.counted(() => blobs.read(what, incarnation, blob, () => calls.check()));
      if (read === 'damaged') throw damaged(row);
      return read;
    }
    const data = Buffer.from(String(row.data), 'base64');
    if (data.byteLength !== byteLength || crc32(data) !== Number(row.checksum)) throw damaged(row);
    return data;
  }

  function damaged(row: Row) {
    return corrupt(where, `the log is damaged in the append that ends at position ${row.batch_end}.`);
  }
}

function nextLimit(limit: number, pageBytes: number): number {
  if (pageBytes > 4 * PAGE_BYTES) return Math.max(1, limit >> 1);
  return pageBytes < PAGE_BYTES ? Math.min(LARGEST_PAGE_ROWS, limit * 2) : limit;
}
