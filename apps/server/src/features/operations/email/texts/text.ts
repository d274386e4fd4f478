import type { TemplateDataOf, Template } from '../templates.ts';

/** The texts of one email, in the order they are read. */
export interface EmailText {
  subject: string;
  /** What a list of emails shows beside the subject. */
  preview: string;
  title: string;
  lines: string[];
  /** Label and value: a device, a moment, an address. */
  facts?: [string, string][];
  button?: string;
  notes: string[];
}

/** Numbers, times and devices are formatted as text; the text of a change is in changes.ts. */
type WordsOf<T extends Template> = {
  [F in keyof TemplateDataOf<T>]-?: F extends 'change' ? TemplateDataOf<T>[F] : string;
} & {
  /** "10 minutes" */
  lasts: string;
  moment: string;
};

export interface EmailTexts {
  /** Above the URL of the button, for clients that show no buttons. */
  linkHint: string;
  footer: string;
  emails: { [T in Template]: (words: WordsOf<T>) => EmailText };
}
