/**
 * Characters that change how the text around them is shown, or that show nothing: controls, marks
 * and overrides of direction, joiners, line separators. Data may use them to look like something
 * else, so they are shown as what they are.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const SPLIT = new RegExp(`(${HIDDEN.source})`, 'u');

interface VisibleProps {
  readonly text: string;
  /** The most UTF-16 code units that are shown. */
  readonly max?: number;
}

/** Text from data, isolated from the direction of its surroundings, without hidden characters. */
export function Visible(props: VisibleProps) {
  return (
    <bdi>
      <VisiblePart {...props} />
    </bdi>
  );
}

/** The same for a part of a text: the element around the parts has `dir="auto"`, which isolates it. */
export function VisiblePart({ text, max = Number.POSITIVE_INFINITY }: VisibleProps) {
  const shown = text.length > max ? `${cut(text, max)}…` : text;
  if (!HIDDEN.test(shown)) return <>{shown}</>;
  return (
    <>
      {shown.split(SPLIT).map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <span key={i} class="control-character">
            {nameOf(part)}
          </span>
        ),
      )}
    </>
  );
}

/** The text with hidden characters as names, for titles and canvases. */
export function visibleText(text: string, max = Number.POSITIVE_INFINITY): string {
  const shown = text.length > max ? `${cut(text, max)}…` : text;
  return HIDDEN.test(shown)
    ? shown
        .split(SPLIT)
        .map((part, i) => (i % 2 === 0 ? part : `[${nameOf(part)}]`))
        .join('')
    : shown;
}

/** Does not split a surrogate pair. */
function cut(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max);
}

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
