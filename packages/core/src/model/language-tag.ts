/**
 * Syntax of language tags, for all code that reads, creates or accepts them. The RDF syntaxes allow
 * subtags of any length; RFC 5646 section 2.1 limits them to 8 letters or digits. A longer primary
 * language is a mistake that every syntax rejects (as do the RDF 1.2 suites); a longer later subtag
 * is in use, as in `zh-classical` of Wikidata.
 */
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]+)*$/;

/** Maximum length of the primary language subtag. */
export const MAX_LANGUAGE_LENGTH = 8;

export function isLanguageTag(text: string): boolean {
  return LANGUAGE_TAG.test(text);
}

/**
 * Whether a tag has a subtag that RFC 5646 does not allow. Import accepts such tags with a note.
 */
export function hasLongSubtag(tag: string): boolean {
  return /[^-]{9}/.test(tag);
}

const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const HYPHEN = 0x2d;

/**
 * Returns a language tag in its conventional case (RFC 5646 section 2.1.1): `en-US`, `zh-Hant`,
 * everything else in lower case. Tags compare without case (RDF 1.2 Concepts section 3.4), so each
 * literal is stored with one spelling of its tag.
 */
export function languageTagCase(tag: string): string {
  for (let i = 0; i < tag.length; i++) {
    const unit = tag.charCodeAt(i);
    if (unit === HYPHEN || (unit >= UPPER_A && unit <= UPPER_Z)) return withUsualCase(tag);
  }
  return tag;
}

function withUsualCase(tag: string): string {
  let isPrivate = false;
  const subtags = tag.toLowerCase().split('-');
  for (let i = 1; i < subtags.length; i++) {
    // Subtags after a single letter or digit are extensions or private use.
    isPrivate ||= subtags[i - 1].length === 1;
    if (isPrivate) break;
    const subtag = subtags[i];
    if (subtag.length === 2 && !/\d/.test(subtag)) subtags[i] = subtag.toUpperCase();
    else if (subtag.length === 4) subtags[i] = subtag[0].toUpperCase() + subtag.slice(1);
  }
  return subtags.join('-');
}
