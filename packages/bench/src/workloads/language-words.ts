import type { RandomNumbers } from '../random-numbers.ts';
import type { LanguageText } from './entity.ts';
import { skewed } from './generated-values.ts';

/**
 * Words of several languages, the frequent ones first. Letters beyond ASCII occur as often as in
 * real texts; some words have capitals, so that case matters.
 */
const WORDS: Readonly<Record<string, string>> = {
  en: `the and a of to it is was for with very this that not but after all battery works quality good price screen
    fast delivery box small large sound light heavy buy again week month broke returned perfect cheap excellent poor
    colour Easy Great setup cable charger keyboard kitchen travel weekend children noise warranty seller package
    scratched durable comfortable leather stainless naïve café instructions manual disappointed recommend surprisingly
    unfortunately refund customer service hours waterproof adapter firmware connection lightweight sturdy`,
  de: `die und der das ist nicht mit sehr für es auf eine war aber nach Qualität gut Preis schnell Lieferung Gerät
    klein groß leicht schwer wieder gekauft Woche Monat kaputt zurück perfekt günstig schlecht Farbe Kabel Tastatur
    Küche Reise Kinder Geräusch Garantie Verkäufer Größe zerkratzt Leder Edelstahl Anleitung enttäuscht empfehlen leider
    überraschend Straße Maß süß Öl fließend Kundendienst wasserdicht Anschluss robust gemütlich Verpackung`,
  fr: `le la et les de un une est pas très avec pour mais après qualité bon prix écran rapide livraison boîte petit
    grand son léger lourd acheter encore semaine mois cassé retourné parfait cher excellent mauvais couleur câble
    clavier cuisine voyage enfants bruit garantie vendeur rayé durable confortable cuir notice déçu recommande
    malheureusement remboursement client étanche connexion solide étonnamment emballage`,
  es: `el la y los de un una es no muy con para pero después calidad bueno precio pantalla rápido entrega caja pequeño
    grande sonido ligero pesado comprar otra semana mes roto devuelto perfecto barato excelente malo color cable
    teclado cocina viaje niños ruido garantía vendedor rayado duradero cómodo cuero instrucciones decepcionado
    recomiendo desafortunadamente reembolso cliente impermeable conexión año mañana señal`,
};

const LISTS = new Map(Object.entries(WORDS).map(([language, words]) => [language, words.split(/\s+/)]));
/** By frequency: half of the texts are English. */
const LANGUAGES = ['en', 'en', 'en', 'en', 'de', 'de', 'fr', 'es'];
/** One word in twelve is made of two others, so that the vocabulary is as large as a real one. */
const COMPOUND_OF = 12;
const SENTENCE_WORDS = 11;

/** Generates a text of a number of words in a random language, or in the given one. */
export function languageText(
  random: RandomNumbers,
  words: number,
  language: string = random.pick(LANGUAGES),
): LanguageText {
  const list = LISTS.get(language)!;
  let text = '';
  for (let at = 0; at < words; at++) {
    let word = list[skewed(random, list.length)];
    if (random.below(COMPOUND_OF) === 0) word += random.pick(list).toLowerCase();
    if (at % SENTENCE_WORDS === 0) word = word[0].toUpperCase() + word.slice(1);
    const isEnd = at === words - 1 || at % SENTENCE_WORDS === SENTENCE_WORDS - 1;
    text += `${at === 0 ? '' : ' '}${word}${isEnd ? '.' : ''}`;
  }
  return { text, language };
}

/** Generates a title of a few words, without an end of a sentence. */
export function languageTitle(random: RandomNumbers, words: number, language?: string): LanguageText {
  const { text, language: chosen } = languageText(random, words, language);
  return { text: text.replaceAll('.', ''), language: chosen };
}
