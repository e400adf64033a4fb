/** One media range of an Accept header (RFC 9110 section 12.5.1). */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const RANGE = /^\s*([^\s/;,"]+)\/([^\s/;,"]+)\s*(?:;(.*))?$/s;
const QUALITY = /(?:^|;)\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i;

/**
 * What a client says that it can read. Media types compare without regard to case; their
 * parameters, `charset` and such, do not matter.
 */
export class Accept {
  private readonly ranges: readonly MediaRange[];

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

  /** The quality of a media type, 0 to 1: that of the most specific range that fits. */
  quality(mediaType: string): number {
    const range = this.best(mediaType);
    return range < 0 ? 0 : this.ranges[range].quality;
  }

  /**
   * The media type with the highest quality; among equals the one that the header names most
   * exactly, then first, then the first offered. Never a refusal: when none will do, it is the
   * first offered (RFC 9110 section 12.4.1 leaves that to the server).
   */
  choose(offered: readonly string[]): string {
    let chosen = offered[0];
    let chosenRank: readonly number[] = [0, 0, 0];
    for (const mediaType of offered) {
      const range = this.best(mediaType);
      if (range < 0) continue;
      const rank = [this.ranges[range].quality, specificity(this.ranges[range]), -range];
      if (rank[0] > 0 && isHigher(rank, chosenRank)) {
        chosen = mediaType;
        chosenRank = rank;
      }
    }
    return chosen;
  }

  /** The place of the most specific range that fits a media type; -1 for none. */
  private best(mediaType: string): number {
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

/** Splits at commas that are not inside a quoted parameter. */
function splitUnquoted(header: string): string[] {
  if (!header.includes('"')) return header.split(',');
  return header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}
