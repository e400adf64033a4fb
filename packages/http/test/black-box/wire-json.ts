/**
 * A value that came over the wire: what it is, the assertions of the tests say, and not its type.
 */
// biome-ignore lint/suspicious/noExplicitAny: a type would claim what is to be shown.
export type WireJson = any;
