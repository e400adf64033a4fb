const HIGH = 2 ** 32;

/** Positions and offsets are integers below 2^53, stored in 64 bits. */
export function setUint64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % HIGH, true);
  view.setUint32(at + 4, Math.floor(value / HIGH), true);
}

export function getUint64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * HIGH;
}
