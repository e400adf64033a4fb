import { bm25TextIndex } from '@rdf-worlds/core';
import { HITS, type TextSystemKind } from './text-system.ts';

/** The text index of the core. */
export const OWN_TEXT: TextSystemKind = {
  name: 'RDF Worlds',
  async open({ exact = false } = {}) {
    const index = await bm25TextIndex(exact ? { defaultLanguage: '' } : {})();
    return {
      name: 'RDF Worlds',
      add(texts, docs) {
        for (let at = 0; at < texts.length; at++) index.add(docs[at], texts[at], '');
      },
      remove(texts, docs) {
        for (let at = 0; at < texts.length; at++) index.remove(docs[at], texts[at], '');
      },
      // Misspelt words need no special option.
      asker({ prefix }) {
        const options = { limit: HITS, prefix };
        return (query) => index.search(query, options);
      },
      async count(word) {
        return (await index.search(word, { limit: Math.max(1, index.size) })).length;
      },
      bytes: () => index.memoryBytes,
      close: () => undefined,
    };
  },
};
