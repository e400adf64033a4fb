/** The most namespaces whose tokens are kept, those written last; servers take no more. */
const MAX_NAMESPACES = 64;
/** About half of what servers accept as headers. */
const MAX_LENGTH = 6_000;

interface Token {
  readonly revision: number | 'latest';
  /** When it arrived, in the order of `RevisionTokens.begin`. */
  readonly arrived: number;
}

/**
 * The tokens of a client's own writes. Sent with each request, they make any of several servers
 * that share a storage answer with a state that includes these writes.
 */
export class RevisionTokens {
  /** By namespace; the one written last comes last. */
  private readonly tokens = new Map<string, Token>();
  private clock = 0;

  /** Returns the moment at which a request begins, for {@link keep}. */
  begin(): number {
    return ++this.clock;
  }

  /** Value of the header `RDF-Worlds-Revision-Token`; undefined if there is nothing to require. */
  get header(): string | undefined {
    if (this.tokens.size === 0) return undefined;
    const parts: string[] = [];
    let length = 0;
    for (const [namespace, { revision }] of [...this.tokens].reverse()) {
      const part = `${namespace}=${revision}`;
      if ((length += part.length + 2) > MAX_LENGTH) break;
      parts.push(part);
    }
    return parts.join(', ');
  }

  /**
   * Keeps the token of an answer to a request that began at a moment. Answers may arrive in another
   * order than their commits: the higher revision counts, and `latest` is not replaced by that of a
   * request that was already on its way.
   */
  keep(token: string | null, begun: number): void {
    const [, namespace, text] = /^([^=,\s]+)=(\d+|latest)$/.exec(token ?? '') ?? [];
    if (namespace === undefined) return;
    const known = this.tokens.get(namespace);
    this.tokens.delete(namespace);
    this.tokens.set(namespace, this.newer(known, text === 'latest' ? text : Number(text), begun));
    for (const oldest of this.tokens.keys()) {
      if (this.tokens.size <= MAX_NAMESPACES) break;
      this.tokens.delete(oldest);
    }
  }

  private newer(known: Token | undefined, revision: number | 'latest', begun: number): Token {
    const token = { revision, arrived: ++this.clock };
    if (!known || revision === 'latest') return token;
    if (known.revision === 'latest') return known.arrived > begun ? known : token;
    return known.revision > revision ? known : token;
  }
}
