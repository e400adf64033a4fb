/** The full name of a world. */
export interface WorldName {
  readonly namespace: string;
  readonly slug: string;
}
