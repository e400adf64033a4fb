/** Gives the terms of a text, with repetitions, in the form in which words are compared. */
export type TermAnalyzer = (text: string) => readonly string[];

/** Makes the analyzer of a language, given by its tag; '' for none. May load what it needs. */
export type TermAnalyzerOf = (language: string) => Promise<TermAnalyzer>;
