/** A serialised JSON value, written verbatim. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Approximate length of the pieces of text yielded, in UTF-16 units. */
const PIECE_LENGTH = 1 << 14;

/** Serialises Maps, arrays, strings, null and {@link RawJson} as JSON text, in pieces. */
export class JsonOutput {
  private text = '';

  *write(value: unknown): Generator<string, void> {
    if (Array.isArray(value)) {
      this.text += '[';
      for (let index = 0; index < value.length; index++) {
        if (index > 0) this.text += ',';
        yield* this.member(value[index]);
      }
      this.text += ']';
      return;
    }
    if (value instanceof Map) {
      let separator = '{';
      for (const [name, member] of value) {
        this.text += `${separator}${JSON.stringify(name)}:`;
        separator = ',';
        yield* this.member(member);
      }
      this.text += separator === '{' ? '{}' : '}';
      return;
    }
    this.text += value instanceof RawJson ? value.text : JSON.stringify(value);
  }

  /** Returns and clears the text not yielded yet. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  private *member(value: unknown): Generator<string, void> {
    if (typeof value === 'string') this.text += JSON.stringify(value);
    else yield* this.write(value);
    if (this.text.length >= PIECE_LENGTH) yield this.take();
  }
}
