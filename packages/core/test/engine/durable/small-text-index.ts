import type { TextIndex, TextIndexFactory } from '../../../src/plugin.ts';
import { languageNumber, loadLanguage } from '../../../src/search/text/analysis/languages.ts';
import { Bm25TextIndex } from '../../../src/search/text/bm25-text-index.ts';

/** What the indexes of a factory did. */
export interface TextIndexWork {
  added: number;
  restored: number;
}

/** The default text index, which is stored however small it is, and counts its work. */
export function smallTextIndex(
  work: TextIndexWork = { added: 0, restored: 0 },
  defaultLanguage = 'en',
  onMade: (index: TextIndex) => void = () => undefined,
): TextIndexFactory {
  return async () => {
    await loadLanguage(languageNumber(defaultLanguage));
    const index = new Bm25TextIndex(defaultLanguage, 262_144, true, 1);
    const { add, restore } = index;
    index.add = (...document) => {
      work.added++;
      add.apply(index, document);
    };
    index.restore = async (...stored) => {
      const isUsable = await restore.apply(index, stored);
      if (isUsable) work.restored++;
      return isUsable;
    };
    onMade(index);
    return index;
  };
}
