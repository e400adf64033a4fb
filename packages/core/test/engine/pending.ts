/** A promise that somebody else settles. */
export class Pending<Value = void> {
  readonly promise: Promise<Value>;
  resolve!: (value: Value) => void;
  reject!: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
