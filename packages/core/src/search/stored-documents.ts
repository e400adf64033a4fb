import { WorldsError } from '../model/worlds-error.ts';
import { DOCUMENTS_PER_PAGE, type DocumentTable } from './document-table.ts';
import { encodePart, listOf, PartReader, sizeOf } from './stored-part.ts';

/** A part of a search index that is to be stored; see `TextIndexPart`. */
export interface SearchPart {
  readonly name: string;
  /** Returns the content. Throws CONFLICT if it is not known any more. */
  encode(): readonly Uint8Array[];
}

/** Reads a stored part by its name: its content, at an offset divisible by 4. */
export type ReadPart = (name: string) => Promise<Uint8Array>;

/** What the state of a search index says about its documents. */
export interface StoredDocuments {
  readonly documents: number;
  /** Number of blocks. For each, its world and its documents are in columns. */
  readonly blocks: number;
  /** Names of the pages. */
  readonly pages: readonly string[];
}

/** The documents of a table, to be stored. */
export interface DocumentContents {
  readonly head: StoredDocuments;
  readonly columns: readonly [worlds: Uint32Array, taken: Uint16Array];
  readonly pages: readonly SearchPart[];
}

interface PageHead {
  readonly rows: number;
}

/**
 * Captures the documents of a table: pages that changed since they were last stored are copied
 * under a new name.
 */
export function documentContents(table: DocumentTable, newName: (kind: string) => string): DocumentContents {
  const { size, end } = table;
  const pages: SearchPart[] = [];
  for (let page = 0; page * DOCUMENTS_PER_PAGE < end; page++) {
    const known = table.storedPages[page];
    if (known === undefined) {
      const name = newName('documents');
      const chunks = encodePage(table, page);
      table.storedPages[page] = name;
      pages.push({ name, encode: () => chunks });
    } else pages.push({ name: known, encode: () => encodeUnchanged(table, page, known) });
  }
  const columns = table.blockColumns();
  const head = { documents: size, blocks: columns[0].length, pages: pages.map(({ name }) => name) };
  return { head, columns, pages };
}

/** Encodes a page that the storage should have already. */
function encodeUnchanged(table: DocumentTable, page: number, name: string): Uint8Array[] {
  if (table.storedPages[page] === name) return encodePage(table, page);
  throw new WorldsError(
    'CONFLICT',
    `The newest checkpoint lacks the segment ${name} of the text index, because another engine has written it in the meantime. Write the checkpoint again.`,
  );
}

function encodePage(table: DocumentTable, page: number): Uint8Array[] {
  const columns = table.page(page);
  const head: PageHead = { rows: columns[0].length };
  return encodePart(head, columns);
}

/**
 * Fills an empty table with stored documents; `reader` is behind the head of the state. Throws a
 * RangeError if they are inconsistent.
 *
 * @param largest the largest id of a term
 */
export async function restoreDocuments(
  table: DocumentTable,
  stored: Partial<StoredDocuments>,
  { reader, read, largest }: { readonly reader: PartReader; readonly read: ReadPart; readonly largest: number },
): Promise<void> {
  const worlds = reader.column(stored.blocks);
  const taken = reader.shortColumn(stored.blocks);
  const names = listOf(stored.pages);
  table.beginRestore(worlds, taken);
  if (names.length !== Math.ceil(table.end / DOCUMENTS_PER_PAGE))
    throw new RangeError('A stored index of documents lacks a page.');
  for (const [page, name] of names.entries()) {
    const part = new PartReader(await read(name));
    const { rows } = part.head<PageHead>();
    const columns = [part.column(rows), part.column(rows), part.column(rows)] as const;
    part.end();
    table.restorePage(page, columns, largest);
    table.storedPages[page] = name;
  }
  if (table.size !== sizeOf(stored.documents)) throw new RangeError('A stored index has other documents than it says.');
}
