/** Returns the terms of a text, with repetitions, in normalised form. */
export type TermAnalyzer = (text: string) => readonly string[];

/** Creates the analyzer of a language, given by its tag; '' for none. May load data. */
export type TermAnalyzerOf = (language: string) => Promise<TermAnalyzer>;
