/** One media range of an Accept header (RFC 9110 section 12.5.1). */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const RANGE = /^\s*([^\s/;,"]+)\/([^\s/;,"]+)\s*(?:;(.*))?$/s;
const QUALITY = /(?:^|;)\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i;

/** Headers whose parsed form is kept; clients send the same few. */
const MAX_KEPT = 64;
const MAX_KEPT_LENGTH = 256;
const kept = new Map<string, Accept>();

/** Returns an Accept header, which is parsed only if it was not sent recently. */
export function acceptOf(header: string | null): Accept {
  const text = header ?? '*/*';
  const known = kept.get(text);
  if (known) return known;
  const accept = new Accept(text);
  if (text.length > MAX_KEPT_LENGTH) return accept;
  if (kept.size === MAX_KEPT) kept.clear();
  kept.set(text, accept);
  return accept;
}

/**
 * An Accept header. Media types are matched case-insensitively and without their parameters, such
 * as `charset`.
 */
export class Accept {
  private readonly ranges: readonly MediaRange[];
  /** By the list of types that was offered. */
  private readonly chosen = new WeakMap<readonly string[], string>();

  /** A missing header accepts everything. */
  constructor(header: string | null) {
    this.ranges = splitUnquoted(header ?? '*/*').flatMap((part) => {
      const match = RANGE.exec(part);
      if (!match) return [];
      const [, type, subtype, parameters = ''] = match;
      const quality = QUALITY.exec(parameters)?.[1];
      return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), quality: quality ? Number(quality) : 1 };
    });
  }

  /** Returns the quality of a media type, 0 to 1: that of the most specific matching range. */
  quality(mediaType: string): number {
    const range = this.rangeOf(mediaType);
    return range < 0 ? 0 : this.ranges[range].quality;
  }

  /**
   * Returns the media type with the highest quality; ties go to the most specific range, then to
   * the earliest in the header, then to the first offered. Returns the first offered if none is
   * acceptable (RFC 9110 section 12.4.1 permits that).
   */
  choose(offered: readonly string[]): string {
    let chosen = this.chosen.get(offered);
    if (chosen === undefined) this.chosen.set(offered, (chosen = this.best(offered)));
    return chosen;
  }

  private best(offered: readonly string[]): string {
    let chosen = offered[0];
    let chosenRank: readonly number[] = [0, 0, 0];
    for (const mediaType of offered) {
      const range = this.rangeOf(mediaType);
      if (range < 0) continue;
      const rank = [this.ranges[range].quality, specificity(this.ranges[range]), -range];
      if (rank[0] > 0 && isHigher(rank, chosenRank)) {
        chosen = mediaType;
        chosenRank = rank;
      }
    }
    return chosen;
  }

  /** Returns the index of the most specific range that matches a media type; -1 if none does. */
  private rangeOf(mediaType: string): number {
    const [type, subtype] = mediaType.split('/');
    let best = -1;
    this.ranges.forEach((range, i) => {
      const fits = (range.type === type && (range.subtype === subtype || range.subtype === '*')) || range.type === '*';
      if (fits && (best < 0 || specificity(range) > specificity(this.ranges[best]))) best = i;
    });
    return best;
  }
}

function specificity({ type, subtype }: MediaRange): number {
  return type === '*' ? 1 : subtype === '*' ? 2 : 3;
}

function isHigher(rank: readonly number[], other: readonly number[]): boolean {
  const i = rank.findIndex((value, place) => value !== other[place]);
  return i >= 0 && rank[i] > other[i];
}

/** Splits at commas outside quoted parameters. */
function splitUnquoted(header: string): string[] {
  if (!header.includes('"')) return header.split(',');
  return header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}
