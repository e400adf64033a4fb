/** A JSON value as it is to be written. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Text is handed on in pieces of about this many UTF-16 units. */
const PIECE_LENGTH = 1 << 14;

/** JSON text of Maps, arrays, strings, null and {@link RawJson}, in pieces. */
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

  /** What has been written and not handed on. */
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
