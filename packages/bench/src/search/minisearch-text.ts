import { HITS, type TextSystemKind } from './text-system.ts';

interface MiniSearchOptions {
  readonly prefix?: boolean;
  readonly fuzzy?: number;
}
interface MiniSearch {
  add(document: { readonly id: number; readonly text: string }): void;
  remove(document: { readonly id: number; readonly text: string }): void;
  search(query: string, options?: MiniSearchOptions): readonly unknown[];
}
export type MiniSearchModule = new (options: { readonly fields: readonly string[] }) => MiniSearch;

/**
 * MiniSearch with its default options. It has no stemming and no stop words, so there is no
 * separate exact form. It returns all hits, of which ten are kept.
 */
export function minisearchText(Index: MiniSearchModule): TextSystemKind {
  const name = 'MiniSearch';
  return {
    name,
    async open() {
      const index = new Index({ fields: ['text'] });
      return {
        name,
        add(texts, docs) {
          for (let at = 0; at < texts.length; at++) index.add({ id: docs[at], text: texts[at] });
        },
        remove(texts, docs) {
          for (let at = 0; at < texts.length; at++) index.remove({ id: docs[at], text: texts[at] });
        },
        asker({ prefix, fuzzy }) {
          const options = { ...(prefix && { prefix }), ...(fuzzy && { fuzzy: 1 }) };
          return (query) => index.search(query, options).slice(0, HITS);
        },
        count: async (word) => index.search(word).length,
        bytes: () => undefined,
        close: () => undefined,
      };
    },
  };
}
